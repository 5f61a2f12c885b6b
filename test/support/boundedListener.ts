/**
 * The service's HTTP listener alone, with limits chosen by the test and clients from made-up
 * addresses. Each address has a small server, the entrance: it hands its connections to the
 * listener as if they came from that address. Asserts nothing.
 */
import { once } from "node:events"
import type { RequestListener, Server } from "node:http"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { onTestFinished } from "vitest"
import { boundedServer, LISTENER_LIMITS, type ListenerLimits } from "../../src/http/listener.ts"

export interface Client {
  readonly socket: Socket
  readonly received: () => string
  readonly isClosed: () => boolean
}

/** Time for input to be processed, and for a connection that should stay open to be closed. */
export const QUIET_MILLIS = 100

export const request = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`

/** Answers with the path; never answers "/hold..."; never ends the answer to "/stream". */
export const echo: RequestListener = (incoming, response) => {
  if (incoming.url === "/stream") response.writeHead(200).write(": begun\n\n")
  else if (!incoming.url!.startsWith("/hold")) incoming.resume().on("end", () => response.end(`<${incoming.url}>`))
}

const portOf = (server: { address: () => unknown }): number => (server.address() as AddressInfo).port

/** A client that reads everything and never closes the connection itself. */
export const clientOf = async (port: number, text = ""): Promise<Client> => {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  let received = ""
  let isClosed = false
  const close = () => {
    isClosed = true
  }
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1")
  })
  socket.on("end", close).on("error", close).on("close", close)
  await once(socket, "connect")
  if (text !== "") socket.write(text)
  return { socket, received: () => received, isClosed: () => isClosed }
}

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  )

export const startListener = async (limits: Partial<ListenerLimits>, listener: RequestListener) => {
  const server = boundedServer("http://localhost", { ...LISTENER_LIMITS, ...limits })
  server.on("request", listener)
  // The Effect adapter also has this handler; with one, Node hands over the raw connection.
  server.on("upgrade", (_, socket) => void socket.write("upgraded"))
  const closing: Array<() => void> = [() => server.close().closeAllConnections()]
  await once(server.listen(0, "127.0.0.1"), "listening")
  onTestFinished(() => {
    for (const close of closing) close()
  })
  /** Opens the entrance for an address; its clients connect one at a time. */
  const from = async (address: string) => {
    const entrance = createServer({ allowHalfOpen: true }, (socket) => {
      Object.defineProperty(socket, "remoteAddress", { value: address })
      server.emit("connection", socket)
    })
    await once(entrance.listen(0, "127.0.0.1"), "listening")
    closing.push(() => void entrance.close())
    return async (text?: string) => {
      const accepted = once(entrance, "connection")
      const client = await clientOf(portOf(entrance), text)
      await accepted
      return client
    }
  }
  return { port: portOf(server), from, connections: () => connectionsOf(server) }
}

/** A mail server for tests: takes, refuses or stays silent as told, and keeps what it took. Speaks just enough SMTP. */
import { createServer, type Socket } from "node:net"
import { Effect } from "effect"

type Behavior = "accept" | "refuse" | "close after accepting"

interface ReceivedMail {
  readonly to: string
  readonly source: string
}

const converse = (socket: Socket, behavior: () => Behavior, received: (mail: ReceivedMail) => void) => {
  let to = ""
  let data: string | undefined
  let rest = ""
  const command = (line: string) => {
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === "RCPT") to = /<([^>]*)>/.exec(line)?.[1] ?? ""
    if (verb === "DATA") {
      data = ""
      return socket.write("354 go on\r\n")
    }
    if (verb === "QUIT") return socket.end("221 bye\r\n")
    return socket.write(behavior() === "refuse" && verb === "RCPT" ? "451 not now\r\n" : "250 ok\r\n")
  }
  const dataLine = (line: string) => {
    if (line !== ".") {
      data += `${line}\n`
      return
    }
    received({ to, source: data ?? "" })
    data = undefined
    if (behavior() === "close after accepting") socket.destroy()
    else socket.write("250 taken\r\n")
  }
  socket.on("error", () => undefined)
  socket.on("data", (chunk) => {
    const lines = (rest + chunk.toString()).split("\r\n")
    rest = lines.pop()!
    for (const line of lines) data === undefined ? command(line) : dataLine(line)
  })
  socket.write("220 test\r\n")
}

/** Listens until the scope closes. */
export const mailServer = Effect.gen(function* () {
  const state: { behavior: Behavior; readonly mails: Array<ReceivedMail> } = { behavior: "accept", mails: [] }
  const server = createServer((socket) =>
    converse(
      socket,
      () => state.behavior,
      (mail) => state.mails.push(mail)
    )
  )
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { state, url: `smtp://127.0.0.1:${port}?ignoreTLS=true` }
})

/**
 * The listener: a Node HTTP server whose connections are bounded in number, in time and in what they may send ahead,
 * and the answers to input that is not valid HTTP. Knows no routes.
 */
import { randomUUID } from "node:crypto"
import { type IncomingMessage, Server, type ServerOptions, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import {
  HeadersTooLargeProblem,
  MalformedRequestProblem,
  PROBLEM_MEDIA_TYPE,
  type Problem,
  RequestTimeoutProblem,
  ValidationProblem
} from "../../schema/problems.ts"
import { WHOLE_BODY } from "../request/fieldPath.ts"
import { onceHeard } from "../services/rounds.ts"
import { type ConnectionBounds, Connections } from "./connections.ts"
import { parseNoneAfterTheEnd } from "./parser.ts"
import { problemDocument } from "./problems.ts"

const MAX_HEADER_BYTES = 16 * 1024
const MAX_HEADERS = 100

/** What a connection may do, and for how long. Tests use shorter times. */
export interface ListenerLimits extends ConnectionBounds {
  /** For the head of a request; of the first one, counted from the opening of the connection. */
  readonly headersMillis: number
  /** For a whole request. */
  readonly requestMillis: number
  /** How often both are checked. */
  readonly checkMillis: number
  /** Between two requests. Longer than common proxies wait, so that the proxy is the one to close an idle connection. */
  readonly keepAliveMillis: number
  /** Without a byte moving, while a request is answered. A response that stalls gets it twice. */
  readonly stallMillis: number
  /** For the client to read that its input was refused and to close, before the connection is closed for it. */
  readonly lingerMillis: number
}

export const LISTENER_LIMITS: ListenerLimits = {
  connections: 2_000,
  connectionsPerAddress: 256,
  unanswered: 16,
  heldBytes: 64 * 1024 * 1024,
  trustedProxyHops: 0,
  headersMillis: 10_000,
  requestMillis: 15_000,
  checkMillis: 1_000,
  keepAliveMillis: 65_000,
  stallMillis: 20_000,
  lingerMillis: 1_000
}

const TOO_MANY_PIECES = "TOO_MANY_PIECES"

/** The problem behind an error of the HTTP parser, or of our own count. */
const inputProblem = (code: string | undefined): Problem => {
  if (code === "HPE_HEADER_OVERFLOW") return new HeadersTooLargeProblem({})
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new RequestTimeoutProblem({})
  if (code === TOO_MANY_PIECES)
    return new ValidationProblem({ errors: { [WHOLE_BODY]: ["comes in too many small pieces"] } })
  return new MalformedRequestProblem({})
}

const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large"
}

/** Written to the socket itself: without a parsed request Node makes no response object. */
const writeProblem = (socket: Socket, problem: Problem, publicUrl: string): void => {
  const requestId = randomUUID()
  const body = JSON.stringify(problemDocument(problem, publicUrl, requestId))
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_TEXT[problem.status]}\r\n` +
      `Content-Type: ${PROBLEM_MEDIA_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\n` +
      `X-Content-Type-Options: nosniff\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`
  )
}

/**
 * Tells its listeners of a connection or a request when it is their turn, or never. Node parses at once all that has
 * arrived, and would have a hundred requests of one piece answered side by side; nothing but `emit` stands between.
 */
class GuardedServer extends Server {
  readonly open: Connections

  constructor(options: ServerOptions, bounds: ConnectionBounds) {
    super(options)
    const error = Object.assign(new Error(), { code: TOO_MANY_PIECES })
    this.open = new Connections(bounds, (socket) => void this.emit("clientError", error, socket))
  }

  override emit(event: string, ...values: ReadonlyArray<unknown>): boolean {
    const tell = () => super.emit(event, ...values)
    const [subject, response] = values
    if (event === "connection") {
      this.open.arrive(subject as Socket)
      const isHeard = tell()
      parseNoneAfterTheEnd(subject as Socket)
      return isHeard
    }
    if (event !== "request" && event !== "checkContinue") return tell()
    this.open.begin(subject as IncomingMessage, response as ServerResponse, tell)
    return true
  }
}

const serverOptions = (limits: ListenerLimits): ServerOptions => ({
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: limits.headersMillis,
  requestTimeout: limits.requestMillis,
  keepAliveTimeout: limits.keepAliveMillis,
  connectionsCheckingInterval: limits.checkMillis,
  requireHostHeader: false,
  // Nothing here upgrades, and Node takes its timeouts off a connection that does.
  shouldUpgradeCallback: () => false
})

/** Answers input that is not HTTP, or not in time. A peer that then does not close must not keep the connection. */
const refuseInput =
  (server: GuardedServer, publicUrl: string, lingerMillis: number) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy()
    const next = server.open.breakOff(socket)
    if (next === "wait") return
    if (next === "end") return void socket.destroy()
    const refuse = () => {
      writeProblem(socket, inputProblem(error.code), publicUrl)
      setTimeout(() => socket.destroy(), lingerMillis).unref()
    }
    if (socket.bytesRead > 0) return void refuse()
    // A busy process looks at the clock before it listens: what has come by now is no silence.
    onceHeard(() => {
      if (socket.bytesRead === 0 && socket.writable) refuse()
    })
  }

export const boundedServer = (publicUrl: string, limits: ListenerLimits = LISTENER_LIMITS): Server => {
  const server = new GuardedServer(serverOptions(limits), limits)
  server.maxHeadersCount = MAX_HEADERS
  server.timeout = limits.stallMillis
  // Node would turn newcomers away. This is for a rush that comes faster than the event loop turns, and no usual bound.
  server.maxConnections = 2 * limits.connections
  server.on("clientError", refuseInput(server, publicUrl, limits.lingerMillis))
  // Without this, the drain would wait for connections that become idle while it lasts.
  const closeWhenDrained = (_: IncomingMessage, response: ServerResponse) =>
    response.once("close", () => {
      if (!server.listening) server.closeIdleConnections()
    })
  server.on("request", closeWhenDrained)
  server.on("checkContinue", closeWhenDrained)
  // An Expect header other than 100-continue is ignored.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  return server
}

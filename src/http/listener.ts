/**
 * The listener: a Node HTTP server with bounds on connections, time and pipelining. It also answers
 * input that is not valid HTTP. Knows no routes.
 */
import { randomUUID } from "node:crypto"
import { type IncomingMessage, Server, type ServerOptions, type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import {
  HeadersTooLargeProblem,
  MalformedRequestProblem,
  OverloadedProblem,
  PROBLEM_MEDIA_TYPE,
  type Problem,
  RequestTimeoutProblem,
  ValidationProblem
} from "../../schema/problems.ts"
import { WHOLE_BODY } from "../request/fieldPath.ts"
import { type ConnectionBounds, Connections } from "./connections.ts"
import { discardBody, stopParsingAfterClose } from "./pipelining.ts"
import { problemDocument } from "./problems.ts"
import { commonHeaders, responsesWith } from "./responses.ts"
import { type BodyRefusal, UnreadBodies } from "./unreadBodies.ts"

const MAX_HEADER_BYTES = 16 * 1024
const MAX_HEADERS = 100

/** Bounds of connections, bodies and times. Tests use shorter times. */
export interface ListenerLimits extends ConnectionBounds {
  /** Total bytes of bodies that have not been read to their end. The largest body has 1 MiB. */
  readonly heldBytes: number
  /** Deadline for the head of a request. For the first, it starts with the connection. */
  readonly headersMillis: number
  /** Deadline for a whole request. */
  readonly requestMillis: number
  /** The interval at which both deadlines are checked. */
  readonly checkMillis: number
  /** Idle time between requests. Longer than common proxies wait, so the proxy closes first. */
  readonly keepAliveMillis: number
  /** Time in which no byte moves during an answer. A stalled response gets twice this time. */
  readonly stallMillis: number
  /** Time for the client to read the refusal of its input, and to close. */
  readonly lingerMillis: number
}

export const LISTENER_LIMITS: ListenerLimits = {
  connections: 2_000,
  connectionsPerAddress: 256,
  unanswered: 16,
  heldBytes: 64 * 1024 * 1024,
  headersMillis: 10_000,
  requestMillis: 15_000,
  checkMillis: 1_000,
  keepAliveMillis: 65_000,
  stallMillis: 20_000,
  lingerMillis: 1_000
}

/** The problem behind an error of the HTTP parser. */
const inputProblem = (code: string | undefined): Problem => {
  if (code === "HPE_HEADER_OVERFLOW") return new HeadersTooLargeProblem({})
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new RequestTimeoutProblem({})
  return new MalformedRequestProblem({})
}

const bodyProblem = (refusal: BodyRefusal): Problem =>
  refusal === "noRoom"
    ? new OverloadedProblem({})
    : new ValidationProblem({ errors: { [WHOLE_BODY]: ["arrives in too many small chunks: send fewer, larger ones"] } })

/** Written to the socket itself, because Node makes no response object without a parsed request. */
const writeProblem = (socket: Socket, problem: Problem, publicUrl: string): void => {
  const requestId = randomUUID()
  const body = JSON.stringify(problemDocument(problem, publicUrl, requestId))
  const headers = Object.entries({
    ...commonHeaders(publicUrl),
    "Content-Type": PROBLEM_MEDIA_TYPE,
    "Content-Length": Buffer.byteLength(body),
    "X-Request-Id": requestId,
    ...("retryAfterSeconds" in problem ? { "Retry-After": problem.retryAfterSeconds } : {}),
    Connection: "close"
  })
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join("")}\r\n${body}`)
}

/**
 * Delays or drops the events of connections and requests until they may be served. Node would start
 * a hundred pipelined requests of one packet at once, and `emit` is the only place to intervene.
 */
class GuardedServer extends Server {
  readonly open: Connections
  private readonly publicUrl: string
  private readonly lingerMillis: number

  constructor(publicUrl: string, limits: ListenerLimits) {
    super(serverOptions(publicUrl, limits))
    this.publicUrl = publicUrl
    this.lingerMillis = limits.lingerMillis
    const bodies = new UnreadBodies(limits.heldBytes, (message, refusal) => this.refuseBody(message, refusal))
    this.open = new Connections(limits, bodies, () => this.closeDrained())
    this.on("clientError", (error: NodeJS.ErrnoException, socket) => this.refuseInput(error.code, socket as Socket))
  }

  override emit(event: string, ...values: ReadonlyArray<unknown>): boolean {
    const deliver = () => super.emit(event, ...values)
    const [subject, response] = values
    if (event === "connection") {
      const socket = subject as Socket
      if (!this.open.arrive(socket)) {
        socket.destroy()
        return true
      }
      const hasListeners = deliver()
      stopParsingAfterClose(socket)
      return hasListeners
    }
    if (event !== "request" && event !== "checkContinue") return deliver()
    this.open.begin(subject as IncomingMessage, response as ServerResponse, deliver)
    return true
  }

  /** Node counts a connection that has sent nothing as busy, and no longer times it once the server closes. */
  override closeIdleConnections(): void {
    super.closeIdleConnections()
    this.open.closeSilent()
  }

  /** Without this, the drain would wait for connections that become idle during it. */
  private closeDrained(): void {
    if (!this.listening) this.closeIdleConnections()
  }

  /** Answers input that is not HTTP, or not in time. */
  private refuseInput(code: string | undefined, socket: Socket): void {
    if (code === "ECONNRESET" || !socket.writable) return void socket.destroy()
    const next = this.open.breakOff(socket)
    if (next === "wait") return
    if (next === "end") return void socket.destroy()
    if (socket.bytesRead > 0) return void this.answer(socket, inputProblem(code))
    // A busy process runs its timers before it reads, so input may have arrived in time.
    setImmediate(() => {
      if (socket.bytesRead === 0 && socket.writable) this.answer(socket, inputProblem(code))
    })
  }

  private refuseBody(message: IncomingMessage, refusal: BodyRefusal): void {
    const { socket } = message
    const isNext = this.open.isNext(message)
    discardBody(message)
    if (!isNext) return void socket.destroy()
    this.answer(socket, bodyProblem(refusal))
    // The memory of the body is freed with its connection.
    if (refusal === "noRoom") socket.destroySoon()
  }

  /** Sends the last answer of a connection, then closes it if the peer does not. */
  private answer(socket: Socket, problem: Problem): void {
    writeProblem(socket, problem, this.publicUrl)
    setTimeout(() => socket.destroy(), this.lingerMillis).unref()
  }
}

const serverOptions = (publicUrl: string, limits: ListenerLimits): ServerOptions => ({
  ServerResponse: responsesWith(commonHeaders(publicUrl)),
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: limits.headersMillis,
  requestTimeout: limits.requestMillis,
  keepAliveTimeout: limits.keepAliveMillis,
  connectionsCheckingInterval: limits.checkMillis,
  requireHostHeader: false,
  // No route upgrades. Node would remove its timeouts from an upgraded connection.
  shouldUpgradeCallback: () => false
})

export const boundedServer = (publicUrl: string, limits: ListenerLimits = LISTENER_LIMITS): Server => {
  const server = new GuardedServer(publicUrl, limits)
  server.maxHeadersCount = MAX_HEADERS
  server.timeout = limits.stallMillis
  // An Expect header other than 100-continue is ignored.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  return server
}

/**
 * The HTTP server: the contract, the routes beside it, the limits of the listener, and answers to what is not even a
 * request. Other surfaces on the same port, such as the tool server, are handed in as routes.
 */
import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../schema/api.ts"
import {
  HeadersTooLargeProblem,
  MalformedRequestProblem,
  PROBLEM_MEDIA_TYPE,
  type Problem,
  RequestTimeoutProblem
} from "../../schema/problems.ts"
import { AppConfig } from "../config.ts"
import { AddressLimitLive } from "./address.ts"
import { AuthenticationLive } from "./auth.ts"
import { JsonBodyLive } from "./body.ts"
import { edge } from "./edge.ts"
import { AccountLive } from "./handlers/account.ts"
import { CalculationsLive } from "./handlers/calculations.ts"
import { CalculatorLive } from "./handlers/calculator.ts"
import { HealthLive } from "./handlers/health.ts"
import { KeysLive } from "./handlers/keys.ts"
import { ReferenceLive } from "./handlers/reference.ts"
import { RulesLive } from "./handlers/rules.ts"
import { VerifyLive } from "./handlers/verify.ts"
import { WebhooksLive } from "./handlers/webhooks.ts"
import { OPENAPI_ROUTES, OpenApiDocument } from "./openapi/document.ts"
import { CALCULATOR_PAGE_ROUTES, CalculatorPage } from "./pages/calculatorPage.ts"
import { DOCS_ROUTES, Docs } from "./pages/docs.ts"
import { PROBLEM_ROUTES, ProblemPages } from "./pages/problemPages.ts"
import { WELL_KNOWN_ROUTES, WellKnown } from "./pages/wellKnown.ts"
import { AnsweringLive, problemDocument } from "./problems.ts"
import { type PlainRoute, ROUTER_CONFIG, RouteTable } from "./routes.ts"

const MAX_HEADER_BYTES = 16 * 1024
const MAX_HEADERS = 100
const HEADERS_TIMEOUT_MILLIS = 10_000
const REQUEST_TIMEOUT_MILLIS = 15_000
/** Longer than the idle time of common proxies, so that they and not we close a connection first. */
const KEEP_ALIVE_MILLIS = 65_000
const TIMEOUT_CHECK_MILLIS = 1_000
/** For a connection over which nothing moves; one that stops amid a response has it twice. Event streams speak sooner. */
export const SOCKET_IDLE_MILLIS = 60_000
/** More than any number of honest clients needs; what each holds in memory stays bounded with it. */
export const MAX_CONNECTIONS = 2_000
const DRAIN_SECONDS = 20

/** The problem behind an error of the HTTP parser. */
const parserProblem = (code: string | undefined): Problem => {
  if (code === "HPE_HEADER_OVERFLOW") return new HeadersTooLargeProblem({})
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new RequestTimeoutProblem({})
  return new MalformedRequestProblem({})
}

const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large"
}

/** A response written by hand: there is no request that it could be the response of. */
const writeProblem = (socket: Socket, problem: Problem, publicUrl: string): void => {
  const requestId = randomUUID()
  const body = JSON.stringify(problemDocument(problem, publicUrl, requestId))
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_TEXT[problem.status]}\r\n` +
      `Content-Type: ${PROBLEM_MEDIA_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\n` +
      `X-Content-Type-Options: nosniff\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`
  )
}

/** Whether a response is already on its way over this socket. */
const isAnswering = (socket: Socket): boolean => {
  const message: unknown = Reflect.get(socket, "_httpMessage")
  return typeof message === "object" && message !== null && Reflect.get(message, "headersSent") === true
}

export const boundedServer = (publicUrl: string): Server => {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MILLIS,
    requestTimeout: REQUEST_TIMEOUT_MILLIS,
    keepAliveTimeout: KEEP_ALIVE_MILLIS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MILLIS,
    requireHostHeader: false
  })
  server.maxHeadersCount = MAX_HEADERS
  server.timeout = SOCKET_IDLE_MILLIS
  server.maxConnections = MAX_CONNECTIONS
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === "ECONNRESET" || !socket.writable || isAnswering(socket)) socket.destroy()
    else writeProblem(socket, parserProblem(error.code), publicUrl)
  })
  // Connections that fall idle during the drain would otherwise be waited for.
  const closeWhenDrained = (_: IncomingMessage, response: ServerResponse) =>
    response.once("close", () => {
      if (!server.listening) server.closeIdleConnections()
    })
  server.on("request", closeWhenDrained)
  server.on("checkContinue", closeWhenDrained)
  // An expectation other than 100-continue is none of ours: answer as if it were not there.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  return server
}

const Handlers = Layer.mergeAll(
  HealthLive,
  CalculatorLive,
  VerifyLive,
  RulesLive,
  KeysLive,
  CalculationsLive,
  AccountLive,
  ReferenceLive,
  WebhooksLive
)

const Middleware = Layer.mergeAll(AnsweringLive, AuthenticationLive, AddressLimitLive, JsonBodyLive)

const ApiRoutes = HttpApiBuilder.layer(Api).pipe(Layer.provide(Handlers), Layer.provide(Middleware))

const PLAIN_ROUTES = [
  ...OPENAPI_ROUTES,
  ...DOCS_ROUTES,
  ...CALCULATOR_PAGE_ROUTES,
  ...PROBLEM_ROUTES,
  ...WELL_KNOWN_ROUTES
]

/** A surface beside the contract: its routes, and what answers them. */
interface Surface<E, R> {
  readonly routes: ReadonlyArray<PlainRoute>
  readonly layer: Layer.Layer<never, E, R>
}

/** Everything that answers on the main port. */
const httpRoutes = <E, R>(surface: Surface<E, R>) =>
  Layer.mergeAll(
    ApiRoutes,
    OpenApiDocument,
    Docs,
    CalculatorPage,
    ProblemPages,
    WellKnown,
    surface.layer,
    edge(RouteTable.of(Api, [...PLAIN_ROUTES, ...surface.routes]))
  )

/** The main listener. On release it stops accepting, and finishes what is in flight for as long as the drain allows. */
export const httpServer = <E, R>(surface: Surface<E, R>) =>
  HttpRouter.serve(httpRoutes(surface), {
    routerConfig: ROUTER_CONFIG,
    disableLogger: true,
    disableListenLog: true
  }).pipe(Layer.provideMerge(Listener))

const Listener = Layer.unwrap(
  Effect.gen(function* () {
    const { host, port, publicUrl } = yield* AppConfig
    return NodeHttpServer.layer(() => boundedServer(publicUrl), {
      host,
      port,
      gracefulShutdownTimeout: `${DRAIN_SECONDS} seconds`
    })
  })
)

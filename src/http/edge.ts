/**
 * The outermost middleware: request id, 404 and 405, CORS preflight, compression, defects, metrics
 * and request logs. Knows nothing of keys or calculations.
 */
import { randomUUID } from "node:crypto"
import { Cause, Clock, Context, Effect, References } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { isProblem, MalformedRequestProblem, MethodNotAllowedProblem, NotFoundProblem } from "../../schema/problems.ts"
import { AppConfig } from "../platform/config.ts"
import { countRequest, requestSpan } from "../platform/telemetry.ts"
import { compressed } from "./compression.ts"
import type { Direct } from "./direct.ts"
import { internalProblem, problemResponse, secondsUntil } from "./problems.ts"
import { isMalformed, sentPath, sentTarget, withRoutablePath } from "./requestHead.ts"
import { CurrentRequestState, inboundRequestId, newRequestState, type RequestState } from "./requestState.ts"
import type { Match, RouteTable } from "./routes.ts"

const ALLOWED_HEADERS =
  "Accept, Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id, X-Api-Key, X-Request-Id"
/** Header names as browsers send them. The limit is far above the headers of a client. */
const REQUESTED_HEADERS = /^(?=.{1,1000}$)[\w-]+(?:, ?[\w-]+)*$/
const ONE_DAY_SECONDS = "86400"

/**
 * Adds the request id and, if the caller is known, the state of its quota. An immutable response
 * gets neither, because it is cached for all clients.
 */
const withOwnHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  { requestId, usage }: RequestState,
  nowMillis: number
): HttpServerResponse.HttpServerResponse => {
  if (response.headers["cache-control"]?.includes("immutable") === true) return response
  if (usage === undefined) return HttpServerResponse.setHeader(response, "x-request-id", requestId)
  return HttpServerResponse.setHeaders(response, {
    "ratelimit-limit": String(usage.limit),
    "ratelimit-remaining": String(Math.max(0, usage.limit - usage.used)),
    "ratelimit-reset": String(secondsUntil(usage.periodResetsAt, nowMillis)),
    "x-request-id": requestId
  })
}

/**
 * Also allows every header that the browser asks about. No cookie is read, so a list would protect
 * nothing. Third-party clients add headers of their own, such as traceparent.
 */
const allowedHeaders = (requested = ""): string =>
  REQUESTED_HEADERS.test(requested) ? `${ALLOWED_HEADERS}, ${requested.replace(/, ?/g, ", ")}` : ALLOWED_HEADERS

const preflight = (allow: ReadonlyArray<string>, { headers }: HttpServerRequest.HttpServerRequest) =>
  HttpServerResponse.empty({
    status: 204,
    headers: {
      allow: allow.join(", "),
      "access-control-allow-methods": allow.join(", "),
      "access-control-allow-headers": allowedHeaders(headers["access-control-request-headers"]),
      "access-control-max-age": ONE_DAY_SECONDS
    }
  })

const routeOf = ({ pattern }: Match): string => pattern ?? "(none)"

/** The response to a request that must not or cannot reach a route; undefined if it can. */
const withoutRoute = (request: HttpServerRequest.HttpServerRequest, { allow, pattern }: Match, publicUrl: string) => {
  if (isMalformed(request)) return problemResponse(new MalformedRequestProblem({}), publicUrl, { connection: "close" })
  if (pattern !== undefined) return undefined
  if (allow.length === 0) return problemResponse(new NotFoundProblem({}), publicUrl)
  if (request.method === "OPTIONS") return Effect.succeed(preflight(allow, request))
  return problemResponse(new MethodNotAllowedProblem({}), publicUrl, { allow: allow.join(", ") })
}

/** Renders problems of plain routes. Anything else is a defect: logged, not shown to the client. */
const onFailure = (cause: Cause.Cause<unknown>, publicUrl: string) => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
  const failure = Cause.squash(cause)
  if (isProblem(failure)) return problemResponse(failure, publicUrl)
  return Effect.andThen(Effect.logError("request failed", cause), internalProblem(publicUrl))
}

/** Answers one request, with or without a route; records metrics. */
const answerRequest = <E, R>(
  request: HttpServerRequest.HttpServerRequest,
  match: Match,
  httpEffect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  publicUrl: string
) =>
  Effect.withFiber((fiber) => {
    const clock = fiber.getRef(Clock.Clock)
    const startedMillis = clock.currentTimeMillisUnsafe()
    const requestId = inboundRequestId(request.headers["x-request-id"]) ?? randomUUID()
    const requestState = newRequestState(requestId)
    const answer = withoutRoute(request, match, publicUrl) ?? httpEffect
    return Effect.catchCause(answer, (cause) => onFailure(cause, publicUrl)).pipe(
      Effect.provideContext(
        Context.make(CurrentRequestState, requestState).pipe(
          Context.add(References.CurrentLogAnnotations, { requestId })
        )
      ),
      Effect.flatMap((response) => {
        const nowMillis = clock.currentTimeMillisUnsafe()
        const { status } = response
        const elapsedMillis = nowMillis - startedMillis
        const { method } = request
        const counted = countRequest({ requestId, method, route: routeOf(match), status, elapsedMillis })
        return Effect.as(counted, withOwnHeaders(response, requestState, nowMillis))
      })
    )
  })

/** `makeDirect` builds the fast path, which serves requests without the framework's router. */
export const edge = <E, R>(routes: RouteTable, makeDirect: Effect.Effect<Direct, E, R>) =>
  HttpRouter.middleware(
    Effect.gen(function* () {
      const { publicUrl, trustedProxyHops } = yield* AppConfig
      const direct = yield* makeDirect
      return (httpEffect) => {
        const routed = (request: HttpServerRequest.HttpServerRequest, { pattern }: Match) =>
          pattern === undefined
            ? httpEffect
            : Effect.provideService(httpEffect, HttpServerRequest.HttpServerRequest, withRoutablePath(request))
        return HttpServerRequest.HttpServerRequest.use((request) => {
          const served = direct(request.method, sentTarget(request))
          const match = served?.match ?? routes.match(request.method, sentPath(request))
          const answer = served?.answer ?? routed(request, match)
          const inSpan = requestSpan(request.method, routeOf(match), trustedProxyHops > 0 ? request.headers : undefined)
          return compressed(request, inSpan(answerRequest(request, match, answer, publicUrl)))
        })
      }
    }),
    { global: true }
  )

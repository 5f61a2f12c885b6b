/**
 * Fast path for the busiest routes: the same handlers and middleware, without the framework's
 * router. Only a target that equals the path, without a query, is served here. Everything else goes
 * through the router, whose answers are byte-identical.
 */
import { Context, Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { Api } from "../../schema/api.ts"
import type {
  AddressLimit,
  Answering,
  Authentication,
  CurrentCaller,
  JsonBody,
  SentBody
} from "../../schema/middleware.ts"
import { isUuid } from "../../schema/primitives.ts"
import { makeCalculations } from "./handlers/calculations.ts"
import { makeCalculator } from "./handlers/calculator.ts"
import { makeHealth } from "./handlers/health.ts"
import { makeVerify } from "./handlers/verify.ts"
import type { Match } from "./routes.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** A matched route and its answer. */
export interface Served {
  readonly match: Match
  readonly answer: Effect.Effect<Response, unknown, Request>
}

/** Matches a method and target; undefined if the request goes through the router. */
export type Direct = (method: string, target: string) => Served | undefined

/** Sends every request through the router. */
export const nothingDirect: Effect.Effect<Direct> = Effect.succeed(() => undefined)

type Handler = (parameter: string) => Effect.Effect<Response, unknown, Request | CurrentCaller | SentBody>
/** Middleware as run here. HttpApiBuilder's types ensure that it provides what handlers need. */
type Middleware = (answer: ReturnType<Handler>, at: object) => Served["answer"]

const makeHandlers = Effect.gen(function* () {
  const { calculateLoan } = yield* makeCalculator
  const { comparison, planEligibility, projection } = yield* makeCalculations
  const { health } = yield* makeHealth
  const verifyAnswer = yield* makeVerify
  const fullComparison = comparison()
  const fullProjection = projection()
  return new Map<string, Handler>([
    ["calculateLoan", () => calculateLoan],
    ["comparison", () => fullComparison],
    ["planEligibility", () => planEligibility],
    ["projection", () => fullProjection],
    ["health", () => health],
    ["healthV1", () => health],
    ["verifyAnswer", verifyAnswer]
  ])
})

export const directRoutes = Effect.gen(function* () {
  const services = yield* Effect.context<Answering | Authentication | AddressLimit | JsonBody>()
  const handlers = yield* makeHandlers
  const fixed = new Map<string, Map<string, Served>>()
  const withId: Array<{ readonly start: string; readonly serve: (id: string) => Served }> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group }) => {
      const handler = handlers.get(endpoint.identifier)
      if (handler === undefined) return
      const middleware = [...endpoint.middlewares].map((key) =>
        Context.getUnsafe(services, key as Context.Key<never, Middleware>)
      )
      const match = { pattern: endpoint.path, allow: [endpoint.method] }
      const serve = (id: string): Served => ({
        match,
        // As in the router, a client that disconnects interrupts its handler.
        answer: Effect.interruptible(
          middleware.reduce((answer, apply) => apply(answer, { endpoint, group }), handler(id) as Served["answer"])
        )
      })
      const [start, parameter] = `${endpoint.method} ${endpoint.path}`.split(":")
      if (parameter !== undefined) withId.push({ start: start!, serve })
      else fixed.set(endpoint.path, new Map(fixed.get(endpoint.path)).set(endpoint.method, serve("")))
    }
  })
  const direct: Direct = (method, target) => {
    const served = fixed.get(target)?.get(method)
    if (served !== undefined) return served
    const requestLine = `${method} ${target}`
    const found = withId.find(({ start }) => requestLine.startsWith(start))
    const id = requestLine.slice(found?.start.length)
    return isUuid(id) ? found?.serve(id) : undefined
  }
  return direct
})

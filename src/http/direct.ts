/**
 * The routes that are asked for most, served without the framework's router and what it does for any endpoint: their
 * handlers and the middleware of the contract are run as they are. Only a target that is the path itself is served here,
 * without a query; everything else goes the general way, which answers the same, byte for byte.
 */
import { Context, Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { Api } from "../../schema/api.ts"
import type { AddressLimit, Answering, Authentication, CurrentCaller, JsonBody } from "../../schema/middleware.ts"
import { isUuid } from "../../schema/primitives.ts"
import { makeCalculations } from "./handlers/calculations.ts"
import { makeCalculator } from "./handlers/calculator.ts"
import { makeHealth } from "./handlers/health.ts"
import { makeVerify } from "./handlers/verify.ts"
import type { Match } from "./routes.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** A route, and what answers the request. */
export interface Served {
  readonly match: Match
  readonly answer: Effect.Effect<Response, unknown, Request>
}

/** What serves a request by its method and target; undefined for one that goes the general way. */
export type Direct = (method: string, target: string) => Served | undefined

/** Everything goes the general way. */
export const nothingDirect: Effect.Effect<Direct> = Effect.succeed(() => undefined)

type Handler = (parameter: string) => Effect.Effect<Response, unknown, Request | CurrentCaller>
/** Middleware as it is run: that of an endpoint provides what the handler needs, or HttpApiBuilder would not take it. */
type Middleware = (answer: ReturnType<Handler>, at: object) => Served["answer"]

const makeHandlers = Effect.gen(function* () {
  const { calculateLoan } = yield* makeCalculator
  const { comparison, planEligibility, projection } = yield* makeCalculations
  const { health } = yield* makeHealth
  const verifyAnswer = yield* makeVerify
  return new Map<string, Handler>([
    ["calculateLoan", () => calculateLoan],
    ["comparison", () => comparison],
    ["planEligibility", () => planEligibility],
    ["projection", () => projection],
    ["health", () => health],
    ["healthV1", () => health],
    ["verifyAnswer", verifyAnswer]
  ])
})

export const directRoutes = Effect.gen(function* () {
  const services = yield* Effect.context<Answering | Authentication | AddressLimit | JsonBody>()
  const handlers = yield* makeHandlers
  const fixed = new Map<string, Served>()
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
        // As the router does: whoever goes away is not answered.
        answer: Effect.interruptible(
          middleware.reduce((answer, apply) => apply(answer, { endpoint, group }), handler(id) as Served["answer"])
        )
      })
      const [start, parameter] = `${endpoint.method} ${endpoint.path}`.split(":")
      if (parameter === undefined) fixed.set(start!, serve(""))
      else withId.push({ start: start!, serve })
    }
  })
  const direct: Direct = (method, target) => {
    const asked = `${method} ${target}`
    const served = fixed.get(asked)
    if (served !== undefined) return served
    const found = withId.find(({ start }) => asked.startsWith(start))
    const id = asked.slice(found?.start.length)
    return isUuid(id) ? found?.serve(id) : undefined
  }
  return direct
})

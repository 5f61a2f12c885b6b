/**
 * Authentication by API key. One function reads both headers, so that an outage is never reported as a bad key and no
 * other scheme is taken for a bearer token. Checks the key, the rate limit and the monthly quota, in this order, before
 * the body is read.
 */
import { Effect, Layer } from "effect"
import { type Headers, HttpServerRequest } from "effect/http"
import { Authentication, CurrentCaller } from "../../schema/middleware.ts"
import { UnauthorizedProblem } from "../../schema/problems.ts"
import { Keys } from "../services/keys/Keys.ts"
import { RateLimits } from "../services/RateLimits.ts"
import { noteUsage } from "./exchange.ts"
import { makeRefusals } from "./problems.ts"

const BEARER = /^Bearer +(\S+)$/i

/** The key that a request presents; two different keys count as none. */
export const presentedKey = (headers: Headers.Headers): string | undefined => {
  const direct = headers["x-api-key"] || undefined
  const bearer = BEARER.exec(headers["authorization"] ?? "")?.[1]
  if (direct !== undefined && bearer !== undefined && direct !== bearer) return undefined
  return direct ?? bearer
}

/** Admits a request or fails with the reason. Also for routes outside the contract, such as the tool server. */
export const makeAdmission = Effect.gen(function* () {
  const keys = yield* Keys
  const limits = yield* RateLimits
  const refusals = yield* makeRefusals
  return Effect.fn("Authentication.admit")(
    function* (request: HttpServerRequest.HttpServerRequest) {
      const key = presentedKey(request.headers)
      if (key === undefined) return yield* new UnauthorizedProblem({})
      const caller = yield* keys.authenticate(key)
      yield* noteUsage(caller.usage)
      yield* limits.checkRefusals(caller.keyId)
      yield* limits.consume("key", caller.keyId)
      return caller.usage.used < caller.usage.limit ? caller : yield* refusals.quotaSpent(caller)
    },
    (admitted) => Effect.catchTags(admitted, refusals.admission)
  )
})

export const AuthenticationLive = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const admit = yield* makeAdmission
    return (httpEffect) =>
      Effect.gen(function* () {
        const caller = yield* admit(yield* HttpServerRequest.HttpServerRequest)
        return yield* Effect.provideService(httpEffect, CurrentCaller, caller)
      })
  })
)

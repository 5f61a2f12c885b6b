/**
 * Authentication by API key. One function reads both headers, so that an outage is never reported as a bad key and no
 * other scheme is taken for a bearer token. Checks the limit of unknown keys, the key, the key's rate limits and its
 * monthly quota, in this order, before the body is read.
 */
import { createHash } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"
import { type Headers, HttpServerRequest } from "effect/http"
import { Authentication, CurrentCaller } from "../../schema/middleware.ts"
import {
  type LedgerUnavailableProblem,
  type QuotaExceededProblem,
  type RateLimitedProblem,
  UnauthorizedProblem
} from "../../schema/problems.ts"
import { tierOf } from "../services/keys/apiKey.ts"
import { type Caller, Keys } from "../services/keys/Keys.ts"
import { RateLimits } from "../services/RateLimits.ts"
import { RecentMap } from "../services/RecentMap.ts"
import { ClientAddress } from "./address.ts"
import { noteUsage } from "./exchange.ts"
import { makeRefusals } from "./problems.ts"
import { linesOf } from "./requestHead.ts"

const BEARER = /^Bearer +(\S+)$/i
/** Keys that were valid when they were last presented, the latest. */
const MAX_KNOWN_KEYS = 10_000

/** The key that the headers present; two different keys count as none. */
export const presentedKey = (headers: Headers.Headers): string | undefined => {
  const direct = headers["x-api-key"] || undefined
  const bearer = BEARER.exec(headers["authorization"] ?? "")?.[1]
  if (direct !== undefined && bearer !== undefined && direct !== bearer) return undefined
  return direct ?? bearer
}

/** Of two lines of one header a proxy may have read one and Node the other: such a request presents no key. */
const isAmbiguous = (request: HttpServerRequest.HttpServerRequest): boolean =>
  ["x-api-key", "authorization"].some((name) => linesOf(request, name).length > 1)

/** The name under which a key is remembered. That only says whose look-up is not limited by address; it admits nobody. */
const nameOf = (key: string): string => createHash("sha256").update(key).digest("base64")

const make = Effect.gen(function* () {
  const keys = yield* Keys
  const limits = yield* RateLimits
  const refusals = yield* makeRefusals
  const clients = yield* ClientAddress
  const known = new RecentMap<true>(MAX_KNOWN_KEYS)

  /** An address that presents one unknown key after the other has to wait, except with keys that were valid lately. */
  const authenticate = Effect.fnUntraced(function* (key: string, request: HttpServerRequest.HttpServerRequest) {
    const name = nameOf(key)
    // One of a wrong form is not looked up.
    const isNew = known.get(name) === undefined && tierOf(key) !== undefined
    if (isNew) yield* limits.check("unknown", yield* clients.of(request))
    const caller = yield* keys.authenticate(key).pipe(
      Effect.tapErrorTag("KeyRefused", () => {
        known.delete(name)
        if (tierOf(key) === undefined) return Effect.void
        return Effect.flatMap(clients.of(request), (address) => limits.count("unknown", address))
      })
    )
    known.set(name, true)
    return caller
  })

  return Admission.of({
    welcome: (key) => Effect.sync(() => known.set(nameOf(Redacted.value(key)), true)),
    admit: Effect.fn("Admission.admit")(
      function* (request) {
        const key = isAmbiguous(request) ? undefined : presentedKey(request.headers)
        if (key === undefined) return yield* new UnauthorizedProblem({})
        const caller = yield* authenticate(key, request)
        yield* noteUsage(caller.usage)
        yield* limits.check("refused", caller.keyId)
        yield* limits.consume("key", caller.keyId)
        return caller.usage.used < caller.usage.limit ? caller : yield* refusals.quotaSpent(caller)
      },
      (admitted) => Effect.catchTags(admitted, refusals.admission)
    )
  })
})

/** Admits requests: those of the contract, and those of the tool server, which shares what is known of keys. */
export class Admission extends Context.Service<
  Admission,
  {
    /** Takes note of a key that was just issued: no address has to wait with it. */
    readonly welcome: (key: Redacted.Redacted<string>) => Effect.Effect<void>
    /** The caller, or the problem that says why not. */
    readonly admit: (
      request: HttpServerRequest.HttpServerRequest
    ) => Effect.Effect<
      Caller,
      UnauthorizedProblem | RateLimitedProblem | QuotaExceededProblem | LedgerUnavailableProblem
    >
  }
>()("repayment-of-record/Admission") {
  static readonly layer = Layer.effect(Admission, make).pipe(Layer.provide(ClientAddress.layer))
}

export const AuthenticationLive = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const { admit } = yield* Admission
    return (httpEffect) =>
      Effect.gen(function* () {
        const caller = yield* admit(yield* HttpServerRequest.HttpServerRequest)
        return yield* Effect.provideService(httpEffect, CurrentCaller, caller)
      })
  })
).pipe(Layer.provide(Admission.layer))

/**
 * Authentication by API key. One function reads both headers, so that an outage is never reported as a bad key and no
 * other scheme is taken for a bearer token. Checks the limit of unknown keys, the key, the key's rate limits and its
 * monthly quota, in this order, before the body is read. A key whose last call was charged is not looked up on arrival
 * but judged by the statement that charges it, or by a look-up before anything else than a charged answer leaves.
 */
import { hash } from "node:crypto"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
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
import { CurrentExchange, noteUsage } from "./exchange.ts"
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

/** The name under which a key is remembered. */
const nameOf = (key: string): string => hash("sha256", key, "base64")

/** What is remembered of a valid key: whose look-up is not limited by address, and who called if the call was charged. */
interface Known {
  readonly caller: Caller | undefined
}

const NOT_CHARGED: Known = { caller: undefined }

/** Whether the caller can be served in this month without a look-up. */
const isCurrent = ({ usage }: Caller, nowMillis: number): boolean =>
  usage.used < usage.limit && nowMillis >= usage.periodStart.getTime() && nowMillis < usage.periodResetsAt.getTime()

const make = Effect.gen(function* () {
  const keys = yield* Keys
  const limits = yield* RateLimits
  const refusals = yield* makeRefusals
  const clients = yield* ClientAddress
  const known = new RecentMap<Known>(MAX_KNOWN_KEYS)

  /** An address that presents one unknown key after the other has to wait, except with keys that were valid lately. */
  const lookUp = Effect.fnUntraced(
    function* (key: string, name: string, request: HttpServerRequest.HttpServerRequest) {
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
      known.set(name, NOT_CHARGED)
      return caller
    },
    (found) => Effect.catchTags(found, refusals.admission)
  )

  const withinQuota = (caller: Caller) =>
    caller.usage.used < caller.usage.limit ? Effect.succeed(caller) : refusals.quotaSpent(caller)

  const withinLimits = Effect.fnUntraced(
    function* (caller: Caller) {
      yield* noteUsage(caller.usage)
      yield* limits.check("refused", caller.keyId)
      yield* limits.consume("key", caller.keyId)
      return yield* withinQuota(caller)
    },
    (admitted) => Effect.catchTags(admitted, refusals.limited)
  )

  const admit = Effect.fnUntraced(function* <A, E, R>(
    request: HttpServerRequest.HttpServerRequest,
    serve: (caller: Caller) => Effect.Effect<A, E, R>
  ) {
    const key = isAmbiguous(request) ? undefined : presentedKey(request.headers)
    if (key === undefined) return yield* new UnauthorizedProblem({})
    const name = nameOf(key)
    const exchange = yield* CurrentExchange
    const last = known.get(name)?.caller
    const remembered = last !== undefined && isCurrent(last, yield* Clock.currentTimeMillis) ? last : undefined
    const caller = remembered ?? (yield* lookUp(key, name, request))
    const outcome = yield* Effect.exit(Effect.flatMap(withinLimits(caller), serve))
    if (exchange.charge === "made") {
      known.set(name, { caller: { ...caller, usage: exchange.usage ?? caller.usage } })
    } else if (remembered !== undefined) {
      known.set(name, NOT_CHARGED)
      // The charge would have told of a key that may not be used any more; without one, the key is asked for now.
      if (exchange.charge === "none") yield* Effect.flatMap(lookUp(key, name, request), withinQuota)
    }
    return yield* outcome
  })

  return Admission.of({
    welcome: (key) => Effect.sync(() => known.set(nameOf(Redacted.value(key)), NOT_CHARGED)),
    admit
  })
})

/** Admits requests: those of the contract, and those of the tool server, which shares what is known of keys. */
export class Admission extends Context.Service<
  Admission,
  {
    /** Takes note of a key that was just issued: no address has to wait with it. */
    readonly welcome: (key: Redacted.Redacted<string>) => Effect.Effect<void>
    /** Serves the caller, or fails with the problem that says why not. */
    readonly admit: <A, E, R>(
      request: HttpServerRequest.HttpServerRequest,
      serve: (caller: Caller) => Effect.Effect<A, E, R>
    ) => Effect.Effect<
      A,
      E | UnauthorizedProblem | RateLimitedProblem | QuotaExceededProblem | LedgerUnavailableProblem,
      R
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
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        admit(request, (caller) => Effect.provideService(httpEffect, CurrentCaller, caller))
      )
  })
).pipe(Layer.provide(Admission.layer))

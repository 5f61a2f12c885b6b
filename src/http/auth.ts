/**
 * Authentication by API key, in either header. Before the body is read it checks, in this order:
 * the limit of unknown keys, the key, the key's rate limits and its monthly quota. A call that was
 * answered before, by its Idempotency-Key, needs no quota.
 * For a recently valid key the rate limits come first, so a flood costs no look-ups. If its last
 * call was charged, the look-up is skipped. The charging statement then checks the key, or a
 * look-up does before an uncharged answer is sent.
 */
import { hash } from "node:crypto"
import { Cause, Clock, Context, Effect, Exit, Layer, Redacted } from "effect"
import { type Headers, HttpServerRequest } from "effect/http"
import { Authentication, CurrentCaller, TakesIdempotencyKey } from "../../schema/middleware.ts"
import {
  type LedgerUnavailableProblem,
  type QuotaExceededProblem,
  type RateLimitedProblem,
  UnauthorizedProblem
} from "../../schema/problems.ts"
import { type Caller, Keys, type MintedKey, tierOf } from "../services/accounts/index.ts"
import { RateLimits, RecentMap } from "../services/scheduling/index.ts"
import { ClientAddress } from "./address.ts"
import { makeWasAnswered, type WasAnswered } from "./idempotencyKey.ts"
import { makeRefusals } from "./problems.ts"
import { linesOf } from "./requestHead.ts"
import { CurrentRequestState, noteUsage } from "./requestState.ts"

const BEARER = /^Bearer +(\S+)$/i
/** Cache size, in keys that were valid when last presented. */
const MAX_KNOWN_KEYS = 10_000
/** Time that a look-up is trusted. It is short, because a key may be revoked meanwhile. */
const TRUSTED_MILLIS = 500

/** The key in the headers. Two different keys count as no key. */
export const presentedKey = (headers: Headers.Headers): string | undefined => {
  const direct = headers["x-api-key"] || undefined
  const bearer = BEARER.exec(headers["authorization"] ?? "")?.[1]
  if (direct !== undefined && bearer !== undefined && direct !== bearer) return undefined
  return direct ?? bearer
}

/** A repeated header counts as no key, because a proxy may read one line and Node the other. */
const isAmbiguous = (request: HttpServerRequest.HttpServerRequest): boolean =>
  ["x-api-key", "authorization"].some((name) => linesOf(request, name).length > 1)

/** Cache name of a key, so that the key itself is not kept in memory. */
const nameOf = (key: string): string => hash("sha256", key, "base64")

/** Cached state of a key that was valid. */
interface Known {
  readonly keyId: string
  /** Undefined for a key that was just issued. */
  readonly caller: Caller | undefined
  readonly isCharged: boolean
}

interface Presented {
  readonly key: string
  readonly name: string
  readonly request: HttpServerRequest.HttpServerRequest
}

const isUnauthorized = (outcome: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(outcome) && Cause.squash(outcome.cause) instanceof UnauthorizedProblem

/** Whether the caller's usage is known and belongs to the current month. */
const isCurrent = (caller: Caller | undefined, nowMillis: number): boolean =>
  caller !== undefined &&
  nowMillis >= caller.usage.periodStart.getTime() &&
  nowMillis < caller.usage.periodResetsAt.getTime()

const isWithinQuota = ({ usage }: Caller): boolean => usage.used < usage.limit

const make = Effect.gen(function* () {
  const keys = yield* Keys
  const limits = yield* RateLimits
  const refusals = yield* makeRefusals
  const clients = yield* ClientAddress
  const known = new RecentMap<Known>(MAX_KNOWN_KEYS)

  /** Authenticates a key. Unknown keys are rate-limited by address; recently valid ones are not. */
  const lookUp = Effect.fnUntraced(
    function* ({ key, name, request }: Presented) {
      // A malformed key is refused without a look-up.
      const isNew = known.get(name) === undefined && tierOf(key) !== undefined
      if (isNew) yield* limits.check("unknown", yield* clients.of(request))
      const caller = yield* keys.authenticate(key).pipe(
        Effect.tap(({ usage }) => noteUsage(usage)),
        Effect.tapErrorTag("KeyRefused", () => {
          known.delete(name)
          if (tierOf(key) === undefined) return Effect.void
          return Effect.flatMap(clients.of(request), (address) => limits.count("unknown", address))
        })
      )
      known.set(name, { keyId: caller.keyId, caller, isCharged: false })
      return caller
    },
    (found) => Effect.catchTags(found, refusals.admission)
  )

  const withinQuota = (caller: Caller) => (isWithinQuota(caller) ? Effect.succeed(caller) : refusals.quotaSpent(caller))

  const withinRate = (keyId: string) =>
    Effect.catchTags(Effect.andThen(limits.check("refused", keyId), limits.consume("key", keyId)), refusals.limited)

  /** Caches the outcome of a call; looks the key up if no charge or recent look-up confirmed it. */
  const settle = (
    caller: Caller,
    wasRemembered: boolean,
    presented: Presented,
    arrivedMillis: number,
    outcome: Exit.Exit<unknown, unknown>
  ): Effect.Effect<unknown, Effect.Error<ReturnType<typeof lookUp>> | QuotaExceededProblem> =>
    Effect.withFiber((fiber) => {
      const { charge, usage = caller.usage } = fiber.getRef(CurrentRequestState)
      const isCharged = charge === "made"
      if (isCharged || wasRemembered) {
        known.set(presented.name, { keyId: caller.keyId, caller: { ...caller, usage }, isCharged })
      }
      // A refused charge found that the key is no longer valid. A look-up finds the reason.
      if (charge === "refused" && isUnauthorized(outcome)) return lookUp(presented)
      const nowMillis = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
      const isDoubtful = wasRemembered || nowMillis - arrivedMillis > TRUSTED_MILLIS
      if (isCharged || charge === "refused" || !isDoubtful) return Effect.void
      return charge === "repeated" ? lookUp(presented) : Effect.flatMap(lookUp(presented), withinQuota)
    })

  const admit = <A, E, R>(
    request: HttpServerRequest.HttpServerRequest,
    serve: (caller: Caller) => Effect.Effect<A, E, R>,
    wasAnswered?: WasAnswered
  ) => {
    const serveWithinQuota = (caller: Caller) => Effect.flatMap(withinQuota(caller), serve)
    const serveOnce = (caller: Caller) =>
      wasAnswered === undefined
        ? serveWithinQuota(caller)
        : Effect.flatMap(wasAnswered(caller), (isAnswered) => (isAnswered ? serve(caller) : serveWithinQuota(caller)))
    return Effect.withFiber((fiber) => {
      const key = isAmbiguous(request) ? undefined : presentedKey(request.headers)
      if (key === undefined) return Effect.fail(new UnauthorizedProblem({}))
      const presented = { key, name: nameOf(key), request }
      const last = known.get(presented.name)
      const arrivedMillis = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
      const recent = isCurrent(last?.caller, arrivedMillis) ? last?.caller : undefined
      if (recent !== undefined) fiber.getRef(CurrentRequestState).usage = recent.usage
      const remembered = last?.isCharged === true && recent !== undefined && isWithinQuota(recent) ? recent : undefined
      const found = remembered === undefined ? lookUp(presented) : Effect.succeed(remembered)
      const admitted =
        last === undefined
          ? Effect.tap(found, ({ keyId }) => withinRate(keyId))
          : Effect.andThen(withinRate(last.keyId), found)
      return Effect.flatMap(admitted, (caller) =>
        Effect.flatMap(Effect.exit(serveOnce(caller)), (outcome) =>
          Effect.andThen(settle(caller, remembered !== undefined, presented, arrivedMillis, outcome), outcome)
        )
      )
    })
  }

  return Admission.of({
    welcome: ({ apiKey, keyId }) =>
      Effect.sync(() => known.set(nameOf(Redacted.value(apiKey)), { keyId, caller: undefined, isCharged: false })),
    admit
  })
})

/** Admission of requests. The tool server shares it, and with it the cache of keys. */
export class Admission extends Context.Service<
  Admission,
  {
    /** Caches a key that was just issued, so that it is exempt from the limit of unknown keys. */
    readonly welcome: (key: Pick<MintedKey, "apiKey" | "keyId">) => Effect.Effect<void>
    /**
     * Serves the caller, or fails with the problem that refuses it.
     * @param wasAnswered whether the call was made before, so that it needs no quota
     */
    readonly admit: <A, E, R>(
      request: HttpServerRequest.HttpServerRequest,
      serve: (caller: Caller) => Effect.Effect<A, E, R>,
      wasAnswered?: WasAnswered
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
    const wasAnsweredOf = yield* makeWasAnswered
    return (httpEffect, { endpoint }) => {
      const takesIdempotencyKey = Context.get(endpoint.annotations, TakesIdempotencyKey)
      return HttpServerRequest.HttpServerRequest.use((request) =>
        admit(
          request,
          (caller) => Effect.provideService(httpEffect, CurrentCaller, caller),
          takesIdempotencyKey ? wasAnsweredOf(request) : undefined
        )
      )
    }
  })
).pipe(Layer.provide(Admission.layer))

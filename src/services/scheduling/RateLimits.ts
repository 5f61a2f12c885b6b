/**
 * Short-term rate limits per key or client address (IPv6: its /64, /56 and /48), by the generic cell
 * rate algorithm (GCRA): one number per client, its theoretical arrival time. They are kept in the
 * bounded memory of one process, so they are lost on restart, and several processes count
 * separately. Charging counts the monthly quota, exactly and across processes.
 */
import { Clock, Context, Data, Effect, Layer, Metric } from "effect"
import { AppConfig, type RateLimit, type RateLimitBucket } from "../../platform/config.ts"
import { counter, countersOf } from "../../platform/telemetry.ts"
import { RecentMap } from "./RecentMap.ts"

export type { RateLimitBucket } from "../../platform/config.ts"

/** Too many calls in a short time; `retryAfterSeconds` is a whole number, at least 1. */
class RateLimited extends Data.TaggedError("RateLimited")<{ readonly retryAfterSeconds: number }> {}

/** Clients remembered per bucket; the least recently used is evicted first. */
const MAX_CLIENTS = 100_000
const MILLISECONDS = 1000
const NANOSECONDS = 1_000_000

/** An IPv6 client, as http/address.ts writes its /64. */
const IPV6_PREFIX = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):([0-9a-f]+)::\/64$/
/**
 * Multiples of a client's limit for the networks that contain it. A provider assigns one customer up
 * to a /48, so counting by /64 alone would let that customer act as 65,536 clients. But a /48 may
 * also be shared.
 */
const CALLS_OF_56 = 4
const CALLS_OF_48 = 16

/** Names under which a client is counted, each with the share of its limit that one call takes. */
type Scopes = ReadonlyArray<readonly [name: string, share: number]>

const scopesOf = (client: string): Scopes => {
  const [, network, subnet] = IPV6_PREFIX.exec(client) ?? []
  if (network === undefined || subnet === undefined) return [[client, 1]]
  const half = subnet.padStart(4, "0").slice(0, 2)
  return [
    [client, 1],
    [`${network}:${half}00::/56`, 1 / CALLS_OF_56],
    [`${network}::/48`, 1 / CALLS_OF_48]
  ]
}

/**
 * The limit of one bucket. `consume` counts a conforming call and returns 0, otherwise the
 * milliseconds to wait. `wait` returns the same wait without counting. `add` counts past events
 * even beyond the limit, by at most `maxDebt`.
 */
export const makeBucket = ({ calls, seconds }: NonNullable<RateLimit>, maxClients = MAX_CLIENTS, maxDebt = 0) => {
  const theoreticalArrivalTimes = new RecentMap<number>(maxClients)
  const window = seconds * MILLISECONDS
  const emissionInterval = window / calls
  const maxAhead = window + maxDebt
  /** How far a name is ahead of `now`; the cap keeps a clock change from blocking it longer. */
  const aheadOf = (name: string, now: number): number => {
    const ahead = (theoreticalArrivalTimes.get(name) ?? now) - now
    if (ahead > maxAhead) theoreticalArrivalTimes.correct(name, now + maxAhead)
    return Math.min(Math.max(ahead, 0), maxAhead)
  }
  const addTo = (scopes: Scopes, now: number, count: number): void => {
    for (const [name, share] of scopes) {
      const arrival = now + Math.min(aheadOf(name, now) + count * share * emissionInterval, maxAhead)
      theoreticalArrivalTimes.set(name, arrival)
    }
  }
  const waitFor = (scopes: Scopes, now: number, count: number): number =>
    Math.max(...scopes.map(([name, share]) => aheadOf(name, now) + count * share * emissionInterval - window), 0)
  return {
    size: () => theoreticalArrivalTimes.size,
    wait: (client: string, now: number): number => waitFor(scopesOf(client), now, 1),
    add: (client: string, now: number, count: number): void => addTo(scopesOf(client), now, count),
    consume: (client: string, now: number, times = 1): number => {
      const scopes = scopesOf(client)
      // Beside a call that was counted before it, at most all others of a window.
      const count = times === 1 ? 1 : Math.min(times, calls - 1)
      const milliseconds = waitFor(scopes, now, count)
      if (milliseconds === 0) addTo(scopes, now, count)
      return milliseconds
    }
  }
}

type Bucket = ReturnType<typeof makeBucket>

const refusedCalls = counter("rate_limited_total", "Calls refused for a rate limit, by limit.")

/** The longest wait that events counted afterwards may cause. */
const MAX_DEBT_MILLIS = 60_000

/** Runs with the monotonic time in milliseconds. One effect, because every request does it twice. */
const atMillis = <A, E>(run: (now: number) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.withFiber((fiber) => run(Number(fiber.getRef(Clock.Clock).monotonicTimeNanosUnsafe()) / NANOSECONDS))

export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Counts a call, or refuses it; `times` more for one that was counted and takes as much time. */
    readonly consume: (bucket: RateLimitBucket, client: string, times?: number) => Effect.Effect<void, RateLimited>
    /**
     * Refuses a client that has used up a limit counted afterwards, such as that of refused bodies.
     */
    readonly check: (bucket: RateLimitBucket, client: string) => Effect.Effect<void, RateLimited>
    /** Counts past events, `times` at once; refuses nothing. */
    readonly count: (bucket: RateLimitBucket, client: string, times?: number) => Effect.Effect<void>
  }
>()("repayment-of-record/RateLimits") {
  static readonly layer: Layer.Layer<RateLimits, never, AppConfig> = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const { rateLimits } = yield* AppConfig
      const names = Object.keys(rateLimits) as ReadonlyArray<RateLimitBucket>
      const buckets = new Map<RateLimitBucket, Bucket>()
      for (const name of names) {
        const limit = rateLimits[name]
        if (limit !== null) buckets.set(name, makeBucket(limit, MAX_CLIENTS, name === "refused" ? MAX_DEBT_MILLIS : 0))
      }
      const refused = yield* countersOf(refusedCalls, "limit", names)
      const refuseFor = (name: RateLimitBucket, milliseconds: number): Effect.Effect<void, RateLimited> =>
        milliseconds > 0
          ? Effect.andThen(
              Metric.update(refused[name], 1),
              Effect.fail(new RateLimited({ retryAfterSeconds: Math.ceil(milliseconds / MILLISECONDS) }))
            )
          : Effect.void
      return RateLimits.of({
        // Without spans, because each takes less time than a span.
        consume: (name, client, times = 1) =>
          atMillis((now) => refuseFor(name, buckets.get(name)?.consume(client, now, times) ?? 0)),
        check: (name, client) => atMillis((now) => refuseFor(name, buckets.get(name)?.wait(client, now) ?? 0)),
        count: (name, client, times = 1) =>
          atMillis((now) => Effect.succeed(buckets.get(name)?.add(client, now, times)))
      })
    })
  )
}

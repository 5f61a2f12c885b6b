/**
 * Short-term rate limits per key or client address, by the generic cell rate algorithm (GCRA): one number per client,
 * its theoretical arrival time. They are kept in the bounded memory of one process, so they are lost on restart and
 * each of several processes counts alone. The monthly quota is counted by Charging, exactly and for all processes.
 */
import { Clock, Context, Data, Effect, Layer } from "effect"
import { AppConfig, type RateLimit, type RateLimitBucket } from "../config.ts"

export type { RateLimitBucket } from "../config.ts"

/** Too many calls in a short time; `retryAfterSeconds` is a whole number, at least 1. */
export class RateLimited extends Data.TaggedError("RateLimited")<{ readonly retryAfterSeconds: number }> {}

/** Clients remembered per bucket; the least recently used is evicted first. */
export const MAX_CLIENTS = 100_000
const MILLISECONDS = 1000

/** The limit of one bucket. `consume` counts a call that conforms and returns 0, else the milliseconds to wait. */
export const makeBucket = ({ calls, seconds }: NonNullable<RateLimit>, maxClients = MAX_CLIENTS) => {
  const theoreticalArrivalTimes = new Map<string, number>()
  const window = seconds * MILLISECONDS
  const emissionInterval = window / calls
  return {
    size: () => theoreticalArrivalTimes.size,
    consume: (client: string, now: number): number => {
      // At most the window ahead, so that a clock set back locks no client out for longer.
      const ahead = Math.min(Math.max((theoreticalArrivalTimes.get(client) ?? now) - now, 0), window)
      const wait = ahead + emissionInterval - window
      if (wait > 0) return wait
      // Deleted and set again, so that the map stays in order of use, the least recent first.
      theoreticalArrivalTimes.delete(client)
      theoreticalArrivalTimes.set(client, now + ahead + emissionInterval)
      const [leastRecent] = theoreticalArrivalTimes.keys()
      if (theoreticalArrivalTimes.size > maxClients) theoreticalArrivalTimes.delete(leastRecent!)
      return 0
    }
  }
}

type Bucket = ReturnType<typeof makeBucket>

export class RateLimits extends Context.Service<
  RateLimits,
  { readonly consume: (bucket: RateLimitBucket, client: string) => Effect.Effect<void, RateLimited> }
>()("repayment-of-record/RateLimits") {
  static readonly layer: Layer.Layer<RateLimits, never, AppConfig> = Layer.effect(
    RateLimits,
    Effect.map(AppConfig, ({ rateLimits }) => {
      const buckets = new Map<RateLimitBucket, Bucket>()
      for (const name of Object.keys(rateLimits) as ReadonlyArray<RateLimitBucket>) {
        const limit = rateLimits[name]
        if (limit !== null) buckets.set(name, makeBucket(limit))
      }
      return RateLimits.of({
        consume: Effect.fn("RateLimits.consume")(function* (name, client) {
          const wait = buckets.get(name)?.consume(client, yield* Clock.currentTimeMillis) ?? 0
          if (wait > 0) return yield* new RateLimited({ retryAfterSeconds: Math.ceil(wait / MILLISECONDS) })
        })
      })
    })
  )
}

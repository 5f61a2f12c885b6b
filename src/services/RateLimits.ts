/**
 * Short-term limits per key or client address, of this process alone: bounded in memory, forgotten on restart, and per
 * process where several share the port. Money is counted elsewhere (Quota), exactly. Each client owns one number: when
 * its calls so far will have been worked off at the permitted pace (the generic cell rate algorithm).
 */
import { Clock, Context, Data, Effect, Layer } from "effect"
import { AppConfig, type RateLimit, type RateLimitBucket } from "../config.ts"

export type { RateLimitBucket } from "../config.ts"

/** Too many calls in a short time; whole seconds, at least 1. */
class RateLimited extends Data.TaggedError("RateLimited")<{ readonly retryAfterSeconds: number }> {}

/** Clients remembered per bucket; the one not heard of for longest is forgotten first. */
const MAX_CLIENTS = 100_000
const MILLISECONDS = 1000

/** One bucket. Returns the milliseconds to wait: 0 when the call may pass, and is then counted. */
export const makeBucket = ({ calls, seconds }: NonNullable<RateLimit>, maxClients = MAX_CLIENTS) => {
  const workedOffAt = new Map<string, number>()
  const window = seconds * MILLISECONDS
  const pace = window / calls
  return {
    size: () => workedOffAt.size,
    consume: (client: string, now: number): number => {
      // A clock set back must not lock a client out for longer than the window.
      const backlog = Math.min(Math.max((workedOffAt.get(client) ?? now) - now, 0), window)
      const wait = backlog + pace - window
      if (wait > 0) return wait
      // Re-inserting keeps the map in order of use, the longest unused first.
      workedOffAt.delete(client)
      workedOffAt.set(client, now + backlog + pace)
      if (workedOffAt.size > maxClients) {
        for (const oldest of workedOffAt.keys()) {
          workedOffAt.delete(oldest)
          break
        }
      }
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
        consume: Effect.fnUntraced(function* (name, client) {
          const wait = buckets.get(name)?.consume(client, yield* Clock.currentTimeMillis) ?? 0
          if (wait > 0) return yield* new RateLimited({ retryAfterSeconds: Math.ceil(wait / MILLISECONDS) })
        })
      })
    })
  )
}

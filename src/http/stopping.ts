/**
 * Grace period before shutdown: /ready fails while calls are still served for STOP_DELAY_SECONDS.
 * A proxy that polls /ready can so remove the instance before a connection is refused.
 * Refuses no call and stops nothing itself.
 */
import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../platform/config.ts"

/** Time for requests in flight to finish at shutdown. */
export const DRAIN_SECONDS = 20

const REASON = "the service is stopping"

export class Stopping extends Context.Service<
  Stopping,
  {
    /** Reason not to be ready, once a stop was announced; null before. */
    readonly obstacle: Effect.Effect<string | null>
    /** Announces the stop, then waits for the configured delay. */
    readonly announced: Effect.Effect<void>
  }
>()("repayment-of-record/http/Stopping") {
  static readonly layer = Layer.effect(
    Stopping,
    Effect.map(AppConfig, ({ stopDelaySeconds }) => {
      let isAnnounced = false
      return {
        obstacle: Effect.sync(() => (isAnnounced ? REASON : null)),
        announced: Effect.suspend(() => {
          isAnnounced = true
          const more = stopDelaySeconds === 0 ? "" : `new calls are served for ${stopDelaySeconds} s more, then `
          return Effect.andThen(
            Effect.logInfo(`Stopping: ${more}calls in flight have ${DRAIN_SECONDS} s to finish`),
            Effect.sleep(`${stopDelaySeconds} seconds`)
          )
        })
      }
    })
  )
}

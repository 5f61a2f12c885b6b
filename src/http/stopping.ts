/**
 * What comes before a stop: /ready says that the service stops, and calls are served on for STOP_DELAY_SECONDS, so that a
 * proxy that polls /ready has taken it out before a connection is refused. Refuses no call, and ends nothing itself.
 */
import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../platform/config.ts"

const REASON = "the service is stopping"

export class Stopping extends Context.Service<
  Stopping,
  {
    /** Why it is not ready: it was told to stop; null before. */
    readonly obstacle: Effect.Effect<string | null>
    /** Says so from now on, and ends when the delay of the configuration is over. */
    readonly announced: Effect.Effect<void>
  }
>()("repayment-of-record/http/Stopping") {
  static readonly layer = Layer.effect(
    Stopping,
    Effect.map(AppConfig, ({ stopDelaySeconds }) => {
      let isTold = false
      return {
        obstacle: Effect.sync(() => (isTold ? REASON : null)),
        announced: Effect.suspend(() => {
          isTold = true
          return stopDelaySeconds === 0
            ? Effect.void
            : Effect.andThen(
                Effect.logInfo(`Told to stop: calls are served for ${stopDelaySeconds} s more`),
                Effect.sleep(`${stopDelaySeconds} seconds`)
              )
        })
      }
    })
  )
}

/** A limiter for log lines that would repeat every second: once a minute is enough. */
import { Clock, Effect } from "effect"

const REPEAT_MILLISECONDS = 60_000

/** Logs the line, unless it logged the same reason less than a minute ago. */
export const makeRarely = () => {
  let last = { reason: "", at: 0 }
  return Effect.fnUntraced(function* (reason: string, line: Effect.Effect<void>) {
    const now = yield* Clock.currentTimeMillis
    if (reason === last.reason && Math.abs(now - last.at) < REPEAT_MILLISECONDS) return
    last = { reason, at: now }
    yield* line
  })
}

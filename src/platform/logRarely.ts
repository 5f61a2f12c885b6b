/** Lines that would be logged each second are logged once a minute. */
import { Clock, Effect } from "effect"

const TOLD_MILLISECONDS = 60_000

/** Logs the line, unless it has logged the same less than a minute ago. */
export const makeRarely = () => {
  let last = { what: "", at: 0 }
  return Effect.fnUntraced(function* (what: string, line: Effect.Effect<void>) {
    const now = yield* Clock.currentTimeMillis
    if (what === last.what && Math.abs(now - last.at) < TOLD_MILLISECONDS) return
    last = { what, at: now }
    yield* line
  })
}

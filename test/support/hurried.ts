/**
 * The real clock, and one on which sleeps are fifty times shorter, for code that waits between
 * retries.
 */
import { Clock, Duration, Effect } from "effect"

/** The real clock. */
export const CLOCK: Clock.Clock = Effect.runSync(Clock.Clock)
const SLEEP_FACTOR = 1 / 50

export const SHORT_DEADLINES: Clock.Clock = Object.assign(Object.create(CLOCK), {
  sleep: (duration: Duration.Duration) => CLOCK.sleep(Duration.times(duration, SLEEP_FACTOR))
})

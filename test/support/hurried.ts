/** The clock of this machine, on which pauses are short: for what waits between tries. */
import { Clock, Duration, Effect } from "effect"

/** As it is. */
export const CLOCK: Clock.Clock = Effect.runSync(Clock.Clock)
const HURRY = 1 / 50

export const HURRIED: Clock.Clock = Object.assign(Object.create(CLOCK), {
  sleep: (duration: Duration.Duration) => CLOCK.sleep(Duration.times(duration, HURRY))
})

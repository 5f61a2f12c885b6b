/** How far a long command is, on standard error: a line that is written over on a terminal, else one now and then. */
import { Clock, Effect, Ref, Schedule } from "effect"
import { grouped } from "../messages/figures.ts"
import type { Progress } from "../portfolio/computeParts.ts"
import { CommandIo } from "./io.ts"
import { say } from "./output.ts"

const SECOND = 1000
const PER_MINUTE = 60
const EACH_ON_TERMINAL = "1 second"
const EACH_IN_FILE = "15 seconds"

const clock = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  return `${Math.floor(whole / PER_MINUTE)}:${String(whole % PER_MINUTE).padStart(2, "0")}`
}

/** `seconds` since the start. */
const told = ({ before, recorded, share, summary }: Progress, seconds: number): string => {
  const done = summary.borrowers + summary.rejected
  if (recorded !== null) return `${grouped(done)} borrowers, ${grouped(recorded)} answers recorded`
  const rate = (done - before) / Math.max(seconds, 1)
  const rejected = summary.rejected === 0 ? "" : `, ${grouped(summary.rejected)} rejected`
  const left = share === null || share <= 0 ? "" : `, ${clock((seconds * (1 - share)) / share)} left`
  return `${grouped(done)} borrowers${rejected}, ${grouped(Math.round(rate))} a second${left}`
}

/** Runs an effect, and says how far it is until it ends. */
export const sayProgress = <A, E, R>(
  progress: Ref.Ref<Progress>,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R | CommandIo> =>
  Effect.gen(function* () {
    const { stderr } = yield* CommandIo
    const terminal = stderr.isTTY === true
    const began = yield* Clock.currentTimeMillis
    const line = Effect.gen(function* () {
      const seconds = ((yield* Clock.currentTimeMillis) - began) / SECOND
      const text = told(yield* Ref.get(progress), seconds)
      if (terminal) stderr.write(`\r${text}\u001b[K`)
      else yield* say(text)
    })
    yield* Effect.forkChild(
      line.pipe(Effect.delay(terminal ? EACH_ON_TERMINAL : EACH_IN_FILE), Effect.repeat(Schedule.forever))
    )
    const endLine = Effect.sync(() => terminal && stderr.write("\n"))
    const result = yield* Effect.onInterrupt(effect, () => endLine)
    yield* line
    yield* endLine
    return result
  })

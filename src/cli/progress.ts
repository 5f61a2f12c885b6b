/**
 * Progress of a long command on standard error: one line updated each second on a terminal, else a
 * new line every 15 seconds.
 */
import { Clock, Effect, Ref, Schedule } from "effect"
import { grouped } from "../messages/figures.ts"
import type { Progress } from "../portfolio/index.ts"
import { CommandIo } from "./io.ts"
import { say } from "./output.ts"

const MILLIS_PER_SECOND = 1000
const SECONDS_PER_MINUTE = 60
const TERMINAL_INTERVAL = "1 second"
const FILE_INTERVAL = "15 seconds"

const clock = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  return `${Math.floor(whole / SECONDS_PER_MINUTE)}:${String(whole % SECONDS_PER_MINUTE).padStart(2, "0")}`
}

/** @param seconds since the start */
const progressText = ({ recorded, share, summary }: Progress, seconds: number): string => {
  const done = summary.borrowers + summary.rejected
  if (recorded !== null) return `${grouped(done)} borrowers, ${grouped(recorded)} answers recorded`
  const rate = done / Math.max(seconds, 1)
  const rejected = summary.rejected === 0 ? "" : `, ${grouped(summary.rejected)} rejected`
  const left = share === null || share <= 0 ? "" : `, ${clock((seconds * (1 - share)) / share)} left`
  return `${grouped(done)} borrowers${rejected}, ${grouped(Math.round(rate))} a second${left}`
}

/** Runs an effect and reports its progress until it ends. */
export const sayProgress = <A, E, R>(
  progress: Ref.Ref<Progress>,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R | CommandIo> =>
  Effect.gen(function* () {
    const { stderr } = yield* CommandIo
    const terminal = stderr.isTTY === true
    const began = yield* Clock.currentTimeMillis
    const line = Effect.gen(function* () {
      const seconds = ((yield* Clock.currentTimeMillis) - began) / MILLIS_PER_SECOND
      const text = progressText(yield* Ref.get(progress), seconds)
      if (terminal) stderr.write(`\r${text}\u001b[K`)
      else yield* say(text)
    })
    yield* Effect.forkChild(
      line.pipe(Effect.delay(terminal ? TERMINAL_INTERVAL : FILE_INTERVAL), Effect.repeat(Schedule.forever))
    )
    const endLine = Effect.sync(() => terminal && stderr.write("\n"))
    const result = yield* Effect.onInterrupt(effect, () => endLine)
    yield* line
    yield* endLine
    return result
  })

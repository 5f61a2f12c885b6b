/**
 * Load shedding for calculations: bounds how many run at once and how many may wait. Any more fail at once, so that a
 * flood does not delay the requests that were accepted before it.
 */
import { Data, Effect, Semaphore } from "effect"

/** Too many calculations run and wait already. */
export class Overloaded extends Data.TaggedError("Overloaded") {}

type CalculationGate = <A, E, R>(calculation: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Overloaded, R>

export const makeCalculationGate = (running: number, waiting: number): CalculationGate => {
  const permits = Semaphore.makeUnsafe(running)
  let admitted = 0
  const leave = Effect.sync(() => {
    admitted--
  })
  return <A, E, R>(calculation: Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | Overloaded, R> => {
      if (admitted >= running + waiting) return Effect.fail(new Overloaded())
      admitted++
      // Yields the thread to other requests before each calculation.
      return permits.withPermit(Effect.andThen(Effect.yieldNow, calculation)).pipe(Effect.ensuring(leave))
    })
}

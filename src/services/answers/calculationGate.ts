/**
 * How many calculations run at once and how many may wait for their turn. What comes on top is turned away, so that a
 * flood costs a refusal and not the answers of those who are already in.
 */
import { Data, Effect, Semaphore } from "effect"

/** Too many calculations at once. */
export class Overloaded extends Data.TaggedError("Overloaded") {}

type CalculationGate = <A, E, R>(calculation: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Overloaded, R>

export const makeCalculationGate = (running: number, waiting: number): CalculationGate => {
  const turns = Semaphore.makeUnsafe(running)
  let inside = 0
  const leave = Effect.sync(() => {
    inside--
  })
  return <A, E, R>(calculation: Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | Overloaded, R> => {
      if (inside >= running + waiting) return Effect.fail(new Overloaded())
      inside++
      // Other requests get a turn on the thread before each calculation.
      return turns.withPermit(Effect.andThen(Effect.yieldNow, calculation)).pipe(Effect.ensuring(leave))
    })
}

/**
 * Bounds in real time for work on a database that may not answer. The driver bounds neither the wait for its pool nor
 * the wait for an answer, and taking a statement back from a silent server takes it seconds, so the bound lets go of
 * the work and leaves the cleaning up to run behind the caller's back.
 */
import { Effect } from "effect"
import { SqlError } from "effect/sql"

export const unanswered = (operation: string, message: string): SqlError.SqlError =>
  new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: new Error(message), message, operation }) })

/**
 * Ends after `milliseconds` of real time with `late`, whatever the fiber's clock says. Work once begun is not taken
 * back when the caller goes away: a record that is on its way is finished and its connection stays usable.
 */
export const within = <A, E, R, E2>(
  work: Effect.Effect<A, E, R>,
  milliseconds: number,
  late: () => E2
): Effect.Effect<A, E | E2, R> =>
  Effect.flatMap(Effect.forkDetach(work, { startImmediately: true }), (fiber) =>
    Effect.callback<A, E | E2>((resume) => {
      const timer = setTimeout(() => {
        fiber.interruptUnsafe()
        resume(Effect.fail(late()))
      }, milliseconds)
      fiber.addObserver((exit) => {
        clearTimeout(timer)
        resume(exit)
      })
    })
  )

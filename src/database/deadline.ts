/**
 * Deadlines in real time for work on a database that may not answer. The driver bounds neither the wait for a pooled
 * connection nor the wait for a result, and it takes seconds to cancel a statement on a silent server. On timeout the
 * caller therefore fails at once, and the interrupted work is cleaned up in the background.
 */
import { Effect } from "effect"
import { SqlError } from "effect/sql"

export const connectionError = (operation: string, message: string): SqlError.SqlError =>
  new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: new Error(message), message, operation }) })

/**
 * Fails with `onTimeout()` after `milliseconds` of real time, whatever the fiber's clock says. The work runs in a
 * detached fiber, so interrupting the caller does not cancel it: a record that is being written is finished, and its
 * connection stays usable.
 */
export const withDeadline = <A, E, R, E2>(
  work: Effect.Effect<A, E, R>,
  milliseconds: number,
  onTimeout: () => E2
): Effect.Effect<A, E | E2, R> =>
  Effect.flatMap(Effect.forkDetach(work, { startImmediately: true }), (fiber) =>
    Effect.callback<A, E | E2>((resume) => {
      const timer = setTimeout(() => {
        // First, because work that can be interrupted at once would otherwise resume the caller with its interruption.
        resume(Effect.fail(onTimeout()))
        fiber.interruptUnsafe()
      }, milliseconds)
      fiber.addObserver((exit) => {
        clearTimeout(timer)
        resume(exit)
      })
    })
  )

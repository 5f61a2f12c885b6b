/**
 * Deadlines in real time for work on a database that may not answer. The driver bounds neither the wait for a pooled
 * connection nor the wait for a result, and it takes seconds to cancel a statement on a silent server. On timeout the
 * caller therefore fails at once, and the interrupted work is cleaned up in the background.
 */
import { Context, Effect, Exit, type Fiber } from "effect"
import { SqlError } from "effect/sql"

/** In milliseconds. */
export interface DeadlinesOf {
  /** For one whole operation of a call, retries included. */
  readonly call: number
  /** For an operation that no caller waits for. */
  readonly background: number
  /** The usual statement takes a few milliseconds. Behind one that takes longer, what it was not meant for does not wait. */
  readonly patience: number
  /** For acquiring a free connection, and for opening a new one. */
  readonly connection: number
  /** The server cancels a statement, or a wait for a lock, after this time. */
  readonly statement: number
}

/** A fast call on a busy machine must not fail a test, so tests set longer ones, and tests of deadlines shorter ones. */
export const Deadlines = Context.Reference<DeadlinesOf>("repayment-of-record/Deadlines", {
  defaultValue: () => ({ call: 2300, background: 10_000, patience: 100, connection: 1000, statement: 2000 })
})

export const connectionError = (operation: string, message: string): SqlError.SqlError =>
  new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: new Error(message), message, operation }) })

/**
 * The work in a detached fiber, so that interrupting the caller does not cancel it, and `late` if it has not ended after
 * `milliseconds` of real time, whatever the fiber's clock says. How it ended is told by `ended`.
 */
const timed = <A, E, R, E2>(
  work: Effect.Effect<A, E, R>,
  milliseconds: number,
  late: (fiber: Fiber.Fiber<A, E>, resume: (answer: Effect.Effect<A, E | E2>) => void) => void,
  ended: (exit: Exit.Exit<A, E>) => Effect.Effect<A, E | E2>
): Effect.Effect<A, E | E2, R> =>
  Effect.flatMap(Effect.forkDetach(work, { startImmediately: true }), (fiber) =>
    Effect.callback<A, E | E2>((resume) => {
      const timer = setTimeout(() => late(fiber, resume), milliseconds)
      fiber.addObserver((exit) => {
        clearTimeout(timer)
        resume(ended(exit))
      })
    })
  )

/** Fails with `onTimeout()` at once: a record that is being written is finished, and its connection stays usable. */
export const withDeadline = <A, E, R, E2>(
  work: Effect.Effect<A, E, R>,
  milliseconds: number,
  onTimeout: () => E2
): Effect.Effect<A, E | E2, R> =>
  timed<A, E, R, E2>(
    work,
    milliseconds,
    (fiber, resume) => {
      // First, because work that can be interrupted at once would otherwise resume the caller with its interruption.
      resume(Effect.fail(onTimeout()))
      fiber.interruptUnsafe()
    },
    (exit) => exit
  )

/**
 * Fails once the clean-up is over, before which nothing else may happen, as on a connection that somebody else gets
 * next: the work is interrupted in time, also where its caller cannot be, and what it left is waited for.
 */
export const interruptedAfter = <A, E, R, E2>(
  work: Effect.Effect<A, E, R>,
  milliseconds: number,
  onTimeout: () => E2
): Effect.Effect<A, E | E2, R> =>
  timed<A, E, R, E2>(
    work,
    milliseconds,
    (fiber) => fiber.interruptUnsafe(),
    (exit) => (Exit.hasInterrupts(exit) ? Effect.fail(onTimeout()) : exit)
  )

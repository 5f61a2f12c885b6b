/**
 * Deadlines in real time for work on a database that may not answer. The driver does not bound the
 * wait for a pooled connection or for a result, and cancels a statement on a silent server only
 * after seconds. So on timeout the caller fails at once, and the interrupted work is cleaned up in
 * the background.
 */
import { Context, Effect, Exit, type Fiber } from "effect"
import { SqlError } from "effect/sql"

/** In milliseconds. */
export interface DeadlinesOf {
  /** For one whole operation of a call, retries included. */
  readonly call: number
  /** For an operation that no caller waits for. */
  readonly background: number
  /** A usual statement takes milliseconds. After this time, others no longer wait behind it. */
  readonly patience: number
  /** For getting a free connection, and for opening a new one. */
  readonly connection: number
  /** The server cancels a statement, or a wait for a lock, after this time. */
  readonly statement: number
}

/**
 * Tests set longer ones, so that a busy machine fails none; tests of deadlines set shorter ones.
 */
export const Deadlines = Context.Reference<DeadlinesOf>("repayment-of-record/Deadlines", {
  defaultValue: () => ({ call: 2300, background: 10_000, patience: 100, connection: 1000, statement: 2000 })
})

export const connectionError = (operation: string, message: string): SqlError.SqlError =>
  new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: new Error(message), message, operation }) })

/**
 * Runs the work in a detached fiber, so that interrupting the caller does not cancel it. `late`
 * runs if it has not ended after `milliseconds` of real time, even under a test clock; `ended` maps
 * its exit.
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

/** Fails with `onTimeout()` at once. Work in progress is finished; its connection stays usable. */
export const withDeadline = <A, E, R, E2>(
  work: Effect.Effect<A, E, R>,
  milliseconds: number,
  onTimeout: () => E2
): Effect.Effect<A, E | E2, R> =>
  timed<A, E, R, E2>(
    work,
    milliseconds,
    (fiber, resume) => {
      // First, or work that can be interrupted at once would resume the caller with its
      // interruption.
      resume(Effect.fail(onTimeout()))
      fiber.interruptUnsafe()
    },
    (exit) => exit
  )

/**
 * Interrupts late work and fails only once its cleanup is over, even if the caller cannot be
 * interrupted. For resources that someone else gets next, such as a connection.
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

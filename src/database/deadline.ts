/**
 * Deadlines in real time for work on a database that may not answer. The driver does not bound the
 * wait for a pooled connection or for a result. On a silent server it needs seconds to cancel a
 * statement. So on timeout the caller fails at once, and the work is cleaned up in the background.
 */
import { Context, Effect, Exit, type Fiber } from "effect"
import { SqlError } from "effect/sql"

/** Deadlines in milliseconds. */
export interface DeadlinesOf {
  /** Deadline of one operation of a call, including retries. */
  readonly call: number
  /** Deadline of an operation that no caller waits for. */
  readonly background: number
  /**
   * Statements normally take a few milliseconds. Other work does not wait for a statement that
   * takes longer than this.
   */
  readonly patience: number
  /** Deadline for getting a free connection, and for opening a new one. */
  readonly connection: number
  /** The server cancels a statement, or a wait for a lock, after this time. */
  readonly statement: number
}

/**
 * Most tests set longer deadlines, so that they pass on a busy machine. Tests of deadlines set
 * shorter deadlines.
 */
export const Deadlines = Context.Reference<DeadlinesOf>("repayment-of-record/Deadlines", {
  defaultValue: () => ({ call: 2300, background: 10_000, patience: 100, connection: 1000, statement: 2000 })
})

/** For a start and for commands: nobody waits for a call, and the machine may be busy. */
export const UNHURRIED: DeadlinesOf = {
  call: 23_000,
  background: 23_000,
  patience: 100,
  connection: 10_000,
  statement: 20_000
}

export const connectionError = (operation: string, message: string): SqlError.SqlError =>
  new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: new Error(message), message, operation }) })

/**
 * Runs the work in a detached fiber, so that interrupting the caller does not cancel it. `late` is
 * called if the work has not ended after `milliseconds`, in real time even under a test clock.
 * `ended` maps the exit of the work.
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

/**
 * Fails with `onTimeout()` when the time is up, and interrupts the work in the background. If only
 * the caller is interrupted, the work is finished, so that its connection stays usable.
 */
export const withDeadline = <A, E, R, E2>(
  work: Effect.Effect<A, E, R>,
  milliseconds: number,
  onTimeout: () => E2
): Effect.Effect<A, E | E2, R> =>
  timed<A, E, R, E2>(
    work,
    milliseconds,
    (fiber, resume) => {
      // Resumes first, because the interruption may end the work synchronously. The caller would
      // then see an interruption instead of the timeout.
      resume(Effect.fail(onTimeout()))
      fiber.interruptUnsafe()
    },
    (exit) => exit
  )

/**
 * Interrupts late work and fails only once its cleanup is over, even in an uninterruptible region.
 * For work on something that another caller gets next, such as a connection.
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

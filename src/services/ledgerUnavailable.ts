/**
 * The database as services see it: it answers in time, or LedgerUnavailable. Every statement of every service passes
 * through `ledgerCall`, which bounds it, tries again where the database says that trying again is safe, and puts the
 * failure on the operators' record without any value of the statement.
 */
import { Data, Effect, Metric } from "effect"
import type { SqlError } from "effect/sql"
import { connectionError, withDeadline } from "../database/deadline.ts"

/** The database did not answer, or refused to write. Nothing may be said that depends on it. */
export class LedgerUnavailable extends Data.TaggedError("LedgerUnavailable") {}

/** For one whole operation, retries included; a caller hears of a failure a little later than this. */
export const OPERATION_MILLISECONDS = 2300
const RETRIES = 2
/** The transaction was undone by the database itself, so nothing of it happened. */
const UNDONE: ReadonlyArray<string> = ["SerializationError", "DeadlockError"]

const unavailableCalls = Metric.counter("ledger_unavailable_total", {
  description: "Operations that the database did not carry out, by reason.",
  incremental: true
})

const wasUndone = (error: SqlError.SqlError): boolean => UNDONE.includes(error.reason._tag)

/** The server's code for the failure; its text could repeat a value of the statement. */
const codeOf = ({ reason }: SqlError.SqlError): string =>
  reason.cause instanceof Error && "code" in reason.cause ? String(reason.cause.code) : "none"

const report = (operation: string, error: SqlError.SqlError) =>
  Effect.logError("The database did not carry out an operation").pipe(
    Effect.annotateLogs({ operation, reason: error.reason._tag, code: codeOf(error) }),
    Effect.andThen(Metric.update(Metric.withAttributes(unavailableCalls, { reason: error.reason._tag }), 1)),
    Effect.andThen(Effect.fail(new LedgerUnavailable()))
  )

/**
 * Runs one operation on the database. A serialization failure or a deadlock is tried again at most twice, with the
 * same values: an answer keeps its id. A lost connection is not: whether it committed cannot be known.
 */
export const ledgerCall =
  (operation: string) =>
  <A, R>(work: Effect.Effect<A, SqlError.SqlError, R>): Effect.Effect<A, LedgerUnavailable, R> =>
    withDeadline(work.pipe(Effect.retry({ times: RETRIES, while: wasUndone })), OPERATION_MILLISECONDS, () =>
      connectionError(operation, "The database did not answer in time")
    ).pipe(Effect.catch((error) => report(operation, error)))

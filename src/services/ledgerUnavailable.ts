/**
 * Deadlines, retries and error mapping for the services' database calls: an operation is answered
 * in time or fails with LedgerUnavailable. It is retried only after the database itself rolled it
 * back. Failures are counted, and outages logged, but no value of a statement is.
 */
import { performance } from "node:perf_hooks"
import { Cause, Clock, Data, Effect, Metric, References } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { connectionError, Deadlines, withDeadline } from "../database/index.ts"
import { counter, countersOf } from "../platform/telemetry.ts"
import { CurrentOutage, type Outage } from "./outage.ts"

/**
 * The database did not answer, or refused to write. No result that depends on it may be returned.
 */
export class LedgerUnavailable extends Data.TaggedError("LedgerUnavailable") {}

/** Event-loop utilization above which a late call is blamed on this process, not the database. */
const BUSY = 0.9
const RETRIES = 2
/** After these errors the database itself has rolled the transaction back, so a retry is safe. */
const ROLLED_BACK: ReadonlyArray<string> = ["SerializationError", "DeadlockError"]

const unavailableCalls = counter(
  "ledger_unavailable_total",
  "Failed database operations, by reason; ProcessBusy means that this process was too busy, not the database."
)

/** These reasons are exported as 0 from the start, other reasons from their first failure. */
export const beginCountingUnavailable = countersOf(unavailableCalls, "reason", ["ConnectionError", "ProcessBusy"])

const wasRolledBack = (error: unknown): boolean => SqlError.isSqlError(error) && ROLLED_BACK.includes(error.reason._tag)

/**
 * The error code of the database server. Its message is not logged, because it could repeat a value
 * of the statement.
 */
const codeOf = ({ reason }: SqlError.SqlError): string =>
  reason.cause instanceof Error && "code" in reason.cause ? String(reason.cause.code) : "none"

/** PostgreSQL's code for a disk that is full. */
const DISK_FULL = "53100"

const reasonOf = (error: SqlError.SqlError): string => (codeOf(error) === DISK_FULL ? "DiskFull" : error.reason._tag)

/** Whether the call ended without a reply from the database. A refused or reset connection has a code. */
const isLate = (error: SqlError.SqlError): boolean =>
  error.reason._tag === "ConnectionError" && codeOf(error) === "none"

const report = (outage: Outage, operation: string, error: SqlError.SqlError, isBusy: boolean) => {
  const reason = isBusy ? "ProcessBusy" : reasonOf(error)
  const failed = () => (outage.begins(operation, reason) ? Effect.logError("A database operation failed") : Effect.void)
  const line = isBusy ? Effect.logWarning("The process was too busy to finish a database operation") : failed()
  return line.pipe(
    Effect.annotateLogs({ operation, reason, code: codeOf(error) }),
    Effect.andThen(Metric.update(Metric.withAttributes(unavailableCalls, { reason }), 1)),
    Effect.andThen(Effect.fail(new LedgerUnavailable()))
  )
}

/** Removes the id of the request whose operation happened to succeed first. */
const reportEnd = (ended: NonNullable<ReturnType<Outage["ends"]>>) =>
  Effect.provideService(Effect.logInfo("The database answers again"), References.CurrentLogAnnotations, { ...ended })

/** The failures of an operation, with LedgerUnavailable instead of database errors. */
type Unavailable<E> = Exclude<E, SqlError.SqlError> | LedgerUnavailable

/**
 * Turns a defect of the SQL client back into an error. On a lost connection its ROLLBACK fails too,
 * which the client reports as a defect.
 */
const lostConnection = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.catchCause(work, (cause): Effect.Effect<never, E | SqlError.SqlError> => {
    const lost = cause.reasons.find((reason) => Cause.isDieReason(reason) && SqlError.isSqlError(reason.defect))
    return lost === undefined ? Effect.failCause(cause) : Effect.fail((lost as Cause.Die).defect as SqlError.SqlError)
  })

/** Logs database errors and maps them to LedgerUnavailable; domain failures pass through. */
const reported =
  (operation: string, wasBusy = () => false) =>
  <A, E, R>(work: Effect.Effect<A, E | SqlError.SqlError, R>): Effect.Effect<A, Unavailable<E>, R> =>
    Effect.flatMap(CurrentOutage, (outage) =>
      Effect.matchEffect(work, {
        onFailure: (error): Effect.Effect<never, Unavailable<E>> =>
          SqlError.isSqlError(error)
            ? report(outage, operation, error, isLate(error) && wasBusy())
            : Effect.fail(error as Exclude<typeof error, SqlError.SqlError>),
        onSuccess: (value) => {
          const ended = outage.ends(operation)
          return ended === null ? Effect.succeed(value) : Effect.as(reportEnd(ended), value)
        }
      })
    )

const inTime = <A, E, R>(operation: string, milliseconds: number, work: Effect.Effect<A, E, R>) =>
  withDeadline(lostConnection(work).pipe(Effect.retry({ times: RETRIES, while: wasRolledBack })), milliseconds, () =>
    connectionError(operation, "The database did not answer in time")
  )

/**
 * Runs one operation on the database. After a serialization failure or a deadlock it is retried at
 * most twice with the same values, so an answer keeps its id. After a lost connection it is not
 * retried, because it may have been committed.
 */
export const ledgerCall =
  (operation: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, Unavailable<E>, R> =>
    Effect.flatMap(Deadlines, ({ call }) => inTime(operation, call, work)).pipe(reported(operation))

/**
 * Like `ledgerCall`, for background work that is retried anyway. It has a longer deadline. A
 * connection error while this process was overloaded is logged as a warning, not as an error of the
 * database.
 */
export const backgroundCall =
  (operation: string, milliseconds?: number) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, Unavailable<E>, R> =>
    Effect.flatMap(Deadlines, ({ background }) => {
      const before = performance.eventLoopUtilization()
      const wasBusy = () => performance.eventLoopUtilization(before).utilization > BUSY
      return inTime(operation, milliseconds ?? background, work).pipe(reported(operation, wasBusy))
    })

/** Runs one operation in one transaction, with the same `now` for all its statements. */
export const inTransaction = Effect.fnUntraced(function* <A, E, R>(
  operation: string,
  work: (now: Date) => Effect.Effect<A, E, R>
): Effect.fn.Return<A, Unavailable<E>, R | SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const now = new Date(yield* Clock.currentTimeMillis)
  return yield* sql.withTransaction(work(now)).pipe(ledgerCall(operation))
})

/** Runs long reads in one read-only snapshot. There is no deadline here: the work sets its own. */
export const inSnapshot = <A, E, R>(operation: string, work: Effect.Effect<A, E, R>) =>
  SqlClient.SqlClient.use((sql) => lostConnection(sql.withTransaction(work))).pipe(
    Effect.provideService(SqlClient.BeginTransaction, "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"),
    reported(operation)
  )

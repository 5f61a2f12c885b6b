/**
 * Gauges of queued work and of database sessions, read from the database when metrics are scraped.
 * They are left out if the query fails or takes too long. All processes that share the database
 * report the same values.
 */
import { Effect, Exit, Metric } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { withDeadline } from "../database/index.ts"
import { makeRarely } from "../platform/logRarely.ts"
import { IS_WAITING } from "./accounts/index.ts"
import { MAX_COUNTED_WAITING, WAITING } from "./log/index.ts"

/**
 * Short, because the next scrape comes in a few seconds. An unreachable database shows in other
 * metrics.
 */
const ANSWER_MILLISECONDS = 1000
/**
 * Timeout of `SELECT 1`, which tests whether the database answers at all after the query of the
 * gauges has timed out.
 */
const PING_MILLISECONDS = 250

interface QueueDepths {
  readonly mails: number
  readonly oldestMail: number
  readonly entries: number
  readonly records: number
  readonly idle: number
  readonly busy: number
}

const sessions = Metric.gauge("database_sessions", {
  description: "Database sessions of all replicas, by state: idle or busy."
})

const GAUGES = {
  mails: Metric.gauge("outbox_waiting_mails", { description: "Mails neither sent, dropped nor given up." }),
  oldestMail: Metric.gauge("outbox_oldest_age_seconds", {
    description: "Age of the oldest waiting mail; 0 if there is none."
  }),
  entries: Metric.gauge("log_entries", { description: "Records in the transparency log." }),
  records: Metric.gauge("log_waiting_records", {
    description: `Records that are not in the transparency log yet; at most ${MAX_COUNTED_WAITING} are counted.`
  }),
  idle: Metric.withAttributes(sessions, { state: "idle" }),
  busy: Metric.withAttributes(sessions, { state: "busy" })
} satisfies Record<keyof QueueDepths, unknown>

const query = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<QueueDepths>`
    SELECT mails.count::float8 AS mails,
      coalesce(greatest(extract(epoch FROM clock_timestamp() - mails.oldest), 0), 0)::float8 AS "oldestMail",
      log_head.size::float8 AS entries,
      (SELECT count(*) FROM ${sql.literal(WAITING)} AS record)::float8 AS records,
      session.idle::float8 AS idle, session.busy::float8 AS busy
    FROM log_head,
      (SELECT count(*), min(created_at) AS oldest FROM outbox WHERE ${sql.literal(IS_WAITING)}) AS mails,
      (SELECT count(*) FILTER (WHERE state = 'idle') AS idle, count(*) FILTER (WHERE state <> 'idle') AS busy
        FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = current_setting('application_name')) AS session`
  return found!
})

const set = (found: QueueDepths | null) =>
  Effect.forEach(
    Object.entries(GAUGES) as ReadonlyArray<[keyof QueueDepths, Metric.Gauge<number>]>,
    ([name, gauge]) => (found === null ? Metric.remove(gauge) : Metric.update(gauge, found[name])),
    { discard: true }
  )

/** One log limiter per database client. A WeakMap, so that the limiter is freed with the client. */
const limiters = new WeakMap<SqlClient.SqlClient, ReturnType<typeof makeRarely>>()

/** The query took longer than ANSWER_MILLISECONDS. */
const LATE = "too late" as const

/**
 * Logs that the metrics are left out. Only for a database that answers but fails this query,
 * because an unreachable one is reported elsewhere.
 */
const warn = Effect.fnUntraced(function* (message: string, reason: string) {
  const sql = yield* SqlClient.SqlClient
  const rarely = limiters.get(sql) ?? makeRarely()
  limiters.set(sql, rarely)
  yield* rarely(reason, Effect.annotateLogs(Effect.logWarning(`${message}; these metrics are left out`), { reason }))
})

const warnOfFailure = Effect.fnUntraced(function* (error: SqlError.SqlError | typeof LATE) {
  if (error !== LATE) {
    const reason = error.reason._tag
    return reason === "ConnectionError"
      ? undefined
      : yield* warn("The database refused the query for the metrics of queues", reason)
  }
  const sql = yield* SqlClient.SqlClient
  const ping = yield* Effect.exit(withDeadline(sql`SELECT 1`, PING_MILLISECONDS, () => LATE))
  return Exit.isSuccess(ping) ? yield* warn("The query for the metrics of queues took too long", LATE) : undefined
})

/** Updates the gauges, or removes them if the query fails. */
export const measureQueueDepths: Effect.Effect<void, never, SqlClient.SqlClient> = withDeadline(
  query,
  ANSWER_MILLISECONDS,
  () => LATE
).pipe(
  Effect.tapError(warnOfFailure),
  Effect.orElseSucceed(() => null),
  Effect.flatMap(set)
)

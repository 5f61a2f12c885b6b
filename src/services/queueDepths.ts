/**
 * What waits behind the requests, and the sessions of the service, as the database tells them: asked when an operator asks,
 * and left out when it does not answer in time. All processes that share the database say the same.
 */
import { Effect, Exit, Metric } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { withDeadline } from "../database/deadline.ts"
import { makeRarely } from "../platform/logRarely.ts"
import { isWaiting } from "./accounts/mailQueue.ts"
import { MOST_WAITING, WAITING } from "./log/condition.ts"

/** Operators look every few seconds, and see a database that is away by other metrics too. */
const ANSWER_MILLISECONDS = 1000
/** For a question that costs nothing, to a database that did not answer in time. */
const PING_MILLISECONDS = 250

interface Backlogs {
  readonly mails: number
  readonly oldestMail: number
  readonly entries: number
  readonly records: number
  readonly idle: number
  readonly busy: number
}

const sessions = Metric.gauge("database_sessions", {
  description: "Sessions of all processes of the service at the database, by whether they do something."
})

const GAUGES = {
  mails: Metric.gauge("outbox_waiting_mails", { description: "Mails neither sent, dropped nor given up." }),
  oldestMail: Metric.gauge("outbox_oldest_age_seconds", {
    description: "Age of the oldest mail that waits; 0 if none does."
  }),
  entries: Metric.gauge("log_entries", { description: "Records in the transparency log." }),
  records: Metric.gauge("log_waiting_records", {
    description: `Records that are not in the transparency log yet; at most ${MOST_WAITING} are counted.`
  }),
  idle: Metric.withAttributes(sessions, { state: "idle" }),
  busy: Metric.withAttributes(sessions, { state: "busy" })
} satisfies Record<keyof Backlogs, unknown>

const ask = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [found] = yield* sql<Backlogs>`
    SELECT mails.count::float8 AS mails,
      coalesce(greatest(extract(epoch FROM clock_timestamp() - mails.oldest), 0), 0)::float8 AS "oldestMail",
      log_head.size::float8 AS entries,
      (SELECT count(*) FROM ${sql.literal(WAITING)} AS record)::float8 AS records,
      session.idle::float8 AS idle, session.busy::float8 AS busy
    FROM log_head,
      (SELECT count(*), min(created_at) AS oldest FROM outbox WHERE ${isWaiting(sql)}) AS mails,
      (SELECT count(*) FILTER (WHERE state = 'idle') AS idle, count(*) FILTER (WHERE state <> 'idle') AS busy
        FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = current_setting('application_name')) AS session`
  return found!
})

const set = (found: Backlogs | null) =>
  Effect.forEach(
    Object.entries(GAUGES) as ReadonlyArray<[keyof Backlogs, Metric.Gauge<number>]>,
    ([name, gauge]) => (found === null ? Metric.remove(gauge) : Metric.update(gauge, found[name])),
    { discard: true }
  )

/** What was told of each database, for as long as its client lives. */
const toldOf = new WeakMap<SqlClient.SqlClient, ReturnType<typeof makeRarely>>()

const rarelyOf = (sql: SqlClient.SqlClient) => {
  const rarely = toldOf.get(sql) ?? makeRarely()
  toldOf.set(sql, rarely)
  return rarely
}

/** What took longer than an operator waits. */
const LATE = "too late" as const

/** Of a database that is away others tell; of one that is there, and does not tell this alone, nobody else would. */
const tell = (sql: SqlClient.SqlClient, said: string, reason: string) =>
  rarelyOf(sql)(reason, Effect.annotateLogs(Effect.logWarning(`${said}; its metrics are left out`), { reason }))

const tellFailure = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, error: SqlError.SqlError | typeof LATE) {
  if (error !== LATE) {
    const reason = error.reason._tag
    return reason === "ConnectionError"
      ? undefined
      : yield* tell(sql, "The database refuses to tell what waits", reason)
  }
  const ping = yield* Effect.exit(withDeadline(sql`SELECT 1`, PING_MILLISECONDS, () => LATE))
  return Exit.isSuccess(ping)
    ? yield* tell(sql, "The database answers, but tells what waits too late", LATE)
    : undefined
})

/** Brings the gauges up to date. */
export const measureQueueDepths: Effect.Effect<void, never, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    withDeadline(ask(sql), ANSWER_MILLISECONDS, () => LATE).pipe(
      Effect.tapError((error) => tellFailure(sql, error)),
      Effect.orElseSucceed(() => null),
      Effect.flatMap(set)
    )
)

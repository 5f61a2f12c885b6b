/**
 * Tells the operator that records wait and the log does not grow: another session holds its lock, or a transaction stays
 * open anywhere on the server and keeps the horizon below the records.
 */
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { WAITING } from "./condition.ts"

const MOST_MILLISECONDS = 60_000

interface State {
  readonly size: number
  readonly waits: boolean
}

const stateOf = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<State>`
      SELECT size::float8 AS size, EXISTS ${sql.literal(WAITING)} AS waits FROM log_head`,
    ([state]) => state ?? { size: 0, waits: false }
  )

/** The session that holds the lock of the log, else the one with the oldest transaction; pid is null if it is prepared. */
const culpritOf = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly pid: number | null; readonly holds: string }>`
      SELECT pid, CASE locktype WHEN 'advisory' THEN 'the lock of the log' ELSE 'the oldest transaction' END AS holds
      FROM pg_locks
      WHERE granted AND pid IS DISTINCT FROM pg_backend_pid() AND (
        locktype = 'transactionid' AND mode = 'ExclusiveLock'
        OR locktype = 'advisory' AND classid = 'log_head'::regclass::oid AND objid = 0 AND objsubid = 2
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
      ORDER BY locktype, age(transactionid) DESC LIMIT 1`,
    ([culprit]) => culprit
  )

/** To be run after each round that took nothing. Logs one ERROR for each minute of a stall. */
export const makeStalled = (sql: SqlClient.SqlClient) => {
  let since: { readonly size: number; readonly at: number } | null = null
  return Effect.gen(function* () {
    const { size, waits } = yield* stateOf(sql)
    const now = yield* Clock.currentTimeMillis
    if (!waits) since = null
    else if (since === null || since.size !== size) since = { size, at: now }
    else if (now - since.at >= MOST_MILLISECONDS) {
      since = { size, at: now }
      const { holds, pid } = (yield* culpritOf(sql)) ?? { holds: "nothing that is visible", pid: null }
      yield* Effect.logError("Records wait for the log, and it does not grow: see the session of this pid").pipe(
        Effect.annotateLogs({ pid: pid ?? "a prepared transaction", holds })
      )
    }
  })
}

/**
 * The state of the log: its size, the records that wait, and whether the key of this installation signed last. It checks
 * one signature and no record; that is the audit's.
 */
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { openCheckpoint } from "../../proof/checkpoint.ts"
import { configuredKeys } from "./keys.ts"

/** Of the records that wait, so many are counted. */
export const MOST_WAITING = 100_000

const IS_BEHIND_HEAD = "(answer.xid, answer.seq) > (log_head.xid, log_head.seq)"

/** Whether a record of `answer` is still to be entered, beside the row of `log_head`. */
export const IS_AWAITED = `${IS_BEHIND_HEAD} AND answer.seq > log_head.restored`

/**
 * The records that wait, beside the row of `log_head`, however many are in the log: read in the order of their index, which
 * the planner would not choose by itself. Higher ids than this server has given are of records that were restored.
 */
export const WAITING = `(
  SELECT recorded_at FROM (
    SELECT recorded_at, seq FROM answer
    WHERE ${IS_BEHIND_HEAD} AND answer.xid < pg_snapshot_xmax(pg_current_snapshot())
    ORDER BY answer.xid, answer.seq LIMIT ${MOST_WAITING}
  ) AS behind WHERE behind.seq > log_head.restored
)`

interface Head {
  readonly origin: string | null
  readonly checkpoint: string | null
  readonly size: number
  /** Of the last entry's record. */
  readonly newestAt: Date | null
  readonly waiting: number
  readonly waitingSince: Date | null
}

export const logHead = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [head] = yield* sql<Head>`
    SELECT origin, checkpoint, size::float8 AS size,
      (SELECT recorded_at FROM log_entry JOIN answer USING (seq) WHERE index = size - 1) AS "newestAt",
      waiting.count AS waiting, waiting.since AS "waitingSince"
    FROM log_head CROSS JOIN LATERAL (
      SELECT count(*)::float8 AS count, min(recorded_at) AS since FROM ${sql.literal(WAITING)} AS record) AS waiting`
  return head!
})

export type SignedBy = "nobody yet" | "the present key" | "the key before" | "another key" | "no key is configured"

/** Whose signature the newest checkpoint has, as far as the keys of this installation tell. */
export const signerOf = Effect.fnUntraced(function* ({ checkpoint, origin }: Head) {
  const { isConfigured, keys } = yield* configuredKeys(origin === null ? [] : [origin])
  if (!isConfigured) return "no key is configured" satisfies SignedBy
  if (checkpoint === null) return "nobody yet" satisfies SignedBy
  const isSignedBy = (believed: ReadonlyArray<string>) =>
    Effect.promise(() =>
      openCheckpoint(checkpoint, believed).then(
        () => true,
        () => false
      )
    )
  if (yield* isSignedBy(keys.slice(0, 1))) return "the present key" satisfies SignedBy
  return ((yield* isSignedBy(keys)) ? "the key before" : "another key") satisfies SignedBy
})

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

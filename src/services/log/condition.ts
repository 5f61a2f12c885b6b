/**
 * The log's health: size, waiting records, the key that signed last, and a stall detector. It
 * verifies the signature of the newest checkpoint; only the audit verifies records.
 */
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { openCheckpoint } from "../../proof/checkpoint.ts"
import { CurrentOutage } from "../outage.ts"
import { LogKeys } from "./LogKeys.ts"

/** Waiting records are counted up to this number. */
export const MAX_COUNTED_WAITING = 100_000

const IS_BEHIND_HEAD = "(answer.xid, answer.seq) > (log_head.xid, log_head.seq)"

/** SQL condition for a row of `answer` that is not logged yet, given the row of `log_head`. */
export const IS_NOT_LOGGED = `${IS_BEHIND_HEAD} AND answer.seq > log_head.restored`

/**
 * SQL subquery for the waiting records, given the row of `log_head`. ORDER BY and LIMIT make the
 * planner read an index from the position in log_head, so the size of the log does not matter.
 * Transaction ids that this server has not assigned belong to restored records.
 */
export const WAITING = `(
  SELECT recorded_at FROM (
    SELECT recorded_at, seq FROM answer
    WHERE ${IS_BEHIND_HEAD} AND answer.xid < pg_snapshot_xmax(pg_current_snapshot())
    ORDER BY answer.xid, answer.seq LIMIT ${MAX_COUNTED_WAITING}
  ) AS behind WHERE behind.seq > log_head.restored
)`

interface Head {
  readonly origin: string | null
  readonly checkpoint: string | null
  readonly size: number
  /** When the last logged record was recorded. */
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

/** The configured key that signed the newest checkpoint. */
export const signerOf = Effect.fnUntraced(function* ({ checkpoint, origin }: Head) {
  const { isConfigured, keys } = yield* (yield* LogKeys).configured(origin === null ? [] : [origin])
  if (!isConfigured) return "no key is configured" satisfies SignedBy
  if (checkpoint === null) return "nobody yet" satisfies SignedBy
  const isSignedBy = (trusted: ReadonlyArray<string>) =>
    Effect.promise(() =>
      openCheckpoint(checkpoint, trusted).then(
        () => true,
        () => false
      )
    )
  if (yield* isSignedBy(keys.slice(0, 1))) return "the present key" satisfies SignedBy
  return ((yield* isSignedBy(keys)) ? "the key before" : "another key") satisfies SignedBy
})

const STALL_MILLISECONDS = 60_000

interface State {
  readonly size: number
  readonly waits: boolean
}

const readState = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [state] = yield* sql<State>`
    SELECT size::float8 AS size, EXISTS ${sql.literal(WAITING)} AS waits FROM log_head`
  return state ?? { size: 0, waits: false }
})

/**
 * The session that holds the log's lock, or else the oldest transaction. A prepared transaction has
 * no pid.
 */
const findBlocker = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [blocker] = yield* sql<{ readonly pid: number | null; readonly holds: string }>`
    SELECT pid, CASE locktype WHEN 'advisory' THEN 'the lock of the log' ELSE 'the oldest transaction' END AS holds
    FROM pg_locks
    WHERE granted AND pid IS DISTINCT FROM pg_backend_pid() AND (
      locktype = 'transactionid' AND mode = 'ExclusiveLock'
      OR locktype = 'advisory' AND classid = 'log_head'::regclass::oid AND objid = 0 AND objsubid = 2
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
    ORDER BY locktype, age(transactionid) DESC LIMIT 1`
  return blocker
})

/**
 * Stall detector, run after each round that logged nothing. While records wait and the log does not
 * grow, it logs one ERROR per minute.
 */
export const makeStalled = () => {
  let since: { readonly size: number; readonly at: number } | null = null
  return Effect.gen(function* () {
    const { size, waits } = yield* readState
    const now = yield* Clock.currentTimeMillis
    if (!waits) since = null
    else if (since === null || since.size !== size) since = { size, at: now }
    else if (now - since.at >= STALL_MILLISECONDS && !(yield* CurrentOutage).isOn()) {
      since = { size, at: now }
      const { holds, pid } = (yield* findBlocker) ?? { holds: "nothing that is visible", pid: null }
      yield* Effect.logError(
        "Records wait for the transparency log, and nothing is appended: see the session with this pid"
      ).pipe(Effect.annotateLogs({ pid: pid ?? "a prepared transaction", holds }))
    }
  })
}

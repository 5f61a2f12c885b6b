/**
 * What is told when the lock of the log is not to be had: of several processes one has it for the moment of a round. Whoever
 * has it for a minute in which the log stands still, and records wait, does something else with it.
 */
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"

const MOST_MILLISECONDS = 60_000

interface Holder {
  readonly checkpoint: string | null
  /** Whether there are records that are not known to be in the log. */
  readonly isBehind: boolean
  readonly pid: number | null
}

const holderOf = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<Holder>`
      SELECT checkpoint, EXISTS (SELECT FROM answer WHERE seq > done AND seq <= last_answer_seq()) AS "isBehind",
        (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 'log_head'::regclass::oid AND objid = 0
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND granted LIMIT 1) AS pid
      FROM log_head`,
    ([holder]): Holder => holder ?? { checkpoint: null, isBehind: true, pid: null }
  )

/** `again`: the lock was not to be had. `over`: it was. */
export const makeWaiting = (sql: SqlClient.SqlClient) => {
  let waits: { readonly since: number; readonly checkpoint: string | null } | null = null
  const again = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const { checkpoint, isBehind, pid } = yield* holderOf(sql)
    if (waits === null || waits.checkpoint !== checkpoint || !isBehind) waits = { since: now, checkpoint }
    if (now - waits.since < MOST_MILLISECONDS) return
    waits = { since: now, checkpoint }
    yield* Effect.logError("Records wait for the log: another session holds its lock, and enters none").pipe(
      Effect.annotateLogs({ pid: pid ?? "unknown" })
    )
  })
  const over = Effect.sync(() => {
    waits = null
  })
  return { again, over }
}

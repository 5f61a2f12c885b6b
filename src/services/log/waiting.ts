/**
 * What is told when the lock of the log is not to be had: of several processes one has it for the moment of a round. Whoever
 * has it for a minute in which the log stands still, and records wait, does something else with it. What whoever has it
 * could write about himself is not believed: the log goes on where its signed size grows, and records wait if some are
 * there that were not when this process last had the lock.
 */
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { VerifiedSize } from "./verified.ts"

const MOST_MILLISECONDS = 60_000

interface Holder {
  readonly origin: string | null
  readonly checkpoint: string | null
  /** The highest number of a record. */
  readonly newest: number
  readonly pid: number | null
}

const holderOf = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<Holder>`
      SELECT origin, checkpoint, newest, pid
      FROM (SELECT coalesce(max(seq), 0)::float8 AS newest FROM public.answer WHERE seq <= public.last_answer_seq()) AS records
      LEFT JOIN public.log_head ON true
      LEFT JOIN LATERAL (
        SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 'public.log_head'::regclass::oid AND objid = 0
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND granted LIMIT 1
      ) AS holder ON true`,
    ([holder]) => holder!
  )

/** `again`: the lock was not to be had. `over`: it was, and the records up to this number were looked at. */
export const makeWaiting = (sql: SqlClient.SqlClient, verifiedSize: VerifiedSize) => {
  let known = 0
  let waits: { readonly since: number; readonly size: number } | null = null
  const again = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const { checkpoint, newest, origin, pid } = yield* holderOf(sql)
    const size = (yield* verifiedSize(origin ?? "", checkpoint ?? "")) ?? 0
    if (waits === null || size > waits.size || newest <= known) waits = { since: now, size }
    if (now - waits.since < MOST_MILLISECONDS) return
    waits = { since: now, size }
    yield* Effect.logError("Records wait for the log: another session holds its lock, and enters none").pipe(
      Effect.annotateLogs({ pid: pid ?? "unknown" })
    )
  })
  const over = (done: number) =>
    Effect.sync(() => {
      known = done
      waits = null
    })
  return { again, over }
}

/**
 * The selection of records that the log takes next: those of finished transactions, in the order of
 * their transaction ids. All transactions below the snapshot's xmin have ended, so their records
 * are visible now or never. So no record can later appear ahead of a taken one.
 */
import { hash } from "node:crypto"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { Bytes } from "../../proof/bytes.ts"
import { type AnswerEntry, READ_COLUMNS } from "../answers/records.ts"

/** Records per round; hashing them blocks the event loop for only a few milliseconds. */
export const MAX_RECORDS = 1024

export interface Head {
  /** null before the log is started. */
  readonly origin: string | null
  readonly size: number
  readonly checkpoint: string | null
  /** One past the last index in log_entry; equals `size` unless someone added entries. */
  readonly end: number
  /** The position: all records up to (xid, seq) are in the log. */
  readonly xid: string
  readonly seq: number
  /** Records up to this seq were written on another server and restored here. */
  readonly restored: number
  /** System identifier of the server that assigned `xid`; null before the first round. */
  readonly cluster: string | null
  /** System identifier of the connected server. */
  readonly present: string
  /**
   * Whether this server has not yet assigned `xid`, which is possible even if `cluster` matches
   * (see `isRestored`).
   */
  readonly isAhead: boolean
}

export interface NewRecord extends LoggedAnswer {
  readonly seq: number
  readonly xid: string
}

/**
 * Locks and reads the head; null if another process holds the lock and so does the work. The lock
 * ends with the transaction.
 */
export const lockHead = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [lock] = yield* sql<{ readonly free: boolean }>`
    SELECT pg_try_advisory_xact_lock('log_head'::regclass::oid::int, 0) AS free`
  if (!lock!.free) return null
  const [head] = yield* sql<Head>`
    SELECT origin, size::float8 AS size, checkpoint, xid::text AS xid, seq::float8 AS seq, restored::float8 AS restored,
      cluster, (SELECT coalesce(max(index) + 1, 0) FROM log_entry)::float8 AS end,
      (SELECT system_identifier::text FROM pg_control_system()) AS present,
      xid >= pg_snapshot_xmax(pg_current_snapshot()) AS "isAhead"
    FROM log_head`
  return { head }
})

/** Loads the records of a page of (xid, seq) pairs, in transaction order. */
const recordsOf = Effect.fnUntraced(function* (page: Fragment) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<NewRecord>`
    SELECT page.xid::text AS xid, seq::float8 AS seq, recorded_at AS "recordedAtUtc", ${sql.literal(READ_COLUMNS)}
    FROM (${page}) AS page JOIN recorded_answer USING (seq) ORDER BY page.xid, seq`
})

/**
 * The highest seq assigned before the database was restored here. The sequence continues after a
 * restore. A row whose transaction id this server has not assigned was restored.
 */
const lastRestored = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly seq: number }>`
    WITH logged AS (SELECT coalesce(max(seq), 0) AS seq FROM log_entry)
    SELECT greatest(logged.seq, (
      SELECT max(seq) FROM answer
      WHERE answer.seq > logged.seq AND xid >= pg_snapshot_xmax(pg_current_snapshot())
    ))::float8 AS seq FROM logged`
  return found!.seq
})

/**
 * After a restore or an upgrade, old and new transaction ids cannot be compared. All old records
 * are present, so those not logged yet are taken first. The position then restarts below all new
 * records.
 */
const restoredRecords = Effect.fnUntraced(function* (head: Head) {
  const sql = yield* SqlClient.SqlClient
  const restored = yield* lastRestored
  const records = yield* recordsOf(
    sql`SELECT xid, seq FROM answer
      WHERE (xid, seq) > (${head.xid}::xid8, ${head.seq}::bigint)
        AND seq > ${head.restored}::bigint AND seq <= ${restored}::bigint
        AND NOT EXISTS (SELECT FROM log_entry WHERE log_entry.seq = answer.seq)
      ORDER BY xid, seq LIMIT ${sql.literal(String(MAX_RECORDS))}`
  )
  if (records.length === MAX_RECORDS) return { records, position: head }
  const [first] = yield* sql<{ readonly xid: string }>`
    SELECT least(pg_snapshot_xmin(pg_current_snapshot()), min(xid))::text AS xid
    FROM answer WHERE seq > ${restored}::bigint`
  return { records, position: { cluster: head.present, restored, xid: first!.xid, seq: 0 } }
})

/**
 * Whether the position's transaction ids were assigned by another server. The system identifier
 * does not always show that, because a standby has its primary's. A former primary may be restored
 * from a dump of its standby after a failover. The position is then ahead of its own ids.
 */
export const isRestored = ({ cluster, isAhead, present }: Head): boolean =>
  cluster !== null && (cluster !== present || isAhead)

/** The records of one round, and the position after them. */
export const nextRecords = Effect.fnUntraced(function* (head: Head) {
  if (isRestored(head)) return yield* restoredRecords(head)
  const sql = yield* SqlClient.SqlClient
  const records = yield* recordsOf(
    sql`SELECT xid, seq FROM answer
      WHERE (xid, seq) > (${head.xid}::xid8, ${head.seq}::bigint) AND xid < pg_snapshot_xmin(pg_current_snapshot())
        AND seq > ${head.restored}::bigint
      ORDER BY xid, seq LIMIT ${sql.literal(String(MAX_RECORDS))}`
  )
  const { seq, xid } = records.at(-1) ?? head
  return { records, position: { cluster: head.present, restored: head.restored, xid, seq } }
})

/** The fields of a recorded answer that the log commits to. */
export interface LoggedAnswer extends AnswerEntry {
  readonly recordedAtUtc: Date
}

/** Canonical JSON (RFC 8785): the keys are sorted and all values serialize as strings. */
export const recordText = (row: LoggedAnswer): string =>
  JSON.stringify({
    answerHash: row.answerHash,
    answerId: row.answerId,
    endpoint: row.endpoint,
    eventType: row.eventType,
    inputsHash: row.inputsHash,
    recordedAtUtc: row.recordedAtUtc,
    ruleVersion: row.ruleVersion,
    source: row.source
  })

export const entryOf = (row: LoggedAnswer): Bytes => hash("sha256", recordText(row), "buffer")

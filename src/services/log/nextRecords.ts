/**
 * The records that the log takes next: those of transactions that are over, in the order of transactions. A transaction
 * below the horizon of the database's snapshot has committed and is visible, or never will be, so no record can appear
 * later before one that was taken.
 */
import { hash } from "node:crypto"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { Bytes } from "../../proof/bytes.ts"
import { type AnswerEntry, READ_COLUMNS } from "../answers/storedRows.ts"

/** Records of one round: as many as take the thread for some milliseconds. */
export const MOST_RECORDS = 1024

export interface Head {
  /** null before the log is begun. */
  readonly origin: string | null
  readonly size: number
  readonly checkpoint: string | null
  /** Where the last entry ends: `size`, if nobody has added one. */
  readonly end: number
  /** All records up to this transaction and number are in the log. */
  readonly xid: string
  readonly seq: number
  /** Records up to this number came from another server, by a restore. */
  readonly restored: number
  /** The server whose transactions the position is of; null before the first round. */
  readonly cluster: string | null
  /** The server that answers now. */
  readonly present: string
  /** Whether the position is one that this server has not come to, though it may be the same one by its name. */
  readonly isAhead: boolean
}

/** What a round writes into the head, beside its checkpoint. */
export type Position = Pick<Head, "cluster" | "restored" | "seq" | "xid">

export interface NewRecord extends LoggedAnswer {
  readonly seq: number
  readonly xid: string
}

/** The head, if no other process is at it. The lock goes with the transaction, and waiting for it would serve nobody. */
export const lockHead = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
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

/** Records of a page of numbers, in the order of their transactions. */
const recordsOf = (sql: SqlClient.SqlClient, page: Fragment) => sql<NewRecord>`
  SELECT page.xid::text AS xid, seq::float8 AS seq, recorded_at AS "recordedAtUtc", ${sql.literal(READ_COLUMNS)}
  FROM (${page}) AS page JOIN recorded_answer USING (seq) ORDER BY page.xid, seq`

/** All that is over and not yet in the log. */
const newRecords = (sql: SqlClient.SqlClient, { restored, seq, xid }: Position) =>
  recordsOf(
    sql,
    sql`SELECT xid, seq FROM answer
      WHERE (xid, seq) > (${xid}::xid8, ${seq}::bigint) AND xid < pg_snapshot_xmin(pg_current_snapshot())
        AND seq > ${restored}::bigint
      ORDER BY xid, seq LIMIT ${sql.literal(String(MOST_RECORDS))}`
  )

/**
 * The highest number that was given before the database was restored here. This server has given no transaction id at or
 * above its next one, and the numbers of records go on where they were.
 */
const lastRestored = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [found] = yield* sql<{ readonly seq: number }>`
    WITH logged AS (SELECT coalesce(max(seq), 0) AS seq FROM log_entry)
    SELECT greatest(logged.seq, (
      SELECT max(seq) FROM answer
      WHERE answer.seq > logged.seq AND xid >= pg_snapshot_xmax(pg_current_snapshot())
    ))::float8 AS seq FROM logged`
  return found!.seq
})

/**
 * After a restore into another server, or an upgrade of it, transaction ids of before say nothing about those of now. The
 * records of before are all there; those that wait are taken first. Then a position below all new records begins.
 */
const restoredRecords = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, head: Head) {
  const restored = yield* lastRestored(sql)
  const records = yield* recordsOf(
    sql,
    sql`SELECT xid, seq FROM answer
      WHERE (xid, seq) > (${head.xid}::xid8, ${head.seq}::bigint)
        AND seq > ${head.restored}::bigint AND seq <= ${restored}::bigint
        AND NOT EXISTS (SELECT FROM log_entry WHERE log_entry.seq = answer.seq)
      ORDER BY xid, seq LIMIT ${sql.literal(String(MOST_RECORDS))}`
  )
  if (records.length === MOST_RECORDS) return { records, position: head }
  const [first] = yield* sql<{ readonly xid: string }>`
    SELECT least(pg_snapshot_xmin(pg_current_snapshot()), min(xid))::text AS xid
    FROM answer WHERE seq > ${restored}::bigint`
  return { records, position: { cluster: head.present, restored, xid: first!.xid, seq: 0 } }
})

/**
 * Whether the position is of other transaction ids than those of now. A former primary has the identifier of its standby,
 * whose dump it may be given back after a failover, and has come less far.
 */
export const isRestored = ({ cluster, isAhead, present }: Head): boolean =>
  cluster !== null && (cluster !== present || isAhead)

/** The records of a round, and how far the log has come with them. */
export const nextRecords = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  head: Head
): Effect.fn.Return<{ readonly records: ReadonlyArray<NewRecord>; readonly position: Position }, SqlError.SqlError> {
  if (isRestored(head)) return yield* restoredRecords(sql, head)
  const records = yield* newRecords(sql, head)
  const { seq, xid } = records.at(-1) ?? head
  return { records, position: { cluster: head.present, restored: head.restored, xid, seq } }
})

/** A recorded answer, as far as the log covers it. */
export interface LoggedAnswer extends AnswerEntry {
  readonly recordedAtUtc: Date
}

/** JSON of strings under names in their order is what RFC 8785 makes of it. */
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

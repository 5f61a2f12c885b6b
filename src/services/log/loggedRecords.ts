/**
 * The entries of a tile as they are stored, beside those that the records of today make. Reads whatever a superuser may
 * have written: a record that can be no entry has none.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Bytes } from "../../proof/bytes.ts"
import { HASH_BYTES } from "../../proof/tree.ts"
import { READ_COLUMNS } from "../answers/storedRows.ts"
import { ledgerCall } from "../ledgerUnavailable.ts"
import { RECORDS } from "./allRows.ts"
import { entryOf, type LoggedAnswer } from "./entries.ts"
import { loadTiles } from "./storedTiles.ts"
import { TILE_WIDTH } from "./tiles.ts"

export interface LoggedRecord extends Omit<LoggedAnswer, "answerId" | "recordedAtUtc"> {
  readonly index: number
  readonly blind: Uint8Array | null
  /** null where the record is gone. */
  readonly answerId: string | null
  /** null too where it is no time that a record can name. */
  readonly recordedAtUtc: Date | null
}

type Stored = Omit<LoggedRecord, "index">

export const isWritable = <R extends Stored>(record: R): record is R & LoggedAnswer =>
  record.answerId !== null && record.recordedAtUtc !== null

export interface LoggedTile {
  readonly n: number
  /** How many entries of it are signed. */
  readonly width: number
  /** All that is stored, which may be less or more. */
  readonly stored: Bytes
  /** Of each entry in its order the records that are said to be it: one, unless somebody has been at it. */
  readonly records: ReadonlyArray<ReadonlyArray<LoggedRecord>>
  /** The entries that these records make; zeroes where there is none. */
  readonly made: Bytes
}

/** Times of four digits in the year: those that a record's text can have. */
export const WRITABLE_TIME = `
  CASE WHEN recorded_at >= '0001-01-01 00:00:00+00' AND recorded_at < '10000-01-01 00:00:00+00' THEN recorded_at END`

/**
 * In the order of the column as it is stored, which its index gives: a sort of what is made of it is what a planner that
 * is told not to sort takes for ruinous.
 */
export const recordsOf = (sql: SqlClient.SqlClient, n: number) =>
  sql<LoggedRecord>`
    SELECT index::float8 AS index, blind, ${sql.literal(READ_COLUMNS)}, ${sql.literal(WRITABLE_TIME)} AS "recordedAtUtc"
    FROM public.log_entry LEFT JOIN ${sql.literal(RECORDS)} AS record USING (seq)
    WHERE index >= ${n * TILE_WIDTH}::bigint AND index < ${(n + 1) * TILE_WIDTH}::bigint
    ORDER BY log_entry.index`

export const loadTile = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, n: number, width: number) {
  const [tile] = yield* loadTiles(sql, [{ level: 0, n }]).pipe(ledgerCall("audit tiles"))
  const records: Array<Array<LoggedRecord>> = Array.from({ length: width }, () => [])
  for (const record of yield* recordsOf(sql, n).pipe(ledgerCall("audit entries")))
    records[record.index % TILE_WIDTH]?.push(record)
  const made = new Uint8Array(width * HASH_BYTES)
  for (const [at, [record, another]] of records.entries()) {
    const isOne = record !== undefined && another === undefined && isWritable(record)
    if (isOne) made.set(entryOf(record, record.blind), at * HASH_BYTES)
  }
  return { n, width, stored: tile?.hashes ?? new Uint8Array(), records, made } satisfies LoggedTile
})

export const hashAt = (hashes: Uint8Array, at: number): Uint8Array =>
  hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)

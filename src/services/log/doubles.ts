/**
 * Rows that are there twice where each is there once: a second record under an answerId or a number, a second record of an
 * entry. Asked of the tables alone, for the index that kept them apart may have been made anew without what somebody
 * wants to hide.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { isEqual } from "../../proof/bytes.ts"
import { HASH_BYTES } from "../../proof/tree.ts"
import { READ_COLUMNS } from "../answers/storedRows.ts"
import { allOf, atLength } from "./allRows.ts"
import { entryOf } from "./entries.ts"
import { finding } from "./findings.ts"
import { isWritable, type LoggedRecord, WRITABLE_TIME } from "./loggedRecords.ts"
import { UNIQUE, type Unique } from "./made.ts"
import { TILE_WIDTH } from "./tiles.ts"

/** Rows of one key that are looked at: the first is one too many already. */
const MOST_ROWS = 16

interface NumberedRecord extends Omit<LoggedRecord, "index"> {
  /** null where it is in no log. */
  readonly index: number | null
  readonly seq: string
  /** The stored entry of its place. */
  readonly entry: Uint8Array | null
}

/**
 * The records with this key, those that were entered first. The server believes that an index which is unique says so of
 * its table, and joins one row at most; of a subquery by itself (OFFSET 0) it believes nothing.
 */
const recordsWith = (sql: SqlClient.SqlClient, column: string, key: string) =>
  sql<NumberedRecord>`
    SELECT index::float8 AS index, seq::text AS seq, blind, ${sql.literal(READ_COLUMNS)},
      ${sql.literal(WRITABLE_TIME)} AS "recordedAtUtc", (
        SELECT substr(hashes, (${HASH_BYTES}::bigint * (index % ${TILE_WIDTH}::bigint))::int + 1, ${HASH_BYTES}::int)
        FROM public.log_tile WHERE level = 0 AND n = index / ${TILE_WIDTH}::bigint
      ) AS entry
    FROM (
      SELECT seq, answer_id, recorded_at, source, endpoint, event_type, rule_version,
        inputs_prefix || encode(inputs_hash, 'hex') AS inputs_hash,
        answer_prefix || encode(answer_hash, 'hex') AS answer_hash
      FROM ${allOf(sql, "answer")} LEFT JOIN ${allOf(sql, "answer_kind", "of")} ON of.id = kind OFFSET 0
    ) AS record LEFT JOIN (SELECT index, seq, blind FROM ${allOf(sql, "log_entry")} OFFSET 0) AS logged USING (seq)
    WHERE ${sql.literal(column)}::text = ${key} ORDER BY logged.index, seq LIMIT ${sql.literal(String(MOST_ROWS))}`

const isEntered = (record: NumberedRecord): boolean =>
  record.entry !== null && isWritable(record) && isEqual(entryOf(record, record.blind), record.entry)

const SAID: Readonly<Record<string, (seq: string) => string>> = {
  "answer.answer_id": (seq) => `a second record under this answerId, of number ${seq}`,
  "answer.seq": (seq) => `a second record of number ${seq}`,
  "log_entry.index": () => "more than one record is said to be this entry",
  "log_entry.seq": () => "the record of this entry was entered before"
}

/** The first key of a table that two of its rows have, and which of the two records is not the one that was entered. */
const doubleOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { columns, table }: Unique) {
  const key = sql.literal(columns)
  const [double] = yield* atLength(
    sql,
    sql<{ readonly key: string }>`
      SELECT concat_ws('/', ${key}) AS key FROM ${allOf(sql, table)}
      GROUP BY ${key} HAVING count(*) > 1 ORDER BY ${key} LIMIT 1`
  )
  if (double === undefined) return null
  const said = SAID[`${table}.${columns}`]
  if (said === undefined) return finding("damaged", null, null, `${table} has two rows of ${columns} ${double.key}`)
  const records = yield* atLength(sql, recordsWith(sql, columns, double.key))
  const second = records.findLast((record) => !isEntered(record)) ?? records.at(-1)
  return finding("added", second?.index ?? null, second?.answerId ?? null, said(second?.seq ?? ""))
})

/**
 * What is asked before anything is recomputed, which reads one row of each; and what after: a record that stands for the
 * entry of another has moved, as recomputing shows, and if none has, one that stands for two was entered twice.
 */
export const ENTERED_ONCE = UNIQUE.filter(({ columns, table }) => table === "log_entry" && columns === "seq")
export const ONCE = UNIQUE.filter((one) => !ENTERED_ONCE.includes(one))

/** The first row of all that is there twice. */
export const doubleIn = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, unique: ReadonlyArray<Unique>) {
  for (const one of unique) {
    const double = yield* doubleOf(sql, one)
    if (double !== null) return double
  }
  return null
})

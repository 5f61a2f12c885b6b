/**
 * Records that are in no log and should be, or should not be at all: whoever adds one behind the service's back puts it
 * where the log has gone past, or under a number that no record gets. One that the service has yet to enter is none.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { READ_COLUMNS } from "../answers/storedRows.ts"
import { ledgerCall } from "../ledgerUnavailable.ts"
import { allOf, atLength, RECORDS } from "./allRows.ts"
import type { LoggedAnswer } from "./entries.ts"
import { finding } from "./findings.ts"

/** Records that one statement looks through. */
const MOST_LOOKED_THROUGH = 20_000
const [LEAST, GREATEST] = [-(2n ** 63n), 2n ** 63n - 1n]

/** How far the log has come: its entries, the records up to `done`, and the highest number that was given to one. */
interface Reached {
  readonly size: number
  readonly done: bigint
  readonly last: bigint
}

const saidOf = (seq: bigint | null, last: bigint): string => {
  if (seq === null) return "the record is in no log, under no number"
  if (seq < 1n) return `the record is in no log, under the number ${seq}, which no record gets`
  if (seq > last)
    return `the record is in no log, under the number ${seq}, and none above ${last} was given to a record`
  return "the log has gone past this record without it"
}

/** The first of all records that is a stray. */
export const strayRecord = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { done, last, size }: Reached) {
  const [stray] = yield* atLength(
    sql,
    sql<{ readonly seq: string | null; readonly answerId: string }>`
      SELECT seq::text AS seq, answer_id AS "answerId" FROM ${allOf(sql, "answer")}
      WHERE (seq >= 1 AND seq > ${String(done)}::bigint AND seq <= ${String(last)}::bigint) IS NOT TRUE
        AND NOT EXISTS (
          SELECT FROM ${allOf(sql, "log_entry")}
          WHERE log_entry.seq = answer.seq AND index >= 0 AND index < ${size}::bigint
        )
      ORDER BY answer.seq LIMIT 1`
  )
  return stray === undefined
    ? null
    : finding("added", null, stray.answerId, saidOf(stray.seq === null ? null : BigInt(stray.seq), last))
})

const unloggedFrom = (sql: SqlClient.SqlClient, from: bigint) =>
  sql<LoggedAnswer & { readonly end: string | null }>`
    WITH page AS MATERIALIZED (
      SELECT seq FROM public.answer WHERE seq >= ${String(from)}::bigint
      ORDER BY seq LIMIT ${sql.literal(String(MOST_LOOKED_THROUGH))}
    ), unlogged AS MATERIALIZED (
      SELECT seq FROM page WHERE (SELECT index FROM public.log_entry WHERE log_entry.seq = page.seq LIMIT 1) IS NULL
    )
    SELECT (SELECT max(seq)::text FROM page) AS end, recorded_at AS "recordedAtUtc", ${sql.literal(READ_COLUMNS)}
    FROM (SELECT) AS one LEFT JOIN (unlogged JOIN ${sql.literal(RECORDS)} AS record USING (seq))
      ON recorded_at >= '0001-01-01Z' AND recorded_at < '10000-01-01Z'`.pipe(ledgerCall("audit records"))

/** The first of all records that are in no log of which this is so, by its id. */
export const unloggedRecord = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  isIt: (record: LoggedAnswer) => boolean
) {
  for (let from = LEAST; from <= GREATEST; ) {
    const page = yield* unloggedFrom(sql, from)
    const found = page.find((record) => record.answerId !== null && isIt(record))
    if (found !== undefined) return found.answerId
    const end = page[0]?.end
    if (end == null) return null
    from = BigInt(end) + 1n
  }
  return null
})

/**
 * The tables as they lie in their pages. No index serves a sample, so that a sample of all of a table has each of its rows,
 * whatever was done to an index to hide one from it. Each question is one statement over a whole table: some seconds for
 * ten million records, sorted by the server, on its disk where its memory is not enough.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { withDeadline } from "../../database/deadline.ts"
import { LedgerUnavailable } from "../ledgerUnavailable.ts"

/** For a statement over a whole table. */
const MOST_MILLISECONDS = 3_600_000

export type Table = "answer" | "answer_kind" | "log_entry" | "log_head" | "log_tile"

/** All rows of a table and none of another, in the FROM of a statement. */
export const allOf = (sql: SqlClient.SqlClient, table: Table, as: string = table) =>
  sql.literal(`ONLY public.${table} AS ${as} TABLESAMPLE SYSTEM (100)`)

/**
 * Records as their tables have them, by whatever index: the log does not ask the view, which says the same while nobody
 * has replaced it. To stand in the FROM of a statement.
 */
export const RECORDS = `(
  SELECT seq, answer_id, recorded_at, source, endpoint, event_type, rule_version,
    inputs_prefix || encode(inputs_hash, 'hex') AS inputs_hash, answer_prefix || encode(answer_hash, 'hex') AS answer_hash
  FROM ONLY public.answer JOIN ONLY public.answer_kind ON answer_kind.id = answer.kind)`

/** Numbers to stand behind `= ANY`, for an index: made of their texts once, and not for each row. */
export const numbersOf = (sql: SqlClient.SqlClient, texts: ReadonlyArray<string>) =>
  sql`(ARRAY(SELECT unnest(${texts}::text[])::bigint))`

/** Asks inside a transaction, and leaves the time that a statement may take as it was. */
export const atLength = Effect.fnUntraced(function* <A>(
  sql: SqlClient.SqlClient,
  question: Effect.Effect<A, SqlError.SqlError>,
  most = MOST_MILLISECONDS
) {
  const setTime = (time: string) => sql`SELECT set_config('statement_timeout', ${time}, true)`
  const [bound] = yield* sql<{ readonly time: string }>`SELECT current_setting('statement_timeout') AS time`
  yield* setTime(String(most))
  const answer = yield* withDeadline(question, most, () => new LedgerUnavailable())
  yield* setTime(bound!.time)
  return answer
})

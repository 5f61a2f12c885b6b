/**
 * Whether an answerId is that of two records. Asked of the table alone: an index may have been made anew without what
 * somebody wants to hide, or not be there. PostgreSQL sorts all ids, on its disk, so that memory is bounded.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { withDeadline } from "../../database/deadline.ts"
import { LedgerUnavailable } from "../ledgerUnavailable.ts"
import { finding } from "./findings.ts"

/** Ten million ids take some seconds. */
const MOST_MILLISECONDS = 3_600_000

const UNINDEXED = `SELECT set_config('enable_indexscan', 'off', true), set_config('enable_indexonlyscan', 'off', true),
  set_config('enable_bitmapscan', 'off', true), set_config('statement_timeout', '${MOST_MILLISECONDS}', true)`

/** Inside the transaction of an audit, as its last question: what the server is told here holds to its end. */
export const secondRecord = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const found = yield* withDeadline(
    Effect.andThen(
      sql.unsafe(UNINDEXED),
      sql<{ readonly answerId: string; readonly index: number | null; readonly seq: string }>`
        WITH twice AS MATERIALIZED (SELECT answer_id FROM answer GROUP BY answer_id HAVING count(*) > 1 LIMIT 1)
        SELECT answer_id AS "answerId", index::float8 AS index, seq::text AS seq
        FROM answer LEFT JOIN log_entry USING (seq) WHERE answer_id = (SELECT answer_id FROM twice)
        ORDER BY index, seq LIMIT 2`
    ),
    MOST_MILLISECONDS,
    () => new LedgerUnavailable()
  )
  const second = found[1]
  return second === undefined
    ? null
    : finding("added", second.index, second.answerId, `a second record under this answerId, of number ${second.seq}`)
})

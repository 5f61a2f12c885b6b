/**
 * Records under an answerId that the log has already: an id is one answer's, and no second record is entered under it,
 * whatever became of the index that keeps ids apart. Which of several that are in no log yet is the true one cannot be
 * known: the one of the lowest number is entered.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { NewRecord } from "./backlog.ts"

/** Those of the records, in the order of their numbers, that are to be entered, and those that are not. */
export const withoutSecond = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, records: ReadonlyArray<NewRecord>) {
  if (records.length === 0) return { records, second: records }
  const logged = yield* sql<{ readonly answerId: string }>`
    SELECT answer_id AS "answerId" FROM public.answer
    WHERE answer_id = ANY (ARRAY(SELECT unnest(${records.map(({ answerId }) => answerId)}::text[])::uuid))
      AND (SELECT index FROM public.log_entry WHERE log_entry.seq = answer.seq LIMIT 1) IS NOT NULL`
  const known = new Set(logged.map(({ answerId }) => answerId))
  const isFirst = records.map(({ answerId }) => !known.has(answerId) && known.add(answerId).size > 0)
  return { records: records.filter((_, at) => isFirst[at]), second: records.filter((_, at) => !isFirst[at]) }
})

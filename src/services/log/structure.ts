/**
 * What keeps ids, numbers and entries apart, and the view through which records are read: the database says that they are
 * as the service has made them. What stands in the tables is asked elsewhere.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { ledgerCall } from "../ledgerUnavailable.ts"
import { finding } from "./findings.ts"

/** Columns of which no two rows have the same. */
const UNIQUE = [
  ["answer", "seq"],
  ["answer", "answer_id"],
  ["log_entry", "index"],
  ["log_entry", "seq"],
  ["log_tile", "level, n"]
] as const

const damaged = (detail: string) => finding("damaged", null, null, detail)

/** An index that is unique, whole, in use, and of these columns and all rows. */
export const uniqueIndexes = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const found = yield* sql<{ readonly relation: string; readonly columns: string }>`
    SELECT relname AS relation, (
        SELECT string_agg(attname, ', ' ORDER BY place)
        FROM unnest(indkey::int2[]) WITH ORDINALITY AS part (attnum, place)
        JOIN pg_attribute USING (attnum) WHERE attrelid = indrelid AND place <= indnkeyatts
      ) AS columns
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    WHERE indrelid IN ('answer'::regclass, 'log_entry'::regclass, 'log_tile'::regclass)
      AND indisunique AND indisvalid AND indisready AND indislive AND indpred IS NULL AND indexprs IS NULL`.pipe(
    ledgerCall("audit indexes")
  )
  const isThere = (relation: string, columns: string) =>
    found.some((index) => index.relation === relation && index.columns === columns)
  const gone = UNIQUE.find(([relation, columns]) => !isThere(relation, columns))
  return gone === undefined ? null : damaged(`no unique index over ${gone[1]} of ${gone[0]} is there and valid`)
})

/** As every server from PostgreSQL 15 on writes what migration 0007 has made, but for spaces. */
const VIEW = `SELECT answer.seq, answer.answer_id, answer.recorded_at, answer_kind.source, answer_kind.endpoint,
  answer_kind.event_type, answer_kind.rule_version,
  (answer_kind.inputs_prefix || encode(answer.inputs_hash, 'hex'::text)) AS inputs_hash,
  (answer_kind.answer_prefix || encode(answer.answer_hash, 'hex'::text)) AS answer_hash,
  CASE WHEN (answer.key_id = account_of('reference'::text)) THEN 'slr_ref'::text ELSE api_key.prefix END AS key_prefix,
  CASE WHEN (answer.key_id = account_of('reference'::text)) THEN 'reference'::text ELSE ('t_'::text || answer.tenant)
  END AS tenant, NULLIF(answer.key_id, account_of('reference'::text)) AS key_id
  FROM ((answer JOIN answer_kind ON ((answer_kind.id = answer.kind)))
  LEFT JOIN api_key ON ((api_key.id = answer.key_id)));`

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

/** A view that shows more, less or something else speaks of records that are in no table. */
export const viewOfRecords = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [view] = yield* sql<{ readonly definition: string | null }>`
    SELECT pg_get_viewdef(to_regclass('recorded_answer')) AS definition`.pipe(ledgerCall("audit view"))
  return inOneLine(view?.definition ?? "") === inOneLine(VIEW)
    ? null
    : damaged(
        "the view recorded_answer, through which every record is read, does not show the tables as it was made to"
      )
})

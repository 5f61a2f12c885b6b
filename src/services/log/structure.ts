/**
 * Whether the database has the tables of records and log, what keeps their rows apart, and the view through which records
 * are read, as the service has made them: else it might show other rows to whoever asks it otherwise. Asked of the
 * server's own catalogs, which are believed. What stands in the tables is asked elsewhere.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { ledgerCall } from "../ledgerUnavailable.ts"
import type { Table } from "./allRows.ts"
import { finding } from "./findings.ts"

/** Columns of a table of which no two rows have the same. */
export interface Unique {
  readonly table: Table
  readonly columns: string
}

export const UNIQUE: ReadonlyArray<Unique> = [
  { table: "answer_kind", columns: "id" },
  { table: "log_head", columns: "only_row" },
  { table: "log_tile", columns: "level, n" },
  { table: "answer", columns: "answer_id" },
  { table: "answer", columns: "seq" },
  { table: "log_entry", columns: "index" },
  { table: "log_entry", columns: "seq" }
]

const damaged = (detail: string) => finding("damaged", null, null, detail)

/** The columns of each table, which hold what was written into them; null where the log covers none of them. */
const TABLES: Readonly<Record<string, string | null>> = {
  api_key: null,
  answer:
    "seq bigint, recorded_at timestamp with time zone, answer_id uuid, tenant uuid, key_id uuid, kind integer, inputs_hash bytea, answer_hash bytea",
  answer_kind:
    "id integer, source text, endpoint text, event_type text, rule_version text, inputs_prefix text, answer_prefix text",
  log_entry: "index bigint, seq bigint, blind bytea",
  log_tile: "level smallint, n bigint, hashes bytea",
  log_head:
    "only_row boolean, origin text, size bigint, done bigint, mark bigint, marked_at timestamp with time zone, writers text[], checkpoint text",
  log_key: "verifier_key text, used_since timestamp with time zone"
}

/** Tables that have all of their rows and no others, and show them to everybody. */
export const plainTables = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const found = yield* sql<{ readonly name: string; readonly columns: string | null; readonly wrong: string | null }>`
    SELECT name, (
        SELECT string_agg(concat(attname, ' ', format_type(atttypid, atttypmod), attgenerated), ', ' ORDER BY attnum)
        FROM pg_attribute WHERE attrelid = relation.oid AND attnum > 0 AND NOT attisdropped
      ) AS columns, CASE
        WHEN relkind <> 'r' THEN 'is no table'
        WHEN relrowsecurity OR EXISTS (SELECT FROM pg_policy WHERE polrelid = relation.oid) THEN 'may hide rows by a policy'
        WHEN EXISTS (SELECT FROM pg_rewrite WHERE ev_class = relation.oid) THEN 'has a rule'
        WHEN EXISTS (SELECT FROM pg_inherits WHERE relation.oid IN (inhparent, inhrelid)) THEN 'has rows of other tables'
      END AS wrong
    FROM unnest(${Object.keys(TABLES)}::text[]) AS name LEFT JOIN pg_class AS relation ON relation.oid = to_regclass(name)`.pipe(
    ledgerCall("audit tables")
  )
  const saidOf = ({ columns, name, wrong }: (typeof found)[number]) =>
    columns === (TABLES[name] ?? columns) && columns !== null ? wrong : "has not the columns that it was made with"
  const changed = found.find((table) => saidOf(table) !== null)
  return changed === undefined ? null : damaged(`the table ${changed.name} ${saidOf(changed)}`)
})

/** An index that is unique, whole, in use, and of these columns and all rows. */
export const uniqueIndexes = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const found = yield* sql<Unique>`
    SELECT relname AS table, (
        SELECT string_agg(attname, ', ' ORDER BY place)
        FROM unnest(indkey::int2[]) WITH ORDINALITY AS part (attnum, place)
        JOIN pg_attribute USING (attnum) WHERE attrelid = indrelid AND place <= indnkeyatts
      ) AS columns
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    WHERE indrelid = ANY (${UNIQUE.map(({ table }) => table)}::text[]::regclass[])
      AND indisunique AND indisvalid AND indisready AND indislive AND indpred IS NULL AND indexprs IS NULL`.pipe(
    ledgerCall("audit indexes")
  )
  const gone = UNIQUE.find((one) => !found.some((index) => index.table === one.table && index.columns === one.columns))
  return gone === undefined ? null : damaged(`no unique index over ${gone.columns} of ${gone.table} is there and valid`)
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

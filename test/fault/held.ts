/**
 * The contents of a database as one text that is equal for equal rows, and a way to empty it.
 * Values that differ in every run (ids, times, hashes, keys) only show whether they are present.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Tables with rows from the migrations. */
const MIGRATED_TABLES = ["schema_migration", "installation", "log_head"]
const NUMBER_COLUMNS = ["id", "seq", "kind", "key_id", "xid"]
const VARYING_VALUE = /^(\d{4}-\d\d-\d\d|[0-9a-f]{8}-|\\x|t_|slr_|evt_|in_|ch_|pi_|cs_|cus_|sub_|manual:|\{)|@|\n/

interface Row {
  readonly table: string
  readonly row: Readonly<Record<string, unknown>>
}

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql<{ readonly name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY name`
  return found.map(({ name }) => name)
})

const masked = (name: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.length
  const isVarying = NUMBER_COLUMNS.includes(name) || (typeof value === "string" && VARYING_VALUE.test(value))
  return isVarying && value !== null ? "*" : value
}

const textOf = ({ row, table }: Row): string =>
  `${table} ${JSON.stringify(Object.entries(row).map(([name, value]) => [name, masked(name, value)]))}`

export const contents = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const all = (yield* tables)
    .filter((table) => !MIGRATED_TABLES.includes(table) || table === "log_head")
    .map((table) => `SELECT '${table}' AS table, to_jsonb(row) AS row FROM ${table} AS row`)
  const rows = yield* sql.unsafe<Row>(all.join(" UNION ALL "))
  return rows.map(textOf).sort().join("\n")
})

/** Empties the tables in one statement, without triggers and foreign keys. */
export const empty = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const emptied = (yield* tables)
    .filter((table) => !MIGRATED_TABLES.includes(table))
    .map((table) => `DELETE FROM ${table}`)
  const head = ["DELETE FROM log_head", "INSERT INTO log_head DEFAULT VALUES"]
  const all = ["SET LOCAL session_replication_role = replica", ...emptied, ...head].join("; ")
  yield* sql.unsafe(`DO $$ BEGIN ${all}; END $$`)
})

/**
 * What a database holds, as one text that is the same for the same rows: what no two runs have alike (ids, times, hashes,
 * keys) shows only whether it is there. And how to empty it.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What the migrations have put in. */
const KEPT = ["schema_migration", "installation", "log_head"]
const NUMBERS = ["id", "seq", "kind", "key_id", "xid"]
const UNLIKE = /^(\d{4}-\d\d-\d\d|[0-9a-f]{8}-|\\x|t_|slr_|evt_|in_|ch_|pi_|cs_|cus_|sub_|manual:|\{)|@|\n/

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
  const isUnlike = NUMBERS.includes(name) || (typeof value === "string" && UNLIKE.test(value))
  return isUnlike && value !== null ? "*" : value
}

const textOf = ({ row, table }: Row): string =>
  `${table} ${JSON.stringify(Object.entries(row).map(([name, value]) => [name, masked(name, value)]))}`

export const held = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const all = (yield* tables)
    .filter((table) => !KEPT.includes(table) || table === "log_head")
    .map((table) => `SELECT '${table}' AS table, to_jsonb(row) AS row FROM ${table} AS row`)
  const rows = yield* sql.unsafe<Row>(all.join(" UNION ALL "))
  return rows.map(textOf).sort().join("\n")
})

/** Past all triggers and keys, in one statement. */
export const empty = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const emptied = (yield* tables).filter((table) => !KEPT.includes(table)).map((table) => `DELETE FROM ${table}`)
  const head = ["DELETE FROM log_head", "INSERT INTO log_head DEFAULT VALUES"]
  const all = ["SET LOCAL session_replication_role = replica", ...emptied, ...head].join("; ")
  yield* sql.unsafe(`DO $$ BEGIN ${all}; END $$`)
})

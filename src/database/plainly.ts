/**
 * What every session tells the server about itself, over whatever the server, the database or its role is set to: which
 * tables are meant, and that all of their rows are. A row that a policy would hide is an error then. Statements are not
 * compiled: of those asked here none gains by it, and one that the planner takes for costly loses seconds.
 */
import type { SqlClient } from "effect/sql"

export const PLAINLY = {
  search_path: "public, pg_temp",
  row_security: "off",
  quote_all_identifiers: "off",
  jit: "off"
}

/** The same for a transaction, whatever became of the settings of its session on its way or since; and more of them. */
export const plainly = (sql: SqlClient.SqlClient, more: Readonly<Record<string, string>> = {}) => sql`
  SELECT pg_catalog.set_config(key, value, true)
  FROM pg_catalog.json_each_text(${JSON.stringify({ ...PLAINLY, ...more })}::pg_catalog.json)`

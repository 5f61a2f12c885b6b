/**
 * What every session tells the server about itself, over whatever the server, the database or its role is set to: which
 * tables are meant, that all of their rows are, as each statement finds them, and how times are written. A row that a
 * policy would hide is an error then. Statements are not compiled: of those asked here none gains by it, and one that the
 * planner takes for costly loses seconds.
 */
import type { SqlClient } from "effect/sql"

export const PLAINLY = {
  search_path: "public, pg_temp",
  row_security: "off",
  quote_all_identifiers: "off",
  timezone: "UTC",
  datestyle: "ISO, MDY",
  jit: "off",
  constraint_exclusion: "off"
}

/**
 * The same for a transaction, whatever became of the settings of its session on its way or since; and more of them. Its
 * statements name tables with their schema: whoever owns that could put a function into it which fits better than the
 * server's of the same name.
 */
export const plainly = (sql: SqlClient.SqlClient, more: Readonly<Record<string, string>> = {}) => sql`
  SELECT pg_catalog.set_config(key, value, true)
  FROM pg_catalog.json_each_text(${JSON.stringify({ ...PLAINLY, search_path: "pg_catalog, pg_temp", ...more })}::pg_catalog.json)`

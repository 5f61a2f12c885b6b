/**
 * What every session tells the server about itself, over whatever the server, the database or its role is set to: which
 * tables are meant, that all of their rows are, and how times are written. Statements are not compiled: none of those
 * asked here gains by it, and one that the planner takes for costly loses seconds.
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

/** Settings for one transaction, whatever became of those of its session. */
export const plainly = (sql: SqlClient.SqlClient, settings: Readonly<Record<string, string>>) => sql`
  SELECT pg_catalog.set_config(key, value, true)
  FROM pg_catalog.json_each_text(${JSON.stringify(settings)}::pg_catalog.json)`

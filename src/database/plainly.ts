/**
 * What every session tells the server about itself, over whatever the server, the database or its role is set to: which
 * tables are meant, that all of their rows are, as each statement finds them, and how times are written. A row that a
 * policy would hide is an error then. Statements are not compiled: of those asked here none gains by it, and one that the
 * planner takes for costly loses seconds.
 */
import { Effect } from "effect"
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

/** What the server is set to itself, by whoever runs it. */
const OF_THE_SERVER = ["default", "configuration file", "command line", "environment variable"]
/** Groups of settings that say how a statement is planned, what it may use, and what its words mean. */
const GROUPS = "^(Query Tuning|Resource Usage|Developer Options|Version and Platform Compatibility)"
/** Those of PostgreSQL 17 and newer that end a transaction, or refuse views. */
const ENDS = ["transaction_timeout", "restrict_nonsystem_relation_kind"]

/**
 * The same for a transaction that reads the log at length. A role may set itself, and an owner his database, to what makes
 * a statement slow without end: whatever was set so, by anybody but the server's own files, is for this transaction as
 * PostgreSQL is made.
 */
export const plainlyPlanned = (sql: SqlClient.SqlClient, more: Readonly<Record<string, string>> = {}) =>
  Effect.andThen(
    plainly(sql, more),
    sql`
      SELECT set_config(name, boot_val, true) FROM pg_settings
      WHERE context = 'user' AND source <> ALL (${OF_THE_SERVER}::text[])
        AND (category ~ ${GROUPS}::text OR name = ANY (${ENDS}::text[]))
        AND name <> ALL (${Object.keys({ ...PLAINLY, ...more })}::text[])`
  )

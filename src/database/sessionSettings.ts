/**
 * Session settings that override those of the server, the database and the role. They fix the
 * schema of tables and the format of times. They make a query fail rather than return only the rows
 * that a row policy lets through. JIT compilation is off, because no statement here gains from it.
 * A statement whose cost the planner overestimates would lose seconds.
 */
import { SqlClient } from "effect/sql"

export const SESSION_SETTINGS = {
  search_path: "public, pg_temp",
  row_security: "off",
  quote_all_identifiers: "off",
  timezone: "UTC",
  datestyle: "ISO, MDY",
  jit: "off",
  constraint_exclusion: "off"
}

/** Applies settings to one transaction, over those of its session. */
export const setSessionSettings = (settings: Readonly<Record<string, string>>) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
  SELECT pg_catalog.set_config(key, value, true)
  FROM pg_catalog.json_each_text(${JSON.stringify(settings)}::pg_catalog.json)`
  )

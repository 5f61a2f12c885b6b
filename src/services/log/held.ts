/**
 * Who keeps the tables of records and log from being read: whoever may write to a table may lock it, and holds up whatever
 * reads it for as long as he likes. Of several who wait for that lock in turn each does.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ledgerCall } from "../ledgerUnavailable.ts"
import { TABLES } from "./made.ts"

export interface Held {
  readonly table: string
  /** Processes of the server; none of a transaction that is prepared. */
  readonly pids: ReadonlyArray<number>
}

/** The tables, or those with an index, that nobody can read just now. Asked of the server's own list, which nothing holds up. */
export const heldTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Held>`
    SELECT name AS table, coalesce(array_agg(DISTINCT pid) FILTER (WHERE pid IS NOT NULL), '{}') AS pids
    FROM unnest(${Object.keys(TABLES)}::text[]) AS name
    JOIN pg_locks ON relation = to_regclass('public.' || name)
      OR relation IN (SELECT indexrelid FROM pg_index WHERE indrelid = to_regclass('public.' || name))
    WHERE locktype = 'relation' AND mode = 'AccessExclusiveLock' AND pid IS DISTINCT FROM pg_backend_pid()
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    GROUP BY name ORDER BY name`.pipe(ledgerCall("audit locks"))
})

/**
 * Whose the tables are in which borrowers' data lie meanwhile. Who owns one of them, or the schema, may read all that is in
 * it and have code of his own run by whoever writes there: so all must be the role's own.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseStartError } from "../../database/embedded/binaries.ts"

export const SCHEMA = "portfolio"

const refused = (what: string, owner: string) =>
  new DatabaseStartError({
    message: `In this database ${what} belongs to the role ${owner}, who could read borrowers' data there. Everything in the schema ${SCHEMA} must belong to the role of DATABASE_URL: use that role, or a database of your own`
  })

/** Fails where anything in the schema, or the schema itself, is another role's. */
export const expectOwn = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [foreign] = yield* sql<{ readonly what: string; readonly owner: string }>`
    SELECT what, pg_get_userbyid(owner) AS owner FROM (
      SELECT 'the schema ' || nspname AS what, nspowner AS owner, oid AS namespace FROM pg_namespace
      UNION ALL SELECT 'the table ' || relname, relowner, relnamespace FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f')
      UNION ALL SELECT 'the function ' || proname, proowner, pronamespace FROM pg_proc
    ) AS things
    WHERE namespace = to_regnamespace(${SCHEMA}) AND owner <> (SELECT oid FROM pg_roles WHERE rolname = current_user)
    ORDER BY what LIMIT 1`
  if (foreign !== undefined) yield* refused(foreign.what, foreign.owner)
})

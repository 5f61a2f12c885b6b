/**
 * The schema that stores borrowers' data during a run, and the check that the role of DATABASE_URL
 * owns it.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseStartError } from "../../../database/index.ts"

export const SCHEMA = "portfolio"

const refused = (owner: string) =>
  new DatabaseStartError({
    message: `In this database the schema ${SCHEMA} belongs to the role ${owner}, which could read borrowers' data there: use that role in DATABASE_URL, or another database`
  })

/**
 * Fails unless the role of DATABASE_URL itself owns the schema; a superuser or a member of the
 * owning role also fails. The schema's owner may have defined operators in it. None of them is
 * called, because those used here match the types of their arguments exactly.
 */
export const expectOwnership = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [schema] = yield* sql<{ readonly owner: string; readonly isOwn: boolean }>`
    SELECT pg_get_userbyid(nspowner) AS owner, pg_get_userbyid(nspowner) = current_user AS "isOwn"
    FROM pg_namespace WHERE nspname = ${SCHEMA}::name`
  if (schema?.isOwn === false) return yield* refused(schema.owner)
})

/**
 * Whose the tables are in which borrowers' data lie meanwhile. Who owns one of them, or the schema, may read all that is in
 * it and have code of his own run by whoever writes there; so may who makes an operator or a type beside them, by which
 * their columns are then compared: so all must be the role's own.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseStartError } from "../../database/embedded/binaries.ts"

export const SCHEMA = "portfolio"

const refused = (what: string, owner: string) =>
  new DatabaseStartError({
    message: `In this database ${what} belongs to the role ${owner}, who could read borrowers' data there. Everything in the schema ${SCHEMA} must belong to the role of DATABASE_URL: use that role, or a database of your own`
  })

const mayMake = (role: string) =>
  new DatabaseStartError({
    message: `In this database ${role} may make things in the schema ${SCHEMA}, whose code would run where borrowers' data lie. No other role may: REVOKE CREATE ON SCHEMA ${SCHEMA} FROM ${role}`
  })

/** What PostgreSQL notes of the owner of a thing; it notes nothing of the superuser who made the cluster, whose oid is 10. */
const foreign = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly what: string; readonly owner: string }>`
    SELECT format('the %s %s', type, coalesce(name, identity)) AS what, pg_get_userbyid(owner) AS owner FROM (
      SELECT 'pg_namespace'::regclass::oid AS classid, oid AS objid, nspowner AS owner
        FROM pg_namespace WHERE nspname = ${SCHEMA}
      UNION ALL
      SELECT inside.classid, inside.objid, coalesce(owned.refobjid, 10)
        FROM pg_depend AS inside
        JOIN pg_namespace ON pg_namespace.oid = inside.refobjid AND nspname = ${SCHEMA}
        LEFT JOIN pg_shdepend AS owned ON owned.classid = inside.classid AND owned.objid = inside.objid AND owned.deptype = 'o'
          AND owned.dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
        WHERE inside.refclassid = 'pg_namespace'::regclass
    ) AS things, pg_identify_object(classid, objid, 0)
    WHERE owner <> (SELECT oid FROM pg_roles WHERE rolname = current_user)
    ORDER BY type <> 'schema', what LIMIT 1`
  return found
})

/** Who else was given the right to make something in the schema; a superuser needs none. */
const maker = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly role: string }>`
    SELECT coalesce(quote_ident(rolname), 'PUBLIC') AS role
      FROM pg_namespace, aclexplode(nspacl) LEFT JOIN pg_roles ON pg_roles.oid = grantee
      WHERE nspname = ${SCHEMA} AND privilege_type = 'CREATE' AND grantee <> nspowner AND rolsuper IS NOT TRUE
      ORDER BY role LIMIT 1`
  return found?.role
})

/**
 * Fails where anything in the schema, or the schema itself, is another role's, or where another may make something there.
 * Asks by the functions and operators of PostgreSQL alone: one in the schema could be another's.
 */
export const expectOwn = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SET LOCAL search_path TO pg_catalog, pg_temp`
  const thing = yield* foreign
  if (thing !== undefined) yield* refused(thing.what, thing.owner)
  const role = yield* maker
  if (role !== undefined) yield* mayMake(role)
}).pipe((asked) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(asked)))

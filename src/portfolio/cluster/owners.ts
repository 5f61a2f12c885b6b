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

/**
 * The first thing of another role, of all kinds that have an owner. Each is asked for in its own catalog: the notes that
 * PostgreSQL keeps of owners (pg_shdepend) have none of the roles that come with it, such as pg_database_owner, and so
 * would take what such a role owns for the first superuser's. Indexes, row types and arrays are their table's or type's.
 */
const foreign = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly what: string; readonly owner: string }>`
    SELECT format('the %s %s', type, coalesce(name, identity)) AS what, pg_get_userbyid(owner) AS owner FROM (
      SELECT 'pg_namespace'::regclass AS kind, oid AS thing, nspowner AS owner, oid AS namespace FROM pg_namespace
      UNION ALL SELECT 'pg_class'::regclass, oid, relowner, relnamespace FROM pg_class WHERE relkind NOT IN ('i', 'I')
      UNION ALL SELECT 'pg_type'::regclass, oid, typowner, typnamespace FROM pg_type AS of WHERE typrelid = 0 AND NOT EXISTS (SELECT FROM pg_type WHERE typarray = of.oid)
      UNION ALL SELECT 'pg_proc'::regclass, oid, proowner, pronamespace FROM pg_proc
      UNION ALL SELECT 'pg_operator'::regclass, oid, oprowner, oprnamespace FROM pg_operator
      UNION ALL SELECT 'pg_opclass'::regclass, oid, opcowner, opcnamespace FROM pg_opclass
      UNION ALL SELECT 'pg_opfamily'::regclass, oid, opfowner, opfnamespace FROM pg_opfamily
      UNION ALL SELECT 'pg_collation'::regclass, oid, collowner, collnamespace FROM pg_collation
      UNION ALL SELECT 'pg_conversion'::regclass, oid, conowner, connamespace FROM pg_conversion
      UNION ALL SELECT 'pg_statistic_ext'::regclass, oid, stxowner, stxnamespace FROM pg_statistic_ext
      UNION ALL SELECT 'pg_ts_config'::regclass, oid, cfgowner, cfgnamespace FROM pg_ts_config
      UNION ALL SELECT 'pg_ts_dict'::regclass, oid, dictowner, dictnamespace FROM pg_ts_dict
      UNION ALL SELECT 'pg_extension'::regclass, oid, extowner, extnamespace FROM pg_extension
    ) AS things, pg_identify_object(kind, thing, 0)
    WHERE namespace = (SELECT oid FROM pg_namespace WHERE nspname = ${SCHEMA})
      AND owner <> (SELECT oid FROM pg_roles WHERE rolname = current_user)
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

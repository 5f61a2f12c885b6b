/**
 * The server's condition as a session of the service sees it: version, settings, clock, and the
 * role's rights. Callers decide what is acceptable.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

interface Server {
  readonly version: string
  readonly versionNumber: number
  readonly fsync: boolean
  readonly fullPageWrites: boolean
  /** The value in this session, not the server's default. */
  readonly synchronousCommit: string
  readonly timeZone: string
  /** Maximum number of connections, without those reserved for superusers. */
  readonly connections: number
}

export const serverCondition = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [server] = yield* sql<Server>`
    SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS "versionNumber",
      current_setting('fsync')::boolean AS fsync, current_setting('full_page_writes')::boolean AS "fullPageWrites",
      current_setting('synchronous_commit') AS "synchronousCommit", current_setting('TimeZone') AS "timeZone",
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS connections`
  return server!
})

/** The server's clock, in milliseconds since 1970. */
export const serverClock = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [clock] = yield* sql<{ readonly now: number }>`
    SELECT (1000 * extract(epoch FROM clock_timestamp()))::float8 AS now`
  return clock!.now
})

/** The latest time of the last thousand records, in milliseconds since 1970; 0 if there are none. */
export const newestRecord = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [newest] = yield* sql<{ readonly at: number }>`
    SELECT coalesce(1000 * extract(epoch FROM max(recorded_at)), 0)::float8 AS at
    FROM (SELECT recorded_at FROM answer ORDER BY seq DESC LIMIT 1000) AS last`
  return newest!.at
})

interface Role {
  readonly name: string
  readonly isSuperuser: boolean
  readonly isOwner: boolean
  /**
   * Append-only tables that the role has the right to update, so that only triggers protect them.
   */
  readonly mayUpdate: ReadonlyArray<string>
  /** Tables that only their owner should write to, and that this role can write to. */
  readonly mayWrite: ReadonlyArray<string>
}

export const roleCondition = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [role] = yield* sql<Role>`
    SELECT current_user AS name, rolsuper AS "isSuperuser",
      EXISTS (SELECT FROM pg_class WHERE oid IN (to_regclass('answer'), to_regclass('log_head'))
        AND pg_has_role(relowner, 'USAGE')) AS "isOwner",
      ARRAY(SELECT relname::text FROM pg_class WHERE has_table_privilege(oid, 'UPDATE') AND oid IN (
        to_regclass('answer'), to_regclass('answer_kind'), to_regclass('log_entry'), to_regclass('log_key'))
        ORDER BY relname) AS "mayUpdate",
      ARRAY(SELECT relname::text FROM pg_class WHERE has_table_privilege(oid, 'INSERT, UPDATE') AND oid IN (
        to_regclass('schema_migration'), to_regclass('installation')) ORDER BY relname) AS "mayWrite"
    FROM pg_roles WHERE rolname = current_user`
  return role!
})

/**
 * The database as a layer: the server of DATABASE_URL or the embedded one, migrated, with a connection pool in which
 * every wait is bounded. The migrations define its schema, the services its queries.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import { AppConfig } from "../config.ts"
import { connectionError, withDeadline } from "./deadline.ts"
import { DatabaseStartError } from "./embedded/binaries.ts"
import { embeddedDatabase } from "./embedded/embedded.ts"
import { checkPepper } from "./installation.ts"
import { migrate } from "./migrate.ts"
import { PLAINLY } from "./plainly.ts"
import { checkServer } from "./server.ts"

export { DatabaseStartError } from "./embedded/binaries.ts"

/** Where a server listens. */
export type DatabaseAddress = { readonly url: Redacted.Redacted<string> } | { readonly socketPath: string }

/** Connections of one process, and so the most commits that can share one flush of the write-ahead log. */
const MAX_CONNECTIONS = 24
/** For acquiring a free connection, and for opening a new one. */
const CONNECTION_MILLISECONDS = 1000
/**
 * Asked for by each session itself, which overrules what server, database and role are set to: a commit is acknowledged
 * only when it is on the disk.
 */
const SESSION = { timezone: "UTC", synchronous_commit: "on", ...PLAINLY }
/** The server cancels a statement, a wait for a lock, or a transaction that is idle for longer. */
const SESSION_BOUNDS = {
  statement_timeout: "2000",
  lock_timeout: "2000",
  idle_in_transaction_session_timeout: "5000"
}
/**
 * For each statement of a migration, and for waiting while another node migrates: a migration that moves a hundred million
 * records takes about an hour, and one that is broken off has to begin again.
 */
const MIGRATION_MILLISECONDS = `${4 * 60 * 60 * 1000}`

/** The server answers `COMMIT` of an aborted transaction with `ROLLBACK` and without an error, so the answer is checked. */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    typeof result === "object" && result !== null && "command" in result && result.command === "COMMIT"
      ? Effect.void
      : Effect.fail(connectionError("commit", "The transaction was rolled back instead of committed"))
  )

/** The pool's client, with a bound on acquiring a connection. */
const boundedClient = (pool: PgClient.PgClient) => {
  const acquirer = pool.reserve.pipe(
    Effect.timeoutOrElse({
      duration: CONNECTION_MILLISECONDS,
      orElse: () => Effect.fail(connectionError("acquire", "No connection to the database was free in time"))
    })
  )
  return SqlClient.make({
    acquirer,
    compiler: PgClient.makeCompiler(),
    driver: pool.driver,
    spanAttributes: [["db.system.name", "postgresql"]],
    prepareTransactionControls: true,
    commit
  })
}

const connectionSettings = (address: DatabaseAddress) => ({
  ...("url" in address
    ? { url: address.url }
    : { path: address.socketPath, username: "postgres", database: "postgres" }),
  applicationName: "repayment-of-record",
  connectTimeout: CONNECTION_MILLISECONDS
})

/** One line with the message of the driver or server, without the address and its password. */
const startError = (error: { readonly message: string; readonly cause?: unknown }) => {
  let reason = error.cause
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause
  const detail = reason instanceof Error && reason.message !== error.message ? ` (${reason.message})` : ""
  return new DatabaseStartError({ message: `The database cannot be used: ${error.message}${detail}` })
}

/** A client for a database that is migrated already. */
export const clientLayer = (address: DatabaseAddress): Layer.Layer<SqlClient.SqlClient, DatabaseStartError> =>
  Layer.effect(SqlClient.SqlClient)(
    PgClient.make({
      ...connectionSettings(address),
      keepAlive: "10 seconds",
      maxConnections: MAX_CONNECTIONS,
      startupParameters: { ...SESSION, ...SESSION_BOUNDS }
    }).pipe(Effect.flatMap(boundedClient), Effect.mapError(startError))
  ).pipe(Layer.provide(Reactivity.layer))

/**
 * Checks the server, migrates, and checks the pepper, over a separate connection with a longer timeout, because another
 * node may be migrating just now.
 */
const prepared = (address: DatabaseAddress): Effect.Effect<void, DatabaseStartError, AppConfig> =>
  checkServer.pipe(
    Effect.andThen(migrate),
    Effect.andThen(checkPepper),
    Effect.provide(
      PgClient.layer({
        ...connectionSettings(address),
        maxConnections: 1,
        startupParameters: { ...SESSION, statement_timeout: MIGRATION_MILLISECONDS }
      })
    ),
    Effect.mapError(startError)
  )

/** The database at a known address, checked and migrated. */
export const databaseAt = (address: DatabaseAddress): Layer.Layer<SqlClient.SqlClient, DatabaseStartError, AppConfig> =>
  Layer.unwrap(Effect.as(prepared(address), clientLayer(address)))

/** The database that the configuration names. */
export const databaseLayer: Layer.Layer<SqlClient.SqlClient, DatabaseStartError, AppConfig> = Layer.unwrap(
  Effect.gen(function* () {
    const { databaseUrl, dataDir } = yield* AppConfig
    if (databaseUrl !== null) return databaseAt({ url: databaseUrl })
    const { socketPath } = yield* embeddedDatabase({ dataDir })
    return databaseAt({ socketPath })
  })
)

interface Mode {
  readonly standby: boolean
  readonly readOnly: boolean
  /** null without the tables. */
  readonly mayRecord: boolean | null
}

/** Why keyed calls cannot be served just now; null if they can. For the readiness probe. */
export const databaseObstacle: Effect.Effect<string | null, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ask = withDeadline(
    sql<Mode>`
      SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only')::boolean AS "readOnly",
        has_table_privilege(to_regclass('answer'), 'INSERT')
          AND has_table_privilege(to_regclass('answer_kind'), 'INSERT')
          AND has_table_privilege(to_regclass('usage'), 'INSERT')
          AND has_table_privilege(to_regclass('usage'), 'UPDATE') AS "mayRecord"`,
    CONNECTION_MILLISECONDS,
    () => connectionError("ping", "The database did not answer")
  )
  return yield* Effect.match(ask, {
    onFailure: () => "the database cannot be reached",
    onSuccess: ([mode]) => {
      if (mode!.standby) return "the database is a standby, which takes no writes"
      if (mode!.readOnly) return "the database is read-only"
      return mode!.mayRecord === true ? null : "the role of the database may not record answers"
    }
  })
})

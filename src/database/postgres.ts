/**
 * The database as a layer: the server of DATABASE_URL or the embedded one, migrated, behind a pool in which every wait
 * has an end. What is in the database is said by the migrations; what is asked of it, by the services.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import { AppConfig } from "../config.ts"
import { unanswered, within } from "./deadline.ts"
import { DatabaseStartError } from "./embedded/binaries.ts"
import { embeddedDatabase } from "./embedded/embedded.ts"
import { migrate } from "./migrate.ts"

export { DatabaseStartError } from "./embedded/binaries.ts"

/** Where a server listens. */
type DatabaseAddress = { readonly url: Redacted.Redacted<string> } | { readonly socketPath: string }

/** Connections of one process. A statement waits for its commit on one of them, so this many commits share a flush. */
const MAX_CONNECTIONS = 24
/** For a free connection, and for making a new one. */
const CONNECTION_MILLISECONDS = 1000
/** The server gives up on a statement, a lock, or a transaction that waits for us. */
const SESSION_BOUNDS = {
  statement_timeout: "2000",
  lock_timeout: "2000",
  idle_in_transaction_session_timeout: "5000"
}
const MIGRATION_MILLISECONDS = "60000"

/** `COMMIT` of a transaction that the server has given up answers `ROLLBACK`, without an error of its own. */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    typeof result === "object" && result !== null && "command" in result && result.command === "COMMIT"
      ? Effect.void
      : Effect.fail(unanswered("commit", "The transaction was rolled back instead of committed"))
  )

/** The pool's client with a bound on the wait for one of its connections. */
const boundedClient = (pool: PgClient.PgClient) => {
  const acquirer = pool.reserve.pipe(
    Effect.timeoutOrElse({
      duration: CONNECTION_MILLISECONDS,
      orElse: () => Effect.fail(unanswered("acquire", "No connection to the database was free in time"))
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

/** One line: what the driver or the server says, without the address and its password. */
const startError = (error: { readonly message: string; readonly cause?: unknown }) => {
  const reason = error.cause instanceof Error && error.cause.cause instanceof Error ? error.cause.cause : error.cause
  const detail = reason instanceof Error && reason.message !== error.message ? ` (${reason.message})` : ""
  return new DatabaseStartError({ message: `The database cannot be used: ${error.message}${detail}` })
}

/** A client on a database that is migrated already. */
const clientLayer = (address: DatabaseAddress): Layer.Layer<SqlClient.SqlClient, DatabaseStartError> =>
  Layer.effect(SqlClient.SqlClient)(
    PgClient.make({
      ...connectionSettings(address),
      keepAlive: "10 seconds",
      maxConnections: MAX_CONNECTIONS,
      startupParameters: { timezone: "UTC", ...SESSION_BOUNDS }
    }).pipe(Effect.flatMap(boundedClient), Effect.mapError(startError))
  ).pipe(Layer.provide(Reactivity.layer))

/** Brings the schema up to date over a connection of its own: another node's migration may be waited for longer. */
const migrated = (address: DatabaseAddress): Effect.Effect<void, DatabaseStartError> =>
  migrate.pipe(
    Effect.provide(
      PgClient.layer({
        ...connectionSettings(address),
        maxConnections: 1,
        startupParameters: { timezone: "UTC", statement_timeout: MIGRATION_MILLISECONDS }
      })
    ),
    Effect.mapError(startError)
  )

/** A migrated database at a known address. */
export const databaseAt = (address: DatabaseAddress): Layer.Layer<SqlClient.SqlClient, DatabaseStartError> =>
  Layer.unwrap(Effect.as(migrated(address), clientLayer(address)))

/** The database that the configuration names. */
export const DatabaseLive: Layer.Layer<SqlClient.SqlClient, DatabaseStartError, AppConfig> = Layer.unwrap(
  Effect.gen(function* () {
    const { databaseUrl, dataDir } = yield* AppConfig
    if (databaseUrl !== null) return databaseAt({ url: databaseUrl })
    const { socketPath } = yield* embeddedDatabase({ dataDir })
    return databaseAt({ socketPath })
  })
)

/** Whether the database answers right now; for the readiness probe. */
export const databaseAnswers: Effect.Effect<boolean, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ask = within(sql`SELECT 1`, CONNECTION_MILLISECONDS, () => unanswered("ping", "The database did not answer"))
  return yield* Effect.match(ask, { onFailure: () => false, onSuccess: () => true })
})

/**
 * The database layer: the server of DATABASE_URL or the embedded one, checked and migrated. Also
 * the check whether it can be written to now.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../platform/config.ts"
import { clientLayer, type DatabaseAddress, openSessions, type Pooling, PREPARING, startError } from "./client.ts"
import { connectionError, Deadlines, UNHURRIED, withDeadline } from "./deadline.ts"
import type { DatabaseStartError } from "./embedded/binaries.ts"
import { embeddedDatabase } from "./embedded/embedded.ts"
import { checkPepper } from "./installation.ts"
import { migrate, orByOwner } from "./migrate.ts"
import { checkServer } from "./server.ts"

export { DatabaseStartError } from "./embedded/binaries.ts"

/** Checks the server, migrates, and checks the pepper. */
const prepared = (address: DatabaseAddress, pooling: Pooling): Effect.Effect<void, DatabaseStartError, AppConfig> =>
  checkServer.pipe(
    Effect.andThen(migrate),
    Effect.andThen(orByOwner(checkPepper)),
    Effect.provide(Layer.effect(SqlClient.SqlClient)(openSessions(address, PREPARING, pooling))),
    Effect.provideService(Deadlines, UNHURRIED),
    Effect.mapError(startError)
  )

/** The database at a known address, checked and migrated. */
export const databaseAt = (address: DatabaseAddress): Layer.Layer<SqlClient.SqlClient, DatabaseStartError, AppConfig> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { databasePooling } = yield* AppConfig
      yield* prepared(address, databasePooling)
      return clientLayer(address, databasePooling)
    })
  )

/** The configured database. */
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
  /** null if the tables do not exist. */
  readonly mayRecord: boolean | null
}

/** The reason why calls with an API key cannot be served now, or null. For the readiness probe. */
export const databaseObstacle: Effect.Effect<string | null, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { connection } = yield* Deadlines
  const query = withDeadline(
    sql<Mode>`
      SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only')::boolean AS "readOnly",
        has_table_privilege(to_regclass('answer'), 'INSERT')
          AND has_table_privilege(to_regclass('answer_kind'), 'INSERT')
          AND has_table_privilege(to_regclass('usage'), 'INSERT')
          AND has_table_privilege(to_regclass('usage'), 'UPDATE') AS "mayRecord"`,
    connection,
    () => connectionError("ping", "The database did not answer")
  )
  return yield* Effect.match(query, {
    onFailure: () => "the database cannot be reached",
    onSuccess: ([mode]) => {
      if (mode!.standby) return "the database is a standby, which accepts no writes"
      if (mode!.readOnly) return "the database is read-only"
      return mode!.mayRecord === true ? null : "the role of the database may not record answers"
    }
  })
})

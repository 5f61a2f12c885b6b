/**
 * The database for whoever only reads: nothing is migrated and nothing written, so that a role with SELECT alone serves.
 * A schema that is not the one of this release is refused. The embedded server is started if it is not running, as by
 * every command.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../config.ts"
import { clientLayer, startError } from "./client.ts"
import { embeddedDatabase } from "./embedded/embedded.ts"
import { NEWEST } from "./migrate.ts"

/** How far a database is migrated, and how far this release would. */
export const schemaVersion = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly isThere: boolean }>`
    SELECT to_regclass('schema_migration') IS NOT NULL AS "isThere"`
  if (!found!.isThere) return { applied: 0, newest: NEWEST }
  const [row] = yield* sql<{ readonly id: number }>`
    SELECT coalesce(max(migration_id), 0)::int AS id FROM schema_migration`
  return { applied: row!.id, newest: NEWEST }
})

/** What to do about a schema of another release; null if it is this one's. */
export const schemaRemedy = ({ applied, newest }: Effect.Success<typeof schemaVersion>): string | null => {
  if (applied === newest) return null
  return applied < newest
    ? `it is migrated to ${applied} and this release needs ${newest}; run repay migrate with the owner of its tables`
    : `a newer release has migrated it (to ${applied}; this release knows ${newest}); use that release`
}

const checked = (client: ReturnType<typeof clientLayer>) =>
  Layer.tap(client, (services) =>
    schemaVersion.pipe(
      Effect.mapError(startError),
      Effect.flatMap((version) => {
        const message = schemaRemedy(version)
        return message === null ? Effect.void : Effect.fail(startError({ message }))
      }),
      Effect.provideContext(services)
    )
  )

/** The database that the configuration names. */
export const readerLayer = Layer.unwrap(
  Effect.gen(function* () {
    const { databasePooling, databaseUrl, dataDir } = yield* AppConfig
    if (databaseUrl !== null) return checked(clientLayer({ url: databaseUrl }, databasePooling))
    const { socketPath } = yield* embeddedDatabase({ dataDir })
    return checked(clientLayer({ socketPath }))
  })
)

/**
 * The database for commands that only read: it migrates and writes nothing, so a role with only
 * SELECT is enough. A schema of another release is refused. The embedded server is started if it is
 * not running.
 */
import { Effect, Layer } from "effect"
import { AppConfig } from "../platform/config.ts"
import { clientLayer, startError } from "./client.ts"
import { embeddedDatabase } from "./embedded/embedded.ts"
import { schemaVersion } from "./migrate.ts"

/** The remedy for a schema of another release; null if the schema is this release's. */
export const schemaRemedy = ({ applied, newest }: Effect.Success<typeof schemaVersion>): string | null => {
  if (applied === newest) return null
  return applied < newest
    ? `it is migrated to ${applied} and this release needs ${newest}; run repay migrate with the owner of its tables`
    : `a newer release has migrated it (to ${applied}; this release knows ${newest}); use that release`
}

/** The configured database. */
export const readerLayer = Layer.unwrap(
  Effect.gen(function* () {
    const { databasePooling, databaseUrl, dataDir } = yield* AppConfig
    if (databaseUrl !== null) return clientLayer({ url: databaseUrl }, databasePooling)
    const { socketPath } = yield* embeddedDatabase({ dataDir })
    return clientLayer({ socketPath })
  })
).pipe(
  Layer.tap((services) =>
    schemaVersion.pipe(
      Effect.mapError(startError),
      Effect.flatMap((version) => {
        const message = schemaRemedy(version)
        return message === null ? Effect.void : Effect.fail(startError({ message }))
      }),
      Effect.provideContext(services)
    )
  )
)

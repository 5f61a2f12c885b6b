/** Read-only access to the installation's database. A role with SELECT is enough. */
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Settings } from "../../platform/config.ts"

interface Reader {
  readonly sql: SqlClient.SqlClient
  readonly settings: Settings
  readonly now: Date
}

/** Runs `work` on the installation's database, which is neither created nor migrated. */
export const withReader = Effect.fnUntraced(function* <A, E extends Error, R>(
  work: (reader: Reader) => Effect.Effect<A, E, R>
) {
  const { readerLayer } = yield* Effect.promise(() => import("../../database/reader.ts"))
  const { AppConfig } = yield* Effect.promise(() => import("../../platform/config.ts"))
  const { commandFailure } = yield* Effect.promise(() => import("./installation.ts"))
  const program = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const settings = yield* AppConfig
    const now = new Date(yield* Clock.currentTimeMillis)
    return yield* work({ sql, settings, now })
  })
  return yield* program.pipe(
    Effect.provide(readerLayer),
    Effect.provide(AppConfig.layerInUse),
    Effect.mapError(commandFailure)
  )
})

export const READS = "Reads the database of DATABASE_URL or DATA_DIR, also with a role that can only read."

/** Access to the installation's database, which is neither created nor migrated. */
import { Effect } from "effect"

/** Runs work on the database; its failures become failed commands. */
export const onInstallation = Effect.fnUntraced(function* <A, E extends Error, R>(work: Effect.Effect<A, E, R>) {
  const { COMMAND_DEADLINES, commandFailure, Installation } = yield* Effect.promise(() => import("./installation.ts"))
  return yield* work.pipe(
    Effect.provide(Installation),
    Effect.provide(COMMAND_DEADLINES),
    Effect.mapError(commandFailure)
  )
})

/** Runs work that only reads. A role with SELECT is enough. */
export const withReader = Effect.fnUntraced(function* <A, E extends Error, R>(work: Effect.Effect<A, E, R>) {
  const { readerLayer } = yield* Effect.promise(() => import("../../database/index.ts"))
  const { AppConfig } = yield* Effect.promise(() => import("../../platform/config.ts"))
  const { COMMAND_DEADLINES, commandFailure } = yield* Effect.promise(() => import("./installation.ts"))
  return yield* work.pipe(
    Effect.provide(readerLayer),
    Effect.provide(AppConfig.layerInUse),
    Effect.provide(COMMAND_DEADLINES),
    Effect.mapError(commandFailure)
  )
})

export const READS = "Reads the database of DATABASE_URL or DATA_DIR, also with a role that can only read."

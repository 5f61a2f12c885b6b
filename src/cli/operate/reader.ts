/** Access to the installation's database, which is neither created nor migrated. */
import { Effect } from "effect"

/** Runs work on the database; its failures become failed commands. */
export const onInstallation = Effect.fnUntraced(function* <A, E extends Error, R>(work: Effect.Effect<A, E, R>) {
  const { Deadlines, UNHURRIED } = yield* Effect.promise(() => import("../../database/index.ts"))
  const { commandFailure, Installation } = yield* Effect.promise(() => import("./installation.ts"))
  return yield* work.pipe(
    Effect.provide(Installation),
    Effect.provideService(Deadlines, UNHURRIED),
    Effect.mapError(commandFailure)
  )
})

/** Runs work that only reads. A role with SELECT is enough. */
export const withReader = Effect.fnUntraced(function* <A, E extends Error, R>(work: Effect.Effect<A, E, R>) {
  const { Deadlines, readerLayer, UNHURRIED } = yield* Effect.promise(() => import("../../database/index.ts"))
  const { AppConfig } = yield* Effect.promise(() => import("../../platform/config.ts"))
  const { commandFailure } = yield* Effect.promise(() => import("./installation.ts"))
  return yield* work.pipe(
    Effect.provide(readerLayer),
    Effect.provide(AppConfig.layerInUse),
    Effect.provideService(Deadlines, UNHURRIED),
    Effect.mapError(commandFailure)
  )
})

export const READS = "Reads the database of DATABASE_URL or DATA_DIR, also with a role that can only read."

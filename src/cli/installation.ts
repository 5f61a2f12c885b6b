/**
 * The settings and the database that the environment names, for commands that work on them. Turns every reason why they
 * cannot be used into a failed command. Only `serve` and `migrate` create a database; the others open an existing one.
 */
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { AppConfig, ConfigProblems } from "../config.ts"
import { holdsDatabase } from "../database/embedded/embedded.ts"
import { type DatabaseStartError, databaseLayer } from "../database/postgres.ts"
import { LedgerUnavailable } from "../services/ledgerUnavailable.ts"
import { badInput, CommandFailed, unavailable } from "./failures.ts"

export { PepperIsReplaced } from "../database/installation.ts"

/** A failure of settings, database or listener as a failed command. */
export const commandFailure = (failure: Error): CommandFailed => {
  if (failure instanceof CommandFailed) return failure
  if (failure instanceof ConfigProblems) return badInput(...failure.lines)
  if (failure instanceof LedgerUnavailable) {
    return unavailable("The database is unavailable; try again later.")
  }
  const reason = failure.message === "" && failure.cause instanceof Error ? failure.cause.message : failure.message
  // Empty when a worker process has said it already.
  return reason === "" ? unavailable() : unavailable(reason)
}

const DatabaseThatExists: Layer.Layer<SqlClient.SqlClient, DatabaseStartError | CommandFailed, AppConfig> =
  Layer.unwrap(
    Effect.gen(function* () {
      const { databaseUrl, dataDir } = yield* AppConfig
      if (databaseUrl === null && !holdsDatabase(dataDir)) {
        return yield* unavailable(
          `There is no database in ${dataDir}; set DATABASE_URL, or DATA_DIR to the data directory of the service.`
        )
      }
      return databaseLayer
    })
  )

/** Settings and existing database of the installation. */
export const Installation = DatabaseThatExists.pipe(Layer.provideMerge(AppConfig.layer))

/** The same, with the database created if it does not exist. */
export const NewInstallation = databaseLayer.pipe(Layer.provideMerge(AppConfig.layer))

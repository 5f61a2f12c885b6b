/**
 * The installation that the environment names, for commands that act on it: its settings and its database. Turns every
 * reason why it cannot be used into one way for a command to fail. A database is opened, never made, except by
 * `serve` and `migrate`.
 */
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { AppConfig, ConfigProblems } from "../config.ts"
import { holdsDatabase } from "../database/embedded/embedded.ts"
import { type DatabaseStartError, databaseLayer } from "../database/postgres.ts"
import { LedgerUnavailable } from "../services/ledgerUnavailable.ts"
import { badInput, CommandFailed, unavailable } from "./failures.ts"

/** A failure of settings, database or listener as the end of a command. */
export const commandFailure = (failure: Error): CommandFailed => {
  if (failure instanceof CommandFailed) return failure
  if (failure instanceof ConfigProblems) return badInput(...failure.lines)
  if (failure instanceof LedgerUnavailable) {
    return unavailable("The database did not carry it out; try again when it answers.")
  }
  return unavailable(failure.message === "" && failure.cause instanceof Error ? failure.cause.message : failure.message)
}

const DatabaseThatExists: Layer.Layer<SqlClient.SqlClient, DatabaseStartError | CommandFailed, AppConfig> =
  Layer.unwrap(
    Effect.gen(function* () {
      const { databaseUrl, dataDir } = yield* AppConfig
      if (databaseUrl === null && !holdsDatabase(dataDir)) {
        return yield* unavailable(
          `There is no database in ${dataDir}; set DATABASE_URL, or the DATA_DIR of the service.`
        )
      }
      return databaseLayer
    })
  )

/** Settings and database of the installation. */
export const Installation = DatabaseThatExists.pipe(Layer.provideMerge(AppConfig.layer))

/** The same, made if it is not there. */
export const NewInstallation = databaseLayer.pipe(Layer.provideMerge(AppConfig.layer))

/**
 * The settings and the database that the environment names, for commands that work on them. FairQueue every reason why they
 * cannot be used into a failed command. Only `serve` and `migrate` create a database; the others open an existing one.
 */
import { Layer } from "effect"
import { databaseLayer } from "../../database/postgres.ts"
import { AppConfig, ConfigProblems, NoInstallation } from "../../platform/config.ts"
import { LedgerUnavailable } from "../../services/ledgerUnavailable.ts"
import { badInput, CommandFailed, unavailable } from "../failures.ts"

export { PepperIsReplaced } from "../../database/installation.ts"

/** A failure of settings, database or listener as a failed command. */
export const commandFailure = (failure: Error): CommandFailed => {
  if (failure instanceof CommandFailed) return failure
  if (failure instanceof ConfigProblems) return badInput(...failure.lines)
  if (failure instanceof LedgerUnavailable) {
    return unavailable("The database is unavailable; try again later.")
  }
  if (failure instanceof NoInstallation) {
    return unavailable(
      `There is no database in ${failure.dataDir}; set DATABASE_URL, or DATA_DIR to the data directory of the service.`
    )
  }
  const reason = failure.message === "" && failure.cause instanceof Error ? failure.cause.message : failure.message
  // Empty when a worker process has said it already.
  return reason === "" ? unavailable() : unavailable(reason)
}

/** Settings and existing database of the installation. */
export const Installation = databaseLayer.pipe(Layer.provideMerge(AppConfig.layerInUse))

/** The same, with the database created if it does not exist. */
export const NewInstallation = databaseLayer.pipe(Layer.provideMerge(AppConfig.layer))

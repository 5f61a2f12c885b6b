/**
 * Settings and database of the installation that the environment names, and their failures as
 * failed commands. Only `serve` and `migrate` create a database; the others open an existing one.
 */
import { Layer } from "effect"
import { databaseLayer } from "../../database/index.ts"
import { AppConfig, ConfigProblems, NoInstallation } from "../../platform/config.ts"
import { LedgerUnavailable } from "../../services/ledgerUnavailable.ts"
import { badInput, CommandFailed, unavailable } from "../failures.ts"

export { PepperIsReplaced } from "../../database/index.ts"

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
  // Empty if a worker process has already reported the failure.
  return reason === "" ? unavailable() : unavailable(reason)
}

/** Settings and existing database of the installation. */
export const Installation = databaseLayer.pipe(Layer.provideMerge(AppConfig.layerInUse))

/** Like `Installation`, but creates the database if it does not exist. */
export const NewInstallation = databaseLayer.pipe(Layer.provideMerge(AppConfig.layer))

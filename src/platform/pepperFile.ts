/**
 * The pepper file of an installation without SECRET_PEPPER. The pepper is the secret with which API
 * keys are hashed. If it is missing next to an existing database, no new one is made: under another
 * pepper every API key would be refused.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { makeSecret, readSecret } from "./secretFile.ts"

const PEPPER_FILE = "pepper"

/** Whether the data folder has a database, which is always created after its pepper. */
export const isInUse = (dataDir: string): boolean => existsSync(join(dataDir, "postgres", "data", "PG_VERSION"))

/** The pepper in `dataDir`, created on the first call. A failure is one line for the operator. */
export const keptPepper = Effect.fnUntraced(function* (dataDir: string): Effect.fn.Return<string, string> {
  const path = join(dataDir, PEPPER_FILE)
  const read = <A>(step: () => A | Promise<A>) =>
    Effect.tryPromise({
      try: async () => step(),
      catch: (cause) =>
        `SECRET_PEPPER: is not set, and none can be stored in DATA_DIR (${cause instanceof Error ? cause.message : "unknown failure"}); set SECRET_PEPPER or a writable DATA_DIR`
    })
  const kept = yield* read(() => readSecret(dataDir, PEPPER_FILE))
  if (kept !== undefined) return kept
  if (isInUse(dataDir)) {
    return yield* Effect.fail(
      `SECRET_PEPPER: is not set, and ${path} is missing, although its database exists; restore the file from a backup, or, if it is lost, set SECRET_PEPPER to a new one and run: repay migrate --replace-pepper`
    )
  }
  return yield* read(() => makeSecret(dataDir, PEPPER_FILE))
})

/**
 * The verifier keys of the private keys that this installation is configured with: what its operator can believe without
 * believing the database. Makes no key, and does not ask which of them signs.
 */
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { AppConfig, ConfigProblems } from "../../platform/config.ts"
import { readSecret } from "../../platform/secretFile.ts"
import { NAME } from "../../proof/note.ts"
import { isWholeKey, KEY_FILE } from "./keys.ts"
import { makeSigner } from "./signing.ts"

/** The key of an installation that was given none. It is the embedded database's: others may share theirs. */
const keptKey = Effect.fnUntraced(function* (dataDir: string) {
  const problem = new ConfigProblems({
    lines: [`DATA_DIR: ${join(dataDir, KEY_FILE)} does not hold 64 hex digits; restore it from a backup, or use --key`]
  })
  const key = yield* Effect.try({ try: () => readSecret(dataDir, KEY_FILE), catch: () => problem })
  if (key === undefined) return []
  return isWholeKey(key) ? [key] : yield* problem
})

/** Under the names that logs and checkpoints have: whoever names one falsely has not signed it with these keys. */
export const configuredKeys = Effect.fn("configuredKeys")(function* (names: ReadonlyArray<string>) {
  const { databaseUrl, dataDir, logKeyLost, logSigningKey, previousLogSigningKey } = yield* AppConfig
  const set = [logSigningKey, previousLogSigningKey].filter((key) => key !== null).map(Redacted.value)
  const keys = set.length > 0 || databaseUrl !== null ? set : yield* keptKey(dataDir)
  const isConfigured = keys.length > 0
  const each = names.filter((name) => NAME.test(name)).flatMap((name) => keys.map((key) => ({ name, key })))
  const signers = yield* Effect.forEach(each, ({ key, name }) =>
    Effect.promise(() => makeSigner(name, Buffer.from(key, "hex")))
  )
  const lost = logKeyLost === null ? [] : [logKeyLost]
  return { isConfigured, keys: [...signers.map(({ verifierKey }) => verifierKey), ...lost] }
})

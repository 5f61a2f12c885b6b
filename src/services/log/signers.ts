/**
 * Who signs the log: its name, which is PUBLIC_URL without the scheme and `/log`, and one key or, while one is replaced by
 * another, both. Without LOG_SIGNING_KEY a key is made once and kept in DATA_DIR.
 */
import { Effect, Redacted } from "effect"
import { AppConfig, ConfigProblems } from "../../config.ts"
import { makeSecret, readSecret } from "../../secretFile.ts"
import { makeSigner } from "./signing.ts"

const KEY_FILE = "log-key"

/** Which log it is. */
export const originOf = (publicUrl: string): string => `${publicUrl.replace(/^https?:\/\//, "")}/log`

/** All nodes must sign with the same key, and those of DATABASE_URL need not have a folder in common. */
const keptKey = Effect.fnUntraced(function* (dataDir: string, isShared: boolean) {
  const problem = (line: string) => new ConfigProblems({ lines: [`LOG_SIGNING_KEY: ${line}`] })
  if (isShared) {
    return yield* problem(
      "is required with DATABASE_URL; use 64 hex digits, such as the output of: openssl rand -hex 32"
    )
  }
  return yield* Effect.try({
    try: () => readSecret(dataDir, KEY_FILE) ?? makeSecret(dataDir, KEY_FILE),
    catch: (cause) => problem(`is not set, and none can be kept in DATA_DIR (${String(cause)}); set it`)
  })
})

/** The new key first. */
export const makeSigners = Effect.gen(function* () {
  const { databaseUrl, dataDir, logSigningKey, previousLogSigningKey, publicUrl } = yield* AppConfig
  const current = logSigningKey === null ? yield* keptKey(dataDir, databaseUrl !== null) : Redacted.value(logSigningKey)
  const previous = previousLogSigningKey === null ? [] : [Redacted.value(previousLogSigningKey)]
  const name = originOf(publicUrl)
  return yield* Effect.forEach([current, ...previous], (key) =>
    Effect.promise(() => makeSigner(name, Buffer.from(key, "hex")))
  )
})

/**
 * Who signs the log: its name, and one key or, while one is replaced by another, both. Without LOG_SIGNING_KEY a key is
 * made once and kept in DATA_DIR. The name under which a log was begun is kept with it; here is the one for a new log.
 */
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { AppConfig, ConfigProblems } from "../../platform/config.ts"
import { makeSecret, readSecret } from "../../platform/secretFile.ts"
import { parseVerifierKey } from "../../proof/note.ts"
import { makeSigner, type Signer } from "./signing.ts"

export const KEY_FILE = "log-key"

/** What a name may not have, and the sign that would be read as one of those. */
const percentEncoded = (text: string): string =>
  text.replace(/[\s+\p{White_Space}]/gu, (one) => (one === "+" ? "%2B" : encodeURIComponent(one)))

/** Which log it is: host and path of the address, whatever else it is made of. */
export const originOf = (publicUrl: string): string => {
  const { host, pathname } = new URL(publicUrl)
  return percentEncoded(`${host}${pathname.replace(/\/+$/, "")}/log`)
}

const problem = (line: string) => new ConfigProblems({ lines: [line] })

export const isWholeKey = (key: string): boolean => /^[0-9a-f]{64}$/i.test(key)

/** All nodes must sign with the same key, and those of DATABASE_URL need not have a folder in common. */
const keptKey = Effect.fnUntraced(function* (dataDir: string, isShared: boolean) {
  if (isShared) {
    return yield* problem(
      "LOG_SIGNING_KEY: is required with DATABASE_URL; use 64 hex digits, such as the output of: openssl rand -hex 32"
    )
  }
  const key = yield* Effect.tryPromise({
    try: async () => readSecret(dataDir, KEY_FILE) ?? makeSecret(dataDir, KEY_FILE),
    catch: (cause) =>
      problem(`LOG_SIGNING_KEY: is not set, and none can be kept in DATA_DIR (${String(cause)}); set it`)
  })
  if (isWholeKey(key)) return key
  return yield* problem(
    `LOG_SIGNING_KEY: is not set, and ${join(dataDir, KEY_FILE)} does not hold 64 hex digits; restore the file from a backup`
  )
})

const lostKey = Effect.fnUntraced(function* (key: string | null) {
  if (key === null) return []
  const check = Effect.tryPromise({
    try: () => parseVerifierKey(key),
    catch: () =>
      problem("LOG_KEY_LOST: use one line of GET /log/key as it is, such as api.example.org/log+1a2b3c4d+AT...")
  })
  return yield* Effect.as(check, [key])
})

/** Who signs a log, and whose signature under it is believed. */
export interface Signers {
  readonly name: string
  /** The new key first. */
  readonly signers: ReadonlyArray<Signer>
  readonly believed: ReadonlyArray<string>
}

/** Signers under a name, which is not known before the log is read. */
export const makeSigners = Effect.gen(function* () {
  const { databaseUrl, dataDir, logKeyLost, logSigningKey, previousLogSigningKey } = yield* AppConfig
  const current = logSigningKey === null ? yield* keptKey(dataDir, databaseUrl !== null) : Redacted.value(logSigningKey)
  const previous = previousLogSigningKey === null ? [] : [Redacted.value(previousLogSigningKey)]
  const keys = [...new Set([current.toLowerCase(), ...previous])]
  const lost = yield* lostKey(logKeyLost)
  return Effect.fnUntraced(function* (name: string) {
    const signers = yield* Effect.promise(() =>
      Promise.all(keys.map((key) => makeSigner(name, Buffer.from(key, "hex"))))
    )
    return { name, signers, believed: [...signers.map(({ verifierKey }) => verifierKey), ...lost] }
  })
})

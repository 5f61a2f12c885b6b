/**
 * Keys of the log (those that sign, those trusted here, those published) and its signed texts: a
 * checkpoint (C2SP tlog-checkpoint) and a receipt (C2SP tlog-proof). Without LOG_SIGNING_KEY a key
 * is generated once and kept in DATA_DIR. A log keeps the name (origin) it started with; `originOf`
 * makes the name of a new log from the public URL.
 */
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { AppConfig, ConfigProblems } from "../../platform/config.ts"
import { SIGNING_KEY_REQUIRED } from "../../platform/crossChecks.ts"
import { makeSecret, readSecret } from "../../platform/secretFile.ts"
import { type Bytes, concat, fromBase64, refuse, toBase64, utf8 } from "../../proof/bytes.ts"
import { type Checkpoint, FIRST_LINE, openCheckpoint } from "../../proof/checkpoint.ts"
import {
  ALGORITHM,
  ED25519_TYPE,
  keyId,
  NAME,
  parseVerifierKey,
  type SignatureType,
  verifierKeyOf
} from "../../proof/note.ts"
import type { Tree } from "../../proof/tree.ts"

export const KEY_FILE = "log-key"

/** Encodes whitespace and plus signs, which the name of a key must not contain. */
const percentEncoded = (text: string): string =>
  text.replace(/[\s+\p{White_Space}]/gu, (one) => (one === "+" ? "%2B" : encodeURIComponent(one)))

/** The name of a new log: host and path of the public URL. */
export const originOf = (publicUrl: string): string => {
  const { host, pathname } = new URL(publicUrl)
  return percentEncoded(`${host}${pathname.replace(/\/+$/, "")}/log`)
}

const problem = (line: string) => new ConfigProblems({ lines: [line] })

export const isSigningKey = (key: string): boolean => /^[0-9a-f]{64}$/i.test(key)

/**
 * The key kept in DATA_DIR, generated if there is none yet. With DATABASE_URL no key is generated:
 * all nodes must use the same key, and a file in DATA_DIR may be visible to one node only.
 */
const keptKey = Effect.fnUntraced(function* (dataDir: string, isShared: boolean) {
  if (isShared) {
    return yield* problem(SIGNING_KEY_REQUIRED)
  }
  const key = yield* Effect.tryPromise({
    try: async () => readSecret(dataDir, KEY_FILE) ?? makeSecret(dataDir, KEY_FILE),
    catch: (cause) =>
      problem(`LOG_SIGNING_KEY: is not set, and none can be kept in DATA_DIR (${String(cause)}); set it`)
  })
  if (isSigningKey(key)) return key
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

/** The keys that sign a log, and those whose signatures are trusted. */
export interface Signers {
  readonly name: string
  /** The current key first. */
  readonly signers: ReadonlyArray<Signer>
  readonly trusted: ReadonlyArray<string>
}

/**
 * Makes a function that takes the name of a log and returns its signers. The name is an argument
 * because it is known only after the log has been read.
 */
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
    return { name, signers, trusted: [...signers.map(({ verifierKey }) => verifierKey), ...lost] }
  })
})

export interface Signer {
  /** The public key as verifiers take it: `<name>+<key id>+<key>`. */
  readonly verifierKey: string
  readonly sign: (text: string) => Promise<string>
}

/** PKCS #8 header of a 32-byte Ed25519 private key (RFC 8410, section 7). */
const PKCS8 = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]

/** A key of this type. Those of witnesses are made by tests alone. */
export const makeKey = async (name: string, privateKey: Uint8Array, type: SignatureType) => {
  if (!NAME.test(name)) refuse("the name of a key has no spaces and no plus")
  const key = await crypto.subtle.importKey("pkcs8", concat(PKCS8, privateKey), ALGORITHM, true, ["sign"])
  const { x } = await crypto.subtle.exportKey("jwk", key)
  const publicKey = fromBase64(`${x!.replaceAll("-", "+").replaceAll("_", "/")}=`)
  const id = await keyId(name, publicKey, type)
  /** The signature line over a message, which has `prefix` before the signature. */
  const sign = async (message: string, prefix: ArrayLike<number> = []) => {
    const signature = new Uint8Array(await crypto.subtle.sign(ALGORITHM, key, utf8(message)))
    return `— ${name} ${toBase64(concat(id, prefix, signature))}\n`
  }
  return { verifierKey: await verifierKeyOf(name, publicKey, type), sign }
}

/** A signer with this name and 32-byte private key. */
export const makeSigner = async (name: string, privateKey: Uint8Array): Promise<Signer> => {
  const { sign, verifierKey } = await makeKey(name, privateKey, ED25519_TYPE)
  return { verifierKey, sign: (text) => sign(text) }
}

/** A signed note. The text must end with a newline. */
export const signNote = async (text: string, signers: ReadonlyArray<Signer>): Promise<string> =>
  `${text}\n${(await Promise.all(signers.map(({ sign }) => sign(text)))).join("")}`

/** The body of a checkpoint: the part that is signed. */
export const checkpointText = ({ origin, root, size }: Checkpoint): string => `${origin}\n${size}\n${toBase64(root)}\n`

/** The log name that a checkpoint claims, unverified. */
export const nameIn = (checkpoint: string): string => checkpoint.split("\n", 1)[0]!

/** The tree of a checkpoint that was signed here, so it is not parsed strictly. */
export const treeOf = (checkpoint: string): Tree => {
  const [, size, root] = checkpoint.split("\n")
  return { size: Number(size), root: fromBase64(root!) }
}

/** A receipt: the record as extra data, its index and proof, and the signed checkpoint. */
export const receiptText = (record: Bytes, index: number, proof: ReadonlyArray<Bytes>, checkpoint: string): string =>
  [FIRST_LINE, `extra ${toBase64(record)}`, `index ${index}`, ...proof.map(toBase64), "", checkpoint].join("\n")

export const readKeys = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly key: string }>`
      SELECT verifier_key AS key FROM log_key ORDER BY used_since DESC, verifier_key DESC`,
    (rows) => rows.map(({ key }) => key)
  )

/**
 * Puts the current key first in the published list. It gets there even if it was in use before, or
 * if clock skew gave another key a later time. A previous key that is not listed yet comes second.
 */
export const publishKeys = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { signers }: Signers, now: Date) {
  const [current, previous] = signers.map(({ verifierKey }) => verifierKey)
  const listed = yield* readKeys(sql)
  const add = (key: string, since: Date) => sql`
    INSERT INTO log_key (verifier_key, used_since)
    SELECT ${key}::text, greatest(${since}::timestamptz, max(used_since) + interval '1 millisecond') FROM log_key`
  const isReplaced = previous !== undefined && !listed.includes(previous)
  if (isReplaced) yield* add(previous, new Date(now.getTime() - 1))
  if (isReplaced || current !== listed[0]) yield* add(current!, now)
})

/**
 * The generated key in DATA_DIR, if there is one. One is generated only with the embedded database
 * (see `keptKey`).
 */
const storedKey = Effect.fnUntraced(function* (dataDir: string) {
  const problem = new ConfigProblems({
    lines: [`DATA_DIR: ${join(dataDir, KEY_FILE)} does not hold 64 hex digits; restore it from a backup, or use --key`]
  })
  const key = yield* Effect.try({ try: () => readSecret(dataDir, KEY_FILE), catch: () => problem })
  if (key === undefined) return []
  return isSigningKey(key) ? [key] : yield* problem
})

/**
 * The verifier keys of this installation, for each of the given log names. A name may come from a
 * checkpoint that nobody has verified. A false name does no harm, because no signature by these
 * keys is then found.
 */
export const configuredKeys = Effect.fn("configuredKeys")(function* (names: ReadonlyArray<string>) {
  const { databaseUrl, dataDir, logKeyLost, logSigningKey, previousLogSigningKey } = yield* AppConfig
  const set = [logSigningKey, previousLogSigningKey].filter((key) => key !== null).map(Redacted.value)
  const keys = set.length > 0 || databaseUrl !== null ? set : yield* storedKey(dataDir)
  const isConfigured = keys.length > 0
  const each = names.filter((name) => NAME.test(name)).flatMap((name) => keys.map((key) => ({ name, key })))
  const signers = yield* Effect.forEach(each, ({ key, name }) =>
    Effect.promise(() => makeSigner(name, Buffer.from(key, "hex")))
  )
  const lost = logKeyLost === null ? [] : [logKeyLost]
  return { isConfigured, keys: [...signers.map(({ verifierKey }) => verifierKey), ...lost] }
})

/**
 * Makes a function that returns the configured verifier keys for a log's name, or none if they
 * cannot be read. It caches the last result, because deriving the keys takes a millisecond.
 */
export const makeInstallationKeys = Effect.gen(function* () {
  const config = yield* AppConfig
  const none: ReadonlyArray<string> = []
  let last = { name: "", keys: none }
  return Effect.fnUntraced(function* (name: string) {
    if (last.name === name && last.keys.length > 0) return last.keys
    const { keys } = yield* configuredKeys([name]).pipe(
      Effect.orElseSucceed(() => ({ keys: none })),
      Effect.provideService(AppConfig, config)
    )
    last = { name, keys: keys.filter((key) => key.startsWith(`${name}+`)) }
    return last.keys
  })
})

/**
 * The size of a checkpoint; null unless one of this installation's keys has signed it. The last
 * result is cached.
 */
export const makeVerifiedSize = Effect.gen(function* () {
  const ownKeys = yield* makeInstallationKeys
  let verified = { name: "", checkpoint: "", size: 0 }
  return Effect.fnUntraced(function* (name: string, checkpoint: string) {
    if (verified.checkpoint === checkpoint && verified.name === name) return verified.size
    const ofName = yield* ownKeys(name)
    const opened = yield* Effect.promise(() => openCheckpoint(checkpoint, ofName).catch(() => null))
    if (opened === null) return null
    verified = { name, checkpoint, size: opened.size }
    return opened.size
  })
})

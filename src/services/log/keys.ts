/**
 * Keys of logs by name, those published, and signed texts: a checkpoint (C2SP tlog-checkpoint) and a
 * receipt (C2SP tlog-proof). A log keeps the name (origin) it started with; `originOf` makes the
 * name of a new log from the public URL. LogKeys.ts has the keys of this installation.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Bytes, concat, fromBase64, refuse, toBase64, utf8 } from "../../proof/bytes.ts"
import { type Checkpoint, FIRST_LINE } from "../../proof/checkpoint.ts"
import { ALGORITHM, ED25519_TYPE, keyId, NAME, type SignatureType, verifierKeyOf } from "../../proof/note.ts"
import type { Tree } from "../../proof/tree.ts"

/** Encodes whitespace and plus signs, which the name of a key must not contain. */
const percentEncoded = (text: string): string =>
  text.replace(/[\s+\p{White_Space}]/gu, (one) => (one === "+" ? "%2B" : encodeURIComponent(one)))

/** The name of a new log: host and path of the public URL. */
export const originOf = (publicUrl: string): string => {
  const { host, pathname } = new URL(publicUrl)
  return percentEncoded(`${host}${pathname.replace(/\/+$/, "")}/log`)
}

/** The keys that sign a log, and the trusted keys. */
export interface Signers {
  readonly name: string
  /** The current key first. */
  readonly signers: ReadonlyArray<Signer>
  readonly trusted: ReadonlyArray<string>
}

export interface Signer {
  /** The public key as verifiers take it: `<name>+<key id>+<key>`. */
  readonly verifierKey: string
  readonly sign: (text: string) => Promise<string>
}

/** PKCS #8 header of a 32-byte Ed25519 private key (RFC 8410, section 7). */
const PKCS8 = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]

/** A key of this type. Only tests make keys of witnesses. */
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

export const readKeys = SqlClient.SqlClient.use((sql) =>
  Effect.map(
    sql<{ readonly key: string }>`
      SELECT verifier_key AS key FROM log_key ORDER BY used_since DESC, verifier_key DESC`,
    (rows) => rows.map(({ key }) => key)
  )
)

/**
 * Puts the current key first in the published list. It gets there even if it was in use before, or
 * if clock skew gave another key a later time. A previous key that is not listed yet comes second.
 */
export const publishKeys = Effect.fnUntraced(function* ({ signers }: Signers, now: Date) {
  const sql = yield* SqlClient.SqlClient
  const [current, previous] = signers.map(({ verifierKey }) => verifierKey)
  const listed = yield* readKeys
  const add = (key: string, since: Date) => sql`
    INSERT INTO log_key (verifier_key, used_since)
    SELECT ${key}::text, greatest(${since}::timestamptz, max(used_since) + interval '1 millisecond') FROM log_key`
  const isReplaced = previous !== undefined && !listed.includes(previous)
  if (isReplaced) yield* add(previous, new Date(now.getTime() - 1))
  if (isReplaced || current !== listed[0]) yield* add(current!, now)
})

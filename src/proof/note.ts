/**
 * Signed notes of C2SP signed-note, Ed25519 only: a text and its signatures. The caller decides
 * which keys to trust; other signatures are ignored.
 */
import { type Bytes, concat, fromBase64, isEqual, refuse, toBase64, toHex, utf8, webSha256 } from "./bytes.ts"

export const ALGORITHM = "Ed25519"
/** Signature types: over the text of a note, and the cosignature of a witness. */
export const ED25519_TYPE = 1
export const COSIGNATURE_TYPE = 4
export type SignatureType = typeof ED25519_TYPE | typeof COSIGNATURE_TYPE
const KEY_BYTES = 32
const ID_BYTES = 4
/** Enough for sixteen signatures of the largest kind that the specification knows. */
export const MAX_NOTE_CHARACTERS = 200_000

export const NAME = /^[^\s+\p{White_Space}]+$/u

export const keyId = async (name: string, key: Uint8Array, type: SignatureType = ED25519_TYPE): Promise<Bytes> =>
  (await webSha256(concat(utf8(`${name}\n`), [type], key))).slice(0, ID_BYTES)

export const verifierKeyOf = async (name: string, key: Uint8Array, type: SignatureType = ED25519_TYPE) =>
  `${name}+${toHex(await keyId(name, key, type))}+${toBase64(concat([type], key))}`

export const parseVerifierKey = async (verifierKey: string, wanted: SignatureType = ED25519_TYPE) => {
  const [, name, base64] = /^([^+]+)\+[0-9a-f]{8}\+(.*)$/s.exec(verifierKey) ?? refuse("it is not a verifier key")
  const [type, ...key] = fromBase64(base64!)
  const publicKey = Uint8Array.from(key)
  const isKey = NAME.test(name!) && type === wanted && key.length === KEY_BYTES
  if (!isKey || (await verifierKeyOf(name!, publicKey, wanted)) !== verifierKey)
    refuse(`it is not a verifier key of Ed25519, type 0x0${wanted}`)
  return { name: name!, id: await keyId(name!, publicKey, wanted), publicKey }
}

type Key = Awaited<ReturnType<typeof parseVerifierKey>>

/** The text of a note, not yet verified. */
export const textOfNote = (note: string): string => note.slice(0, note.lastIndexOf("\n\n") + 1)

const SIGNATURE = /^— ([^\s+\p{White_Space}]+) (\S+)$/u

/** The signatures of a note, not yet verified. */
const signaturesOf = (note: string) => {
  const text = textOfNote(note)
  const lines = note.slice(text.length + 1).split("\n")
  const isText = note.length <= MAX_NOTE_CHARACTERS && ![...note].some((one) => one < " " && one !== "\n")
  if (!isText || text === "" || lines.pop() !== "") refuse("it is not a signed note")
  return lines.map((line) => {
    const [, name, base64] = SIGNATURE.exec(line) ?? refuse("a signature of the note is not written as one")
    const bytes = fromBase64(base64!)
    if (bytes.length <= ID_BYTES) refuse("a signature of the note is too short")
    return { line, name: name!, id: bytes.subarray(0, ID_BYTES), signature: bytes.subarray(ID_BYTES) }
  })
}

const checkSignature = async ({ publicKey }: Key, signature: Bytes, message: string): Promise<void> => {
  const key = await crypto.subtle.importKey("raw", publicKey, ALGORITHM, false, ["verify"])
  if (!(await crypto.subtle.verify(ALGORITHM, key, signature, utf8(message)))) refuse("a signature does not verify")
}

/** A note's text if one of these keys signed it; throws if a signature by any of them is wrong. */
export const openNote = async (note: string, verifierKeys: ReadonlyArray<string>): Promise<string> => {
  const signatures = signaturesOf(note)
  const text = textOfNote(note)
  const parsed = await Promise.all(verifierKeys.map((key) => parseVerifierKey(key).catch(() => undefined)))
  let verified = 0
  for (const { id, name, signature } of signatures) {
    const known = parsed.find((key) => key && key.name === name && isEqual(key.id, id))
    if (known === undefined) continue
    await checkSignature(known, signature, text)
    verified++
  }
  return verified > 0 ? text : refuse("no trusted key has signed it")
}

const MILLIS_PER_SECOND = 1000n
/** The last second that a Date can hold. */
const MAX_SECONDS = 8_640_000_000_000n

export const cosignedText = (seconds: bigint, text: string): string => `cosignature/v1\ntime ${seconds}\n${text}`

/**
 * A witness's cosignature of a note (tlog-cosignature, Ed25519): its line, and the time at which
 * the witness saw the note. Null if there is none; throws if one is wrong.
 */
export const cosignatureOf = async (note: string, verifierKey: string) => {
  const key = await parseVerifierKey(verifierKey, COSIGNATURE_TYPE)
  const own = signaturesOf(note).filter(({ id, name }) => name === key.name && isEqual(id, key.id))
  const seen = await Promise.all(
    own.map(async ({ line, signature }) => {
      const seconds = BigInt(`0x${toHex(signature.subarray(0, 8))}`)
      if (seconds === 0n || seconds > MAX_SECONDS) refuse("a cosignature has no time")
      await checkSignature(key, signature.subarray(8), cosignedText(seconds, textOfNote(note)))
      return { line, at: new Date(Number(seconds * MILLIS_PER_SECOND)) }
    })
  )
  return seen.reduce<(typeof seen)[number] | null>((first, one) => (first && first.at <= one.at ? first : one), null)
}

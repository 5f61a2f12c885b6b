/**
 * Signed notes of C2SP signed-note, Ed25519 only: a text and its signatures. The caller decides
 * which keys to trust; other signatures are ignored.
 */
import { type Bytes, concat, fromBase64, isEqual, refuse, toBase64, toHex, utf8, webSha256 } from "./bytes.ts"

export const ALGORITHM = "Ed25519"
const ED25519_TYPE = 1
const ID_BYTES = 4
/** Enough for sixteen signatures of the largest kind that the specification knows. */
export const MAX_NOTE_CHARACTERS = 200_000

export const NAME = /^[^\s+\p{White_Space}]+$/u

export const keyId = async (name: string, key: Uint8Array): Promise<Bytes> =>
  (await webSha256(concat(utf8(`${name}\n`), [ED25519_TYPE], key))).slice(0, ID_BYTES)

export const verifierKeyOf = async (name: string, key: Uint8Array): Promise<string> =>
  `${name}+${toHex(await keyId(name, key))}+${toBase64(concat([ED25519_TYPE], key))}`

export const parseVerifierKey = async (verifierKey: string) => {
  const [, name, base64] = /^([^+]+)\+[0-9a-f]{8}\+(.*)$/s.exec(verifierKey) ?? refuse("it is not a verifier key")
  const [type, ...key] = fromBase64(base64!)
  const publicKey = Uint8Array.from(key)
  const isKey = NAME.test(name!) && type === ED25519_TYPE
  if (!isKey || (await verifierKeyOf(name!, publicKey)) !== verifierKey) refuse("it is not a verifier key of Ed25519")
  return { name: name!, id: await keyId(name!, publicKey), publicKey }
}

const SIGNATURE = /^— ([^\s+\p{White_Space}]+) (\S+)$/u

/** The text of a note, not yet verified. */
export const textOfNote = (note: string): string => note.slice(0, note.lastIndexOf("\n\n") + 1)

/** A note's text if one of these keys signed it; throws if a signature by any of them is wrong. */
export const openNote = async (note: string, verifierKeys: ReadonlyArray<string>): Promise<string> => {
  const text = textOfNote(note)
  const lines = note.slice(text.length + 1).split("\n")
  const isText = note.length <= MAX_NOTE_CHARACTERS && ![...note].some((one) => one < " " && one !== "\n")
  if (!isText || text === "" || lines.pop() !== "") refuse("it is not a signed note")
  const parsed = await Promise.all(verifierKeys.map((key) => parseVerifierKey(key).catch(() => undefined)))
  let verified = 0
  for (const line of lines) {
    const [, name, base64] = SIGNATURE.exec(line) ?? refuse("a signature of the note is not written as one")
    const signature = fromBase64(base64!)
    if (signature.length <= ID_BYTES) refuse("a signature of the note is too short")
    const known = parsed.find((key) => key && key.name === name && isEqual(key.id, signature.subarray(0, ID_BYTES)))
    if (known === undefined) continue
    const key = await crypto.subtle.importKey("raw", known.publicKey, ALGORITHM, false, ["verify"])
    const isRight = await crypto.subtle.verify(ALGORITHM, key, signature.subarray(ID_BYTES), utf8(text))
    if (!isRight) refuse("a signature does not verify")
    verified++
  }
  return verified > 0 ? text : refuse("none of the keys that are believed has signed it")
}

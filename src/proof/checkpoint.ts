/**
 * Checkpoints (C2SP tlog-checkpoint) and receipts (C2SP tlog-proof). A receipt holds a record as
 * its extra data, the proof that it is in a log, and the log's checkpoint. The log entry is the
 * SHA-256 of the record.
 */
import { type Bytes, fromBase64, refuse, textOf, webSha256, wholeNumber } from "./bytes.ts"
import { MAX_NOTE_CHARACTERS, openNote, textOfNote } from "./note.ts"
import { checkInclusion, HASH_BYTES, leafHash, type Tree } from "./tree.ts"

export interface Checkpoint extends Tree {
  readonly origin: string
}

const hashOf = (text: string): Bytes => {
  const hash = fromBase64(text)
  return hash.length === HASH_BYTES ? hash : refuse("a hash does not have 32 bytes")
}

/** The content of a checkpoint, verified by a signature of its log. Extension lines are ignored. */
export const openCheckpoint = async (note: string, verifierKeys: ReadonlyArray<string>): Promise<Checkpoint> => {
  if (note.length > MAX_NOTE_CHARACTERS) refuse("it is longer than a checkpoint")
  const lines = textOfNote(note).split("\n")
  const [origin, size, root] = lines
  if (lines.length < 4 || lines.slice(0, -1).includes("")) refuse("it is not a checkpoint")
  const ofThisLog = verifierKeys.filter((key) => key.startsWith(`${origin}+`))
  await openNote(note, ofThisLog)
  return { origin: origin!, size: wholeNumber(size!), root: hashOf(root!) }
}

export const FIRST_LINE = "c2sp.org/tlog-proof@v1"

export interface Receipt {
  readonly record: string
  readonly index: number
  readonly checkpoint: Checkpoint
}

/** The checkpoint at the end of a receipt, as text. */
export const noteOf = (receipt: string): string => receipt.slice(receipt.indexOf("\n\n") + 2)

/** Reads a receipt and verifies that its record is in the log at the index; throws if not. */
export const openReceipt = async (text: string, verifierKeys: ReadonlyArray<string>): Promise<Receipt> => {
  const end = Math.max(text.indexOf("\n\n"), 0)
  const [first, extra, index, ...proof] = text.slice(0, end).split("\n")
  const isReceipt = first === FIRST_LINE && extra?.startsWith("extra ") && index?.startsWith("index ")
  if (!isReceipt) refuse("it is not a receipt")
  const checkpoint = await openCheckpoint(noteOf(text), verifierKeys)
  const record = fromBase64(extra!.slice("extra ".length))
  const at = wholeNumber(index!.slice("index ".length))
  await checkInclusion(checkpoint, at, await leafHash(await webSha256(record)), proof.map(hashOf))
  return { record: textOf(record), index: at, checkpoint }
}

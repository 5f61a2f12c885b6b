/** Checkpoints (C2SP tlog-checkpoint) and receipts (C2SP tlog-proof) as texts. They are read and checked in src/proof. */
import { type Bytes, fromBase64, toBase64 } from "../../proof/bytes.ts"
import { type Checkpoint, FIRST_LINE } from "../../proof/checkpoint.ts"
import type { Tree } from "../../proof/tree.ts"

/** What is signed. */
export const checkpointText = ({ origin, root, size }: Checkpoint): string => `${origin}\n${size}\n${toBase64(root)}\n`

/** The log that a checkpoint names, believed or not. */
export const nameIn = (checkpoint: string): string => checkpoint.split("\n", 1)[0]!

/** The text of a checkpoint without its signatures, which may be anybody's. */
export const signedIn = (checkpoint: string): string => checkpoint.split("\n\n", 1)[0]!

/** The tree of a checkpoint that was signed here. */
export const treeOf = (checkpoint: string): Tree => {
  const [, size, root] = checkpoint.split("\n")
  return { size: Number(size), root: fromBase64(root!) }
}

/** The record is the extra data, and `checkpoint` a signed one. */
export const receiptText = (record: Bytes, index: number, proof: ReadonlyArray<Bytes>, checkpoint: string): string =>
  [FIRST_LINE, `extra ${toBase64(record)}`, `index ${index}`, ...proof.map(toBase64), "", checkpoint].join("\n")

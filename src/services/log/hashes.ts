/** Hashes over parts of a tree, from those of its whole subtrees. Where these are kept is not known here: `HashAt` reads them. */
import { type Bytes, type Sha256, webSha256 } from "../../proof/bytes.ts"
import { nodeHash, splitOf } from "../../proof/tree.ts"

/** The hash of the `index`th whole subtree over 2^`height` entries. */
export type HashAt = (height: number, index: number) => Bytes | Promise<Bytes>

/** The hash over the entries `from` to `to`, a range that a proof may name. */
export const rangeHash = async (hashAt: HashAt, from: number, to: number, sha256: Sha256): Promise<Bytes> => {
  const size = to - from
  if (size === 1) return hashAt(0, from)
  const split = splitOf(size)
  if (split * 2 === size) return hashAt(Math.log2(size), from / size)
  const right = await rangeHash(hashAt, from + split, to, sha256)
  return nodeHash(await rangeHash(hashAt, from, from + split, sha256), right, sha256)
}

export const rootOf = async (hashAt: HashAt, size: number, sha256 = webSha256): Promise<Bytes> =>
  size === 0 ? sha256(new Uint8Array()) : rangeHash(hashAt, 0, size, sha256)

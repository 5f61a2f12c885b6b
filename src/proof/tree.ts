/** Merkle trees of RFC 6962, section 2.1: hashes, and checks of inclusion and consistency. */
import { type Bytes, concat, isEqual, refuse, webSha256 } from "./bytes.ts"

export const HASH_BYTES = 32

export interface Tree {
  readonly size: number
  readonly root: Bytes
}

export const leafHash = (entry: Uint8Array, sha256 = webSha256) => sha256(concat(Uint8Array.of(0), entry))
export const nodeHash = (left: Uint8Array, right: Uint8Array, sha256 = webSha256) => sha256(concat([1], left, right))

/** The largest power of two that is smaller than `size`, which is at least 2. */
export const splitOf = (size: number): number => {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

/** Checks that the leaf is in the tree at `index`; throws if not. */
export const checkInclusion = async ({ root, size }: Tree, index: number, leaf: Bytes, proof: ReadonlyArray<Bytes>) => {
  const rest = [...proof]
  const rootOver = async (at: number, width: number): Promise<Bytes> => {
    if (width === 1) return leaf
    const split = splitOf(width)
    const sibling = rest.pop() ?? refuse("the proof is too short for the tree")
    if (at < split) return nodeHash(await rootOver(at, split), sibling)
    return nodeHash(sibling, await rootOver(at - split, width - split))
  }
  if (index >= size) refuse(`a tree of ${size} has no entry ${index}`)
  const isRight = isEqual(await rootOver(index, size), root) && rest.length === 0
  if (!isRight) refuse("the entry is not in the tree at this index")
}

/** Checks that `later` begins with `earlier`. Throws if it does not, or if `earlier` is empty. */
export const checkConsistency = async (earlier: Tree, later: Tree, proof: ReadonlyArray<Bytes>) => {
  const rest = [...proof]
  const next = () => rest.pop() ?? refuse("the proof is too short for the trees")
  const rootsOver = async (from: number, to: number): Promise<readonly [Bytes, Bytes]> => {
    if (earlier.size === to) {
      const both = from === 0 ? earlier.root : next()
      return [both, both]
    }
    const sibling = next()
    const middle = from + splitOf(to - from)
    const isLeft = earlier.size <= middle
    const [before, after] = isLeft ? await rootsOver(from, middle) : await rootsOver(middle, to)
    if (isLeft) return [before, await nodeHash(after, sibling)]
    return [await nodeHash(sibling, before), await nodeHash(sibling, after)]
  }
  const isPart = earlier.size > 0 && earlier.size <= later.size
  const [before, after] = isPart
    ? await rootsOver(0, later.size)
    : refuse("the later tree is the smaller, or one is empty")
  const isRight = isEqual(before, earlier.root) && isEqual(after, later.root) && rest.length === 0
  if (!isRight) refuse("the later tree does not begin with the earlier one")
}

/** The proofs of RFC 6962, section 2.1, made out of the hashes of a tree. They are checked in src/proof. */
import { type Bytes, refuse, webSha256 } from "../../proof/bytes.ts"
import { splitOf } from "../../proof/tree.ts"
import { type HashAt, rangeHash } from "./hashes.ts"

/** From the leaf's sibling up to the root's child (section 2.1.1). */
export const inclusionProof = (hashAt: HashAt, index: number, size: number, sha256 = webSha256) => {
  const path = async (from: number, to: number): Promise<ReadonlyArray<Bytes>> => {
    if (to - from === 1) return []
    const middle = from + splitOf(to - from)
    return index < middle
      ? [...(await path(from, middle)), await rangeHash(hashAt, middle, to, sha256)]
      : [...(await path(middle, to)), await rangeHash(hashAt, from, middle, sha256)]
  }
  return index < size ? path(0, size) : refuse(`a tree of ${size} has no entry ${index}`)
}

/** That the tree of `size` begins with the tree of its first `first` entries (section 2.1.2). */
export const consistencyProof = (hashAt: HashAt, first: number, size: number, sha256 = webSha256) => {
  const path = async (from: number, to: number): Promise<ReadonlyArray<Bytes>> => {
    if (first === to) return from === 0 ? [] : [await rangeHash(hashAt, from, to, sha256)]
    const middle = from + splitOf(to - from)
    return first <= middle
      ? [...(await path(from, middle)), await rangeHash(hashAt, middle, to, sha256)]
      : [...(await path(middle, to)), await rangeHash(hashAt, from, middle, sha256)]
  }
  return first > 0 && first <= size ? path(0, size) : refuse(`a tree of ${size} does not begin with one of ${first}`)
}

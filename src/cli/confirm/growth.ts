/** Checks that a log only grew, for `repay log watch` and `repay log witness`. */
import { sha256 } from "../../platform/sha256.ts"
import { type Bytes, isEqual, refuse } from "../../proof/bytes.ts"
import { checkConsistency, type Tree } from "../../proof/tree.ts"

/** The root of the empty tree (RFC 6962, section 2.1). */
export const EMPTY_ROOT = sha256(new Uint8Array())

/** Throws unless the proof shows that `later` extends `earlier`, which may be empty. */
export const checkGrowth = async (earlier: Tree, later: Tree, proof: ReadonlyArray<Bytes>): Promise<void> => {
  for (const { root, size } of [earlier, later])
    if (size === 0 && !isEqual(root, EMPTY_ROOT)) refuse("the root of an empty log is not that of the empty tree")
  if (earlier.size > 0) return checkConsistency(earlier, later, proof)
  if (proof.length > 0) refuse("an empty log needs no proof")
}

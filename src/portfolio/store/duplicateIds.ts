/**
 * The search for borrower ids that occur more than once in a portfolio. It compares their hashes
 * (keys) and needs eight bytes per borrower.
 */
import type { Parts } from "./parts.ts"

export interface DuplicateIds {
  readonly keys: ReadonlySet<bigint>
  readonly parts: ReadonlyArray<number>
}

const NONE: DuplicateIds = { keys: new Set(), parts: [] }

const duplicatesIn = (sorted: BigUint64Array): ReadonlySet<bigint> =>
  new Set([...sorted.filter((key, index) => index > 0 && key === sorted[index - 1])])

/** Searches the first `count` parts, all of which must be done. */
export const findDuplicateIds = async (parts: Parts, count: number): Promise<DuplicateIds> => {
  const idsByPart: Array<BigUint64Array> = []
  for (let index = 0; index < count; index++) idsByPart.push(await parts.ids(index))
  const all = new BigUint64Array(idsByPart.reduce((sum, ids) => sum + ids.length, 0))
  let end = 0
  for (const ids of idsByPart) {
    all.set(ids, end)
    end += ids.length
  }
  const keys = duplicatesIn(all.sort())
  if (keys.size === 0) return NONE
  return { keys, parts: idsByPart.flatMap((ids, index) => (ids.some((key) => keys.has(key)) ? [index] : [])) }
}

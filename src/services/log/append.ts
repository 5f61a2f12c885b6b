/**
 * A tree that grows: out of the tiles at its right edge and new entries come the tiles that change, and the new root.
 * The tile of level 0 holds the entries themselves, whose leaf hashes are one step away; only full tiles go up a level.
 */
import { type Bytes, concat, type Sha256, webSha256 } from "../../proof/bytes.ts"
import { HASH_BYTES, leafHash } from "../../proof/tree.ts"
import { rootOf } from "./hashes.ts"
import { rowsAbove, TILE_HEIGHT, TILE_WIDTH, tileWidth } from "./tiles.ts"

/** Hashes of one level, from the `n`th tile of it. */
export interface StoredTile {
  readonly level: number
  readonly n: number
  readonly hashes: Bytes
}

/** Levels that a tree of less than 2^48 entries has tiles of. */
const LEVELS = 6

export const rowsOf = (hashes: Bytes): Array<Bytes> =>
  Array.from({ length: hashes.length / HASH_BYTES }, (_, at) => hashes.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES))

/** A tile as tlog-tiles has it: at level 0 the leaf hashes of the entries. */
export const servedHashes = async (level: number, hashes: Bytes, sha256 = webSha256): Promise<Bytes> => {
  if (level > 0) return hashes
  const leaves = new Uint8Array(hashes.length)
  for (let at = 0; at < hashes.length; at += HASH_BYTES) {
    leaves.set(await leafHash(hashes.subarray(at, at + HASH_BYTES), sha256), at)
  }
  return leaves
}

/** The tiles at the right edge of a tree of `size`: those that are begun and not full. */
export const edgeOf = (size: number): ReadonlyArray<{ readonly level: number; readonly n: number }> =>
  Array.from({ length: LEVELS }, (_, level) => ({ level, n: Math.floor(size / TILE_WIDTH ** (level + 1)) })).filter(
    ({ level, n }) => tileWidth(size, level, n) > 0
  )

/** Where the entry `index` is found, level by level. */
export const tilesAbove = (index: number): ReadonlyArray<{ readonly level: number; readonly n: number }> =>
  Array.from({ length: LEVELS }, (_, level) => ({ level, n: Math.floor(index / TILE_WIDTH ** (level + 1)) }))

/** The tiles that `entries` change or add, in no order, and the root over all. `edge` are the tiles of `edgeOf(size)`. */
export const grow = async (
  size: number,
  edge: ReadonlyArray<StoredTile>,
  entries: ReadonlyArray<Bytes>,
  sha256: Sha256
): Promise<{ readonly tiles: ReadonlyArray<StoredTile>; readonly root: Bytes }> => {
  const full: Array<StoredTile> = []
  const open = Array.from({ length: LEVELS }, (_, level) => ({
    level,
    n: Math.floor(size / TILE_WIDTH ** (level + 1)),
    rows: rowsOf(edge.find((tile) => tile.level === level)?.hashes ?? new Uint8Array()),
    isChanged: false
  }))
  const add = async (level: number, hash: Bytes): Promise<void> => {
    const tile = open[level]!
    tile.isChanged = true
    if (tile.rows.push(hash) < TILE_WIDTH) return
    const hashes = concat(...tile.rows)
    full.push({ level, n: tile.n, hashes })
    open[level] = { level, n: tile.n + 1, rows: [], isChanged: false }
    await add(level + 1, (await rowsAbove(await servedHashes(level, hashes, sha256), sha256)).at(-1)!)
  }
  for (const entry of entries) await add(0, entry)
  const begun = open.map(({ level, n, rows }) => ({ level, n, hashes: concat(...rows) }))
  const rows = await Promise.all(
    begun.map(async ({ hashes, level }) => rowsAbove(await servedHashes(level, hashes, sha256), sha256))
  )
  const root = await rootOf(
    (height, index) => {
      const row = rows[Math.floor(height / TILE_HEIGHT)]![height % TILE_HEIGHT]!
      const at = (index % (TILE_WIDTH / 2 ** (height % TILE_HEIGHT))) * HASH_BYTES
      return row.slice(at, at + HASH_BYTES)
    },
    size + entries.length,
    sha256
  )
  return { tiles: [...full, ...begun.filter((_, level) => open[level]!.isChanged)], root }
}

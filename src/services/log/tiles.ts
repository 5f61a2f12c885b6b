/**
 * Tiles of the log (C2SP tlog-tiles), each with up to 256 hashes of the tree. The parts: HTTP
 * paths, database rows, readers that verify tiles, and RFC 6962 proofs made from them. Such proofs
 * are checked in src/proof.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Bytes, concat, isEqual, refuse, type Sha256, webSha256 } from "../../proof/bytes.ts"
import { HASH_BYTES, leafHash, nodeHash, splitOf, type Tree } from "../../proof/tree.ts"

export const TILE_WIDTH = 256
export const TILE_HEIGHT = 8

export interface Tile {
  readonly level: number | "entries"
  readonly n: number
  readonly width: number
}

/** The number of hashes that the tile has in a tree of `size`; 0 if it is not in that tree. */
export const tileWidth = (size: number, level: number, n: number): number =>
  Math.min(TILE_WIDTH, Math.max(0, Math.floor(size / TILE_WIDTH ** level) - n * TILE_WIDTH))

/** The path of a tile below the log's prefix, such as `tile/0/x001/x234/067.p/8`. */
export const tilePath = ({ level, n, width }: Tile): string => {
  const digits = String(n).padStart(3 * Math.ceil(String(n).length / 3), "0")
  const elements = digits.match(/.../g)!.map((three, at, all) => (at < all.length - 1 ? `x${three}` : three))
  return `tile/${level}/${elements.join("/")}${width === TILE_WIDTH ? "" : `.p/${width}`}`
}

type ReadTile = (tile: Tile) => Bytes | Promise<Bytes>

/** The hashes of a tile, then those of the complete subtrees above them: one row per height. */
export type Rows = ReadonlyArray<Bytes>

export const rowsAbove = async (hashes: Bytes, sha256 = webSha256): Promise<Rows> => {
  const rows = [hashes]
  for (let row = hashes; row.length >= 2 * HASH_BYTES; row = rows.at(-1)!) {
    const above: Array<Uint8Array> = []
    for (let at = 0; at + HASH_BYTES < row.length; at += 2 * HASH_BYTES)
      above.push(await sha256(concat(Uint8Array.of(1), row.subarray(at, at + 2 * HASH_BYTES))))
    rows.push(concat(...above))
  }
  return rows
}

const checkWidth = ({ width }: Tile, hashes: Bytes): Bytes =>
  hashes.length === width * HASH_BYTES ? hashes : refuse("a tile has not as many hashes as it should")

/**
 * Reads a tree's hashes from untrusted rows of its tiles. Only `tree` is trusted. The partial tiles
 * must hash to its root, and each full tile to its hash in the tile above.
 */
export const openRows = async (
  tree: Tree,
  rowsOf: (tile: Tile) => Rows | Promise<Rows>,
  sha256 = webSha256
): Promise<HashAt> => {
  const known = new Map<string, Promise<Rows>>()
  const load = async (level: number, n: number) => {
    const tile = { level, n, width: tileWidth(tree.size, level, n) }
    const rows = tile.width === 0 ? refuse(`a tree of ${tree.size} has no such tile`) : await rowsOf(tile)
    checkWidth(tile, rows[0]!)
    const isRight = tile.width < TILE_WIDTH || isEqual(rows.at(-1)!, await hashAt(TILE_HEIGHT * (level + 1), n))
    return isRight ? rows : refuse("a tile is not the tree's")
  }
  const hashAt = async (height: number, index: number): Promise<Bytes> => {
    const [level, row] = [Math.floor(height / TILE_HEIGHT), height % TILE_HEIGHT]
    const inTile = TILE_WIDTH / 2 ** row
    const n = Math.floor(index / inTile)
    const key = `${level}/${n}`
    if (!known.has(key)) known.set(key, load(level, n))
    const at = (index % inTile) * HASH_BYTES
    return (await known.get(key)!)[row]!.slice(at, at + HASH_BYTES)
  }
  if (!isEqual(await rootOf(hashAt, tree.size, sha256), tree.root)) refuse("the tiles do not make up the tree's root")
  return hashAt
}

/** Like `openRows`, but reads tiles and computes their rows. */
export const openTiles = (tree: Tree, read: ReadTile, sha256 = webSha256): Promise<HashAt> =>
  openRows(tree, async (tile) => rowsAbove(checkWidth(tile, await read(tile)), sha256), sha256)

/** The hash of the `index`th complete subtree of 2^`height` entries. */
export type HashAt = (height: number, index: number) => Bytes | Promise<Bytes>

/** The hash over entries `from` to `to` (exclusive), a range that an RFC 6962 proof can contain. */
const rangeHash = async (hashAt: HashAt, from: number, to: number, sha256: Sha256): Promise<Bytes> => {
  const size = to - from
  if (size === 1) return hashAt(0, from)
  const split = splitOf(size)
  if (split * 2 === size) return hashAt(Math.log2(size), from / size)
  const right = await rangeHash(hashAt, from + split, to, sha256)
  return nodeHash(await rangeHash(hashAt, from, from + split, sha256), right, sha256)
}

export const rootOf = async (hashAt: HashAt, size: number, sha256 = webSha256): Promise<Bytes> =>
  size === 0 ? sha256(new Uint8Array()) : rangeHash(hashAt, 0, size, sha256)

/** Inclusion proof (RFC 6962, section 2.1.1), from the leaf's sibling up to the root's child. */
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

/** Consistency proof (RFC 6962, section 2.1.2) that the tree extends its first `first` entries. */
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

const TILE_PATH = /^tile\/(entries|\d|[1-5]\d|6[0-3])\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/

/** The tile at a path; undefined if the path is invalid or not canonical. */
export const parseTilePath = (path: string): Tile | undefined => {
  const [, level, digits, width] = TILE_PATH.exec(path) ?? []
  if (level === undefined || digits === undefined) return undefined
  const n = Number(digits.replaceAll(/[x/]/g, ""))
  const tile: Tile = { level: level === "entries" ? level : Number(level), n, width: Number(width ?? TILE_WIDTH) }
  return tile.width <= TILE_WIDTH && tilePath(tile) === path ? tile : undefined
}

/** An entry bundle: each entry preceded by its length in two bytes. */
export const entryBundle = (entries: Uint8Array): Bytes =>
  concat(
    ...Array.from({ length: entries.length / HASH_BYTES }, (_, at) =>
      concat([0, HASH_BYTES], entries.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES))
    )
  )

export const loadTiles = Effect.fnUntraced(function* (wanted: ReadonlyArray<Pick<StoredTile, "level" | "n">>) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql<StoredTile>`
    SELECT level, n::float8 AS n, hashes FROM log_tile JOIN (
      SELECT DISTINCT level, n
      FROM unnest(${wanted.map(({ level }) => level)}::smallint[], ${wanted.map(({ n }) => n)}::bigint[]) AS one (level, n)
    ) AS wanted USING (level, n)`
  return found.map((tile): StoredTile => ({ ...tile, hashes: new Uint8Array(tile.hashes) }))
})

/** A row of log_tile. Level 0 stores the entries, not their leaf hashes. */
export interface StoredTile {
  readonly level: number
  readonly n: number
  readonly hashes: Bytes
}

/** Levels of tiles in a tree of fewer than 2^48 entries. */
export const LEVELS = 6

export const rowsOf = (hashes: Bytes): Array<Bytes> =>
  Array.from({ length: hashes.length / HASH_BYTES }, (_, at) => hashes.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES))

/** The hashes of a tile as tlog-tiles serves it: at level 0 the leaf hashes of the entries. */
export const servedHashes = async (level: number, hashes: Bytes, sha256 = webSha256): Promise<Bytes> => {
  if (level > 0) return hashes
  const leaves = new Uint8Array(hashes.length)
  for (let at = 0; at < hashes.length; at += HASH_BYTES) {
    leaves.set(await leafHash(hashes.subarray(at, at + HASH_BYTES), sha256), at)
  }
  return leaves
}

/** The partial tiles at the right edge of a tree of `size`. */
export const edgeOf = (size: number): ReadonlyArray<{ readonly level: number; readonly n: number }> =>
  Array.from({ length: LEVELS }, (_, level) => ({ level, n: Math.floor(size / TILE_WIDTH ** (level + 1)) })).filter(
    ({ level, n }) => tileWidth(size, level, n) > 0
  )

/** The tile on the path of entry `index`, at each level. */
export const tilesAbove = (index: number): ReadonlyArray<{ readonly level: number; readonly n: number }> =>
  Array.from({ length: LEVELS }, (_, level) => ({ level, n: Math.floor(index / TILE_WIDTH ** (level + 1)) }))

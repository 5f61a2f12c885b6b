/**
 * Tiles of C2SP tlog-tiles: where the hashes of a tree lie in tiles of 256, and how to read them from someone who is not
 * trusted. Fetches nothing.
 */
import { type Bytes, concat, isEqual, refuse, webSha256 } from "../../proof/bytes.ts"
import { HASH_BYTES, type Tree } from "../../proof/tree.ts"
import { type HashAt, rootOf } from "./hashes.ts"

export const TILE_WIDTH = 256
export const TILE_HEIGHT = 8

export interface Tile {
  readonly level: number | "entries"
  readonly n: number
  readonly width: number
}

/** How many hashes of a tree of `size` the tile has: none, if it is not in that tree. */
export const tileWidth = (size: number, level: number, n: number): number =>
  Math.min(TILE_WIDTH, Math.max(0, Math.floor(size / TILE_WIDTH ** level) - n * TILE_WIDTH))

/** Its path below the prefix of the log: `tile/0/x001/x234/067.p/8`. */
export const tilePath = ({ level, n, width }: Tile): string => {
  const digits = String(n).padStart(3 * Math.ceil(String(n).length / 3), "0")
  const elements = digits.match(/.../g)!.map((three, at, all) => (at < all.length - 1 ? `x${three}` : three))
  return `tile/${level}/${elements.join("/")}${width === TILE_WIDTH ? "" : `.p/${width}`}`
}

type ReadTile = (tile: Tile) => Bytes | Promise<Bytes>

/** The hashes of all whole subtrees over those of a tile, a row for each height. The first row is the tile. */
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

const ofItsWidth = ({ width }: Tile, hashes: Bytes): Bytes =>
  hashes.length === width * HASH_BYTES ? hashes : refuse("a tile has not as many hashes as it should")

/**
 * The hashes of a tree, out of the rows of its tiles. Nothing is believed but `tree`: the tiles that are not full must make
 * up its root, and each full one is the hash that the tile above has of it.
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
    ofItsWidth(tile, rows[0]!)
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

/** The same, read tile by tile. */
export const openTiles = (tree: Tree, read: ReadTile, sha256 = webSha256): Promise<HashAt> =>
  openRows(tree, async (tile) => rowsAbove(ofItsWidth(tile, await read(tile)), sha256), sha256)

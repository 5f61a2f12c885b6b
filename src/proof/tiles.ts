/**
 * Tiles of C2SP tlog-tiles: where the hashes of a tree lie in tiles of 256, and how to read them from someone who is not
 * trusted. Fetches nothing.
 */
import { type Bytes, isEqual, refuse, webSha256 } from "./bytes.ts"
import { HASH_BYTES, type HashAt, nodeHash, rootOf, type Tree } from "./tree.ts"

export const TILE_WIDTH = 256
export const TILE_HEIGHT = 8

export interface Tile {
  readonly level: number | "entries"
  readonly n: number
  /** Hashes in it: 1 to 256. */
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

/** The hash of a whole subtree over these hashes, a power of two of them. */
export const subtreeHash = async (hashes: Bytes, sha256 = webSha256): Promise<Bytes> => {
  if (hashes.length === HASH_BYTES) return hashes.slice()
  const middle = hashes.length / 2
  const left = await subtreeHash(hashes.subarray(0, middle), sha256)
  return nodeHash(left, await subtreeHash(hashes.subarray(middle), sha256), sha256)
}

/**
 * The hashes of a tree, read tile by tile. Nothing is believed but `tree`: the tiles that are not full must make up its
 * root, and each full one is the hash that the tile above has of it.
 */
export const openTiles = async (tree: Tree, read: ReadTile, sha256 = webSha256): Promise<HashAt> => {
  const known = new Map<string, Promise<Bytes>>()
  const load = async (level: number, n: number): Promise<Bytes> => {
    const width = tileWidth(tree.size, level, n)
    const hashes = width === 0 ? refuse(`a tree of ${tree.size} has no such tile`) : await read({ level, n, width })
    if (hashes.length !== width * HASH_BYTES) refuse("a tile has not as many hashes as it should")
    if (width < TILE_WIDTH) return hashes
    const above = await hashAt(TILE_HEIGHT * (level + 1), n)
    return isEqual(await subtreeHash(hashes, sha256), above) ? hashes : refuse("a tile is not the tree's")
  }
  const hashAt = async (height: number, index: number): Promise<Bytes> => {
    const level = Math.floor(height / TILE_HEIGHT)
    const span = 2 ** (height % TILE_HEIGHT)
    const n = Math.floor((index * span) / TILE_WIDTH)
    const key = `${level}/${n}`
    if (!known.has(key)) known.set(key, load(level, n))
    const at = ((index * span) % TILE_WIDTH) * HASH_BYTES
    return subtreeHash((await known.get(key)!).slice(at, at + span * HASH_BYTES), sha256)
  }
  if (!isEqual(await rootOf(hashAt, tree.size, sha256), tree.root)) refuse("the tiles do not make up the tree's root")
  return hashAt
}

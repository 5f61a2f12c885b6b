/**
 * The tree that the records of today make up, beside the one that the stored entries make up: what was signed says of
 * each tile which of the two is right, and the first that is not is named. Believes no table but what fits the signature;
 * who has signed is asked in audit.ts.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { type Bytes, isEqual } from "../../proof/bytes.ts"
import { HASH_BYTES, type Tree } from "../../proof/tree.ts"
import { ledgerCall } from "../ledgerUnavailable.ts"
import { sha256 } from "../sha256.ts"
import { allOf, atLength } from "./allRows.ts"
import { deedIn } from "./deeds.ts"
import { type Finding, finding } from "./findings.ts"
import { type StoredTile, servedHashes } from "./growth.ts"
import type { HashAt } from "./hashes.ts"
import { hashAt, type LoggedTile, loadTile } from "./loggedRecords.ts"
import { loadTiles } from "./storedTiles.ts"
import { openTiles, rowsAbove, TILE_WIDTH, type Tile, tileWidth } from "./tiles.ts"

const TILE_BYTES = TILE_WIDTH * HASH_BYTES

/** One side of the comparison: the hash of each full tile of entries, and the entries of the last one, if it is not full. */
interface Side {
  readonly full: Bytes
  readonly edge: Bytes
}

/** The tree that was signed, where something that is stored still makes it up. */
interface Opened extends Side {
  /** The hashes of level 1, level 2 and so on. */
  readonly levels: ReadonlyArray<Bytes>
}

const tileHash = async (level: number, hashes: Bytes): Promise<Bytes> =>
  (await rowsAbove(await servedHashes(level, hashes, sha256), sha256)).at(-1)!

/** What is found anywhere comes last. */
const placeIn = ({ index }: Finding): number => index ?? Number.POSITIVE_INFINITY

/** The levels over the hashes of full tiles of entries. */
const levelsOver = async (full: Bytes): Promise<ReadonlyArray<Bytes>> => {
  const levels = [full]
  for (let below = full; below.length >= TILE_BYTES; below = levels.at(-1)!) {
    const above = new Uint8Array(Math.floor(below.length / TILE_BYTES) * HASH_BYTES)
    for (let n = 0; n * HASH_BYTES < above.length; n++) {
      above.set(await tileHash(levels.length, below.slice(n * TILE_BYTES, (n + 1) * TILE_BYTES)), n * HASH_BYTES)
    }
    levels.push(above)
  }
  return levels
}

/** The hashes of the tree, `entries` being what is known of its tiles of entries. Refuses what is not the tree. */
export const openLevels = (
  tree: Tree,
  levels: ReadonlyArray<Bytes>,
  entries: (n: number) => Bytes | undefined
): Promise<HashAt> => {
  const read = ({ level, n, width }: Tile) =>
    level === 0
      ? servedHashes(0, (entries(n) ?? new Uint8Array()).slice(0, width * HASH_BYTES), sha256)
      : levels[Number(level) - 1]!.slice(n * TILE_BYTES, n * TILE_BYTES + width * HASH_BYTES)
  return openTiles(tree, read, sha256)
}

/** Each side may be right of other tiles, and level 1 of all of them: the first mixture that makes up the signed root. */
const believe = async (tree: Tree, stored: Side, made: Side, level1: Bytes): Promise<Opened | undefined> => {
  for (const full of [stored.full, made.full, level1]) {
    const levels = await levelsOver(full)
    for (const edge of [stored.edge, made.edge]) {
      const isRight = await openLevels(tree, levels, () => edge).then(
        () => true,
        () => false
      )
      if (isRight) return { full, edge, levels }
    }
  }
  return undefined
}

/** That a tile of entries has not as many as were signed. */
const unevenIn = ({ n, stored, width }: LoggedTile): Finding | null => {
  const found = stored.length / HASH_BYTES
  if (found === width) return null
  const what = found > width ? "entries are stored that were not signed" : "entries are missing from the stored tiles"
  return finding("damaged", n * TILE_WIDTH + Math.floor(Math.min(found, width)), null, what)
}

const addTile = async (stored: Side, made: Side, tile: LoggedTile): Promise<void> => {
  const at = tile.n * HASH_BYTES
  const entries = tile.stored.slice(0, tile.made.length)
  const hash = await tileHash(0, tile.made)
  made.full.set(hash, at)
  if (isEqual(entries, tile.made)) stored.full.set(hash, at)
  else if (entries.length === TILE_BYTES) stored.full.set(await tileHash(0, entries), at)
}

/** Both sides of all that was signed, and the first tile that is not as long as it should be. */
const readSides = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, size: number) {
  const full = () => new Uint8Array(Math.floor(size / TILE_WIDTH) * HASH_BYTES)
  let [stored, made]: [Side, Side] = [
    { full: full(), edge: new Uint8Array() },
    { full: full(), edge: new Uint8Array() }
  ]
  let uneven: Finding | null = null
  for (let n = 0; n * TILE_WIDTH < size; n++) {
    const tile = yield* loadTile(sql, n, tileWidth(size, 0, n))
    uneven ??= unevenIn(tile)
    // Nothing of it is left, so what follows would be read for nothing, however much a checkpoint claims to be there.
    const isGone = tile.stored.length === 0 && tile.records.every(({ length }) => length === 0)
    if (isGone) return { stored, made, uneven, isWhole: false }
    if (tile.width === TILE_WIDTH) yield* Effect.promise(() => addTile(stored, made, tile))
    else
      [stored, made] = [
        { ...stored, edge: tile.stored.slice(0, tile.made.length) },
        { ...made, edge: tile.made }
      ]
  }
  return { stored, made, uneven, isWhole: true }
})

/** The first tile of entries that is not right on both sides, and what was done in it. */
const compareEntries = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  size: number,
  { made, stored }: { readonly made: Side; readonly stored: Side },
  opened: Opened | undefined
) {
  for (let n = 0; n * TILE_WIDTH < size; n++) {
    const width = tileWidth(size, 0, n)
    const of = ({ edge, full }: Side) => (width < TILE_WIDTH ? edge : hashAt(full, n))
    const isRight = (side: Side) => opened !== undefined && isEqual(of(side), of(opened))
    const isSame = isEqual(of(stored), of(made))
    if (isSame && (opened === undefined || isRight(stored))) continue
    const right = isRight(stored) ? "stored" : isRight(made) ? "made" : "neither"
    const detail =
      "the stored entries of the tile from here on agree with the records, and are not those that were signed"
    const deed = yield* deedIn(sql, yield* loadTile(sql, n, width), right, size)
    return deed ?? finding("rewritten", n * TILE_WIDTH, null, detail)
  }
  return opened === undefined ? finding("rewritten", null, null, "the entries are not those that were signed") : null
})

/** The first tile over the entries that is not that of the tree. */
const compareTiles = (levels: ReadonlyArray<Bytes>, stored: ReadonlyArray<StoredTile>) => {
  const found = new Map(stored.map(({ hashes, level, n }) => [`${level}/${n}`, hashes]))
  for (const [below, hashes] of levels.entries()) {
    const level = below + 1
    for (let n = 0; n * TILE_BYTES < hashes.length; n++) {
      const tile = found.get(`${level}/${n}`) ?? new Uint8Array()
      if (isEqual(tile, hashes.slice(n * TILE_BYTES, (n + 1) * TILE_BYTES))) continue
      const detail = `the stored tile ${n} of level ${level}, over the entries from here on, is not that of these entries`
      return finding("damaged", n * TILE_WIDTH ** (level + 1), null, detail)
    }
  }
  return null
}

/** How many tiles a tree has of each level. */
const tileCounts = (size: number): ReadonlyArray<number> => {
  const counts: Array<number> = []
  for (let hashes = size; hashes > 0; hashes = Math.floor(hashes / TILE_WIDTH))
    counts.push(Math.ceil(hashes / TILE_WIDTH))
  return counts
}

/** The tiles over those that hold the signed entries. */
const upperTiles = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, size: number) {
  const wanted = tileCounts(size).flatMap((count, level) =>
    Array.from({ length: level === 0 ? 0 : count }, (_, n) => ({ level, n }))
  )
  return yield* loadTiles(sql, wanted).pipe(ledgerCall("audit tiles"))
})

/** The first tile that the tree does not have: of any number of them that somebody may have put there. */
const tileBeyond = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, size: number) {
  const [beyond] = yield* atLength(
    sql,
    sql<Pick<StoredTile, "level" | "n">>`
      SELECT level, n::float8 AS n FROM ${allOf(sql, "log_tile")}
      WHERE (n >= 0 AND n < (${tileCounts(size)}::bigint[])[level + 1]) IS NOT TRUE ORDER BY level, n LIMIT 1`
  )
  const named = `${beyond?.level}/${beyond?.n}`
  const detail = `a tile is stored that a log of ${size} entries does not have: ${named}`
  return beyond === undefined ? null : finding("damaged", null, null, detail)
})

/** Holds records, entries and tiles against the tree that was signed; its levels are null where there is a finding. */
export const recompute = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, tree: Tree) {
  const sides = yield* readSides(sql, tree.size)
  if (!sides.isWhole) return { levels: null, finding: sides.uneven! }
  const tiles = yield* upperTiles(sql, tree.size)
  const level1 = new Uint8Array(sides.made.full.length)
  for (const { hashes, level, n } of tiles) {
    if (level === 1) level1.set(hashes.subarray(0, Math.max(0, level1.length - n * TILE_BYTES)), n * TILE_BYTES)
  }
  const opened = yield* Effect.promise(() => believe(tree, sides.stored, sides.made, level1))
  const deed = yield* compareEntries(sql, tree.size, sides, opened)
  const first = [sides.uneven, deed]
    .filter((one) => one !== null)
    .sort((one, other) => placeIn(one) - placeIn(other))[0]
  const found = first ?? compareTiles(opened!.levels, tiles) ?? (yield* tileBeyond(sql, tree.size))
  return found === null ? { levels: opened!.levels, finding: null } : { levels: null, finding: found }
})

/**
 * Comparison of the log with a tree rebuilt from the records. The signed root decides for each tile
 * whether the stored or the rebuilt one is right. The first mismatch is reported.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { sha256 } from "../../platform/sha256.ts"
import { type Bytes, isEqual } from "../../proof/bytes.ts"
import { HASH_BYTES, type Tree } from "../../proof/tree.ts"
import { READ_COLUMNS } from "../answers/storedRows.ts"
import { entryOf, type LoggedAnswer } from "./nextRecords.ts"
import {
  type HashAt,
  loadTiles,
  openTiles,
  rowsAbove,
  type StoredTile,
  servedHashes,
  TILE_WIDTH,
  type Tile,
  tileWidth
} from "./tiles.ts"

const TILE_BYTES = TILE_WIDTH * HASH_BYTES
/** Level 0 tiles that one statement reads. */
const TILES_AT_ONCE = 16

interface LoggedRecord extends Omit<LoggedAnswer, "answerId"> {
  readonly index: number
  /** null where the record is gone. */
  readonly answerId: string | null
}

const hasRecord = (record: LoggedRecord | undefined): record is LoggedRecord & LoggedAnswer =>
  record !== undefined && record.answerId !== null

/**
 * The entries of a tile, as stored and as rebuilt from the records; zeroes where a record is gone.
 */
interface LoggedTile {
  readonly n: number
  readonly stored: Bytes
  readonly rebuilt: Bytes
  readonly records: ReadonlyArray<LoggedRecord | undefined>
}

/**
 * One side of the comparison (stored or rebuilt): a hash per full tile of entries, and the entries
 * of the partial tile at the end.
 */
interface Side {
  readonly full: Bytes
  readonly edge: Bytes
}

const hashAt = (hashes: Bytes, at: number): Bytes => hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)

const loadLoggedTiles = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  size: number,
  from: number,
  count: number
) {
  const ns = Array.from({ length: count }, (_, at) => from + at).filter((n) => n * TILE_WIDTH < size)
  const tiles = yield* loadTiles(
    sql,
    ns.map((n) => ({ level: 0, n }))
  )
  const end = Math.min(size, (from + count) * TILE_WIDTH)
  const rows = yield* sql<LoggedRecord>`
    SELECT index::float8 AS index, recorded_at AS "recordedAtUtc", ${sql.literal(READ_COLUMNS)}
    FROM log_entry LEFT JOIN recorded_answer USING (seq)
    WHERE index >= ${from * TILE_WIDTH}::bigint AND index < ${end}::bigint ORDER BY index`
  const byIndex = new Map(rows.map((row) => [row.index, row]))
  return ns.map((n): LoggedTile => {
    const width = tileWidth(size, 0, n)
    const rebuilt = new Uint8Array(width * HASH_BYTES)
    const records = Array.from({ length: width }, (_, at) => byIndex.get(n * TILE_WIDTH + at))
    for (const [at, record] of records.entries()) if (hasRecord(record)) rebuilt.set(entryOf(record), at * HASH_BYTES)
    return { n, stored: tiles.find((tile) => tile.n === n)?.hashes ?? new Uint8Array(), rebuilt, records }
  })
})

const tileHash = async (level: number, hashes: Bytes): Promise<Bytes> =>
  (await rowsAbove(await servedHashes(level, hashes, sha256), sha256)).at(-1)!

/** Computes all levels of hashes from level 1, the hashes of the full tiles of entries. */
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

/** Reads both sides for all signed entries. */
const readSides = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, size: number) {
  const full = () => new Uint8Array(Math.floor(size / TILE_WIDTH) * HASH_BYTES)
  const [stored, rebuilt] = [full(), full()]
  let edge = { stored: new Uint8Array(), rebuilt: new Uint8Array() }
  for (let from = 0; from * TILE_WIDTH < size; from += TILES_AT_ONCE) {
    for (const tile of yield* loadLoggedTiles(sql, size, from, TILES_AT_ONCE)) {
      if (tile.rebuilt.length < TILE_BYTES) {
        edge = tile
        continue
      }
      const hash = yield* Effect.promise(() => tileHash(0, tile.rebuilt))
      rebuilt.set(hash, tile.n * HASH_BYTES)
      if (isEqual(tile.stored, tile.rebuilt)) stored.set(hash, tile.n * HASH_BYTES)
      else if (tile.stored.length === TILE_BYTES)
        stored.set(yield* Effect.promise(() => tileHash(0, tile.stored)), tile.n * HASH_BYTES)
    }
  }
  return {
    stored: { full: stored, edge: edge.stored } satisfies Side,
    rebuilt: { full: rebuilt, edge: edge.rebuilt } satisfies Side
  }
})

/** The contents of a tree that has the signed root. */
interface Opened extends Side {
  /** The hashes of level 1, level 2 and so on. */
  readonly levels: ReadonlyArray<Bytes>
}

/**
 * Opens a tree from its upper levels and from its entries; `entries(n)` returns those of tile n of
 * level 0. Fails if they do not hash to the tree's root.
 */
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

/**
 * Finds a combination with the signed root. The full tiles are the stored ones, the rebuilt ones or
 * those of the stored level 1. The partial tile is the stored or the rebuilt one. The stored level
 * 1 can be right even if both sides are damaged, each in other tiles.
 */
const openAny = async (tree: Tree, stored: Side, rebuilt: Side, level1: Bytes): Promise<Opened | undefined> => {
  for (const full of [stored.full, rebuilt.full, level1]) {
    const levels = await levelsOver(full)
    for (const edge of [stored.edge, rebuilt.edge]) {
      const isRight = await openLevels(tree, levels, () => edge).then(
        () => true,
        () => false
      )
      if (isRight) return { full, edge, levels }
    }
  }
  return undefined
}

/** Classifies the first mismatch in a tile: which entry, and which side was altered. */
const differenceIn = (
  { rebuilt, n, records, stored }: LoggedTile,
  isRight: { readonly stored: boolean; readonly rebuilt: boolean }
): Finding => {
  const at = records.findIndex((_, place) => !isEqual(hashAt(stored, place), hashAt(rebuilt, place)))
  if (at < 0) {
    const detail =
      "from here on, the records and the stored entries agree with each other, but differ from what was signed"
    return finding("rewritten", n * TILE_WIDTH, null, detail)
  }
  const index = n * TILE_WIDTH + at
  const record = records[at]
  const answerId = record?.answerId ?? null
  if (isRight.rebuilt) {
    return finding("damaged", index, answerId, "the stored entry differs from what was signed; the record does not")
  }
  if (!isRight.stored) {
    return finding("rewritten", index, answerId, "neither the stored entry nor the record is what was signed")
  }
  if (!hasRecord(record)) return finding("removed", index, null, "the record of this entry is gone")
  return finding("edited", index, answerId, "the record differs from what was entered")
}

/** Finds the first level 0 tile in which a side differs from the signed tree. */
const compareEntries = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  size: number,
  { rebuilt, stored }: { readonly rebuilt: Side; readonly stored: Side },
  opened: Opened | undefined
) {
  for (let n = 0; n * TILE_WIDTH < size; n++) {
    const of = ({ edge, full }: Side) => (tileWidth(size, 0, n) < TILE_WIDTH ? edge : hashAt(full, n))
    const isRight = (side: Side) => opened !== undefined && isEqual(of(side), of(opened))
    const right = { stored: isRight(stored), rebuilt: isRight(rebuilt) }
    const isSame = isEqual(of(stored), of(rebuilt))
    if (isSame && (right.stored || opened === undefined)) continue
    const [tile] = yield* loadLoggedTiles(sql, size, n, 1)
    return differenceIn(tile!, right)
  }
  return opened === undefined
    ? finding("rewritten", null, null, "the entries differ from those that were signed")
    : null
})

/** Finds the first stored tile of level 1 or higher that differs from the signed tree. */
const compareTiles = (levels: ReadonlyArray<Bytes>, stored: ReadonlyArray<StoredTile>): Finding | null => {
  const found = new Map(stored.map(({ hashes, level, n }) => [`${level}/${n}`, hashes]))
  for (const [below, hashes] of levels.entries()) {
    for (let n = 0; n * TILE_BYTES < hashes.length; n++) {
      const tile = found.get(`${below + 1}/${n}`) ?? new Uint8Array()
      if (isEqual(tile, hashes.slice(n * TILE_BYTES, (n + 1) * TILE_BYTES))) continue
      const detail = `the stored tile ${n} of level ${below + 1} is not the one over the entries from here on`
      return finding("damaged", n * TILE_WIDTH ** (below + 2), null, detail)
    }
  }
  return null
}

/** The stored tiles of level 1 and higher of a tree of `size`. */
const upperTiles = (sql: SqlClient.SqlClient, size: number) => {
  const wanted: Array<Pick<StoredTile, "level" | "n">> = []
  for (let level = 1; size >= TILE_WIDTH ** level; level++)
    for (let n = 0; tileWidth(size, level, n) > 0; n++) wanted.push({ level, n })
  return loadTiles(sql, wanted)
}

/**
 * Compares records, entries and tiles with the signed tree. `levels` is null if there is a finding.
 */
export const rebuild = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, tree: Tree) {
  const sides = yield* readSides(sql, tree.size)
  const tiles = yield* upperTiles(sql, tree.size)
  const level1 = new Uint8Array(sides.rebuilt.full.length)
  for (const { hashes, level, n } of tiles)
    if (level === 1) level1.set(hashes.subarray(0, Math.max(0, level1.length - n * TILE_BYTES)), n * TILE_BYTES)
  const opened = yield* Effect.promise(() => openAny(tree, sides.stored, sides.rebuilt, level1))
  const found = (yield* compareEntries(sql, tree.size, sides, opened)) ?? compareTiles(opened!.levels, tiles)
  return { levels: found === null ? opened!.levels : null, found }
})

/** `restored`: the log is shorter than a checkpoint of it that was kept. */
type MismatchKind = "edited" | "removed" | "added" | "damaged" | "rewritten" | "restored"

export interface Finding {
  readonly kind: MismatchKind
  /** The index in the log at which the mismatch begins, if it has one. */
  readonly index: number | null
  readonly answerId: string | null
  readonly detail: string
}

export const finding = (
  kind: MismatchKind,
  index: number | null,
  answerId: string | null,
  detail: string
): Finding => ({
  kind,
  index,
  answerId,
  detail
})

/** A mismatch outside the entries, such as in log_head. */
export const damaged = (detail: string): Finding => finding("damaged", null, null, detail)

/**
 * Whether each entry that is signed is still that of its record, some tiles at a time: the tiles are held against the
 * signed root, and the record that log_entry names must make the entry. Once all were looked at, a record that log_entry
 * names nowhere is in the log nowhere, so that to enter it enters nothing twice. What was done is for the audit to say.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { type Bytes, concat, isEqual } from "../../proof/bytes.ts"
import { HASH_BYTES, type Tree } from "../../proof/tree.ts"
import { sha256 } from "../sha256.ts"
import { LogBroken } from "./continuity.ts"
import { servedHashes, tilesAbove } from "./growth.ts"
import { hashAt, loadTile } from "./loggedRecords.ts"
import { loadTiles } from "./storedTiles.ts"
import { openTiles, TILE_WIDTH, type Tile, tileWidth } from "./tiles.ts"

/** Tiles of entries of one step, which is a tenth of a second. They have the tiles above them in common. */
const TILES = 16

const broken = (reason: string) => new LogBroken({ reason })

/** The tree, out of the stored tiles over these entries and at its edge. */
const openTree = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, tree: Tree, tiles: ReadonlyArray<number>) {
  const above = tilesAbove(tiles[0]! * TILE_WIDTH).filter(({ level }) => level > 0)
  const wanted = [...tiles.map((n) => ({ level: 0, n })), ...above, ...tilesAbove(tree.size)]
  const found = new Map<string, Bytes>(
    (yield* loadTiles(sql, wanted)).map(({ hashes, level, n }) => [`${level}/${n}`, hashes])
  )
  const read = ({ level, n, width }: Tile) =>
    servedHashes(Number(level), (found.get(`${level}/${n}`) ?? concat()).slice(0, width * HASH_BYTES), sha256)
  return yield* Effect.tryPromise({
    try: async () => {
      const hashes = await openTiles(tree, read, sha256)
      for (const n of tiles) {
        await new Promise(setImmediate)
        await hashes(0, n * TILE_WIDTH)
      }
    },
    catch: () => broken(`the tiles over the entries from ${tiles[0]! * TILE_WIDTH} on are not those that were signed`)
  })
})

/** Looks at entries of the tree from this one on, which begins a tile; returns where to go on. */
export const checkEntries = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, tree: Tree, from: number) {
  const first = from / TILE_WIDTH
  const count = Math.max(0, Math.min(TILES, Math.ceil(tree.size / TILE_WIDTH) - first))
  const tiles = Array.from({ length: count }, (_, at) => first + at)
  if (count > 0) yield* openTree(sql, tree, tiles)
  for (const n of tiles) {
    const { made, stored, width } = yield* loadTile(sql, n, tileWidth(tree.size, 0, n))
    const wrong = Array.from({ length: width }, (_, at) => at).find(
      (at) => !isEqual(hashAt(made, at), hashAt(stored, at))
    )
    if (wrong !== undefined)
      return yield* broken(`entry ${n * TILE_WIDTH + wrong} is not that of the record that log_entry names`)
  }
  return from + count * TILE_WIDTH
})

/**
 * Cache of the hashes computed from log tiles: full tiles never change, and receipts of one
 * checkpoint share its partial tiles. Tiles and proofs are hashed one at a time, each in its own
 * event-loop tick. Nothing is verified here. A stored tile may be damaged, so callers check the
 * proofs they build.
 */
import { Cache, Duration, Effect, Exit, Semaphore } from "effect"
import { sha256 } from "../../platform/sha256.ts"
import type { Bytes } from "../../proof/bytes.ts"
import { HASH_BYTES } from "../../proof/tree.ts"
import { loadTiles, type Rows, rowsAbove, servedHashes, type Tile } from "./tiles.ts"

/** Cached tiles, of up to 24 KiB each. */
const MAX_TILES = 1024

/**
 * A tile of the log. A partial tile has the checkpoint of its tree, and is cached for that one
 * only.
 */
export interface LeveledTile extends Tile {
  readonly level: number
  readonly checkpoint?: string
}

const nextEventLoopTick = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

export const makeTileCache = Effect.gen(function* () {
  const hashing = Semaphore.makeUnsafe(1)
  /** Hashes in an event-loop tick of its own. */
  const inTurn = <A>(hash: () => Promise<A>) =>
    hashing.withPermit(Effect.andThen(nextEventLoopTick, Effect.promise(hash)))

  /** Keyed by entries, because the stored tile may have been damaged or repaired since. */
  const leaves = yield* Cache.make({
    capacity: MAX_TILES,
    lookup: (entries: string) => inTurn(() => servedHashes(0, new Uint8Array(Buffer.from(entries, "latin1")), sha256))
  })

  const rows = yield* Cache.makeWith(
    Effect.fnUntraced(function* ({ level, n, width }: LeveledTile) {
      const [found] = yield* loadTiles([{ level, n }])
      const stored = (found?.hashes ?? new Uint8Array()).slice(0, width * HASH_BYTES)
      const served = yield* inTurn(() => servedHashes(level, stored, sha256))
      return yield* inTurn(() => rowsAbove(served, sha256))
    }),
    { capacity: MAX_TILES, timeToLive: (exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero) }
  )

  return {
    inTurn,
    /** The leaf hashes of a level 0 tile with these entries. */
    leaves: (entries: Bytes) => Cache.get(leaves, Buffer.from(entries).toString("latin1")),
    /** The rows of these tiles. */
    rows: Effect.fnUntraced(function* (wanted: ReadonlyArray<LeveledTile>) {
      const found = new Map<string, Rows>()
      for (const tile of wanted) found.set(`${tile.level}/${tile.n}`, yield* Cache.get(rows, tile))
      return ({ level, n }: Tile): Rows => found.get(`${level}/${n}`)!
    }),
    /** Drops tiles whose proof failed the check. */
    forget: (tiles: ReadonlyArray<LeveledTile>) =>
      Effect.forEach(tiles, (tile) => Cache.invalidate(rows, tile), { discard: true })
  }
})

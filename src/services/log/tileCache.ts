/**
 * Cache of the hashes computed from log tiles: full tiles never change, and receipts of one
 * checkpoint share its partial tiles. Missing tiles are hashed one at a time, each in its own
 * event-loop tick. Nothing is verified here: a stored tile may be damaged, so callers check the
 * proofs they build.
 */
import { Effect, Semaphore } from "effect"
import { sha256 } from "../../platform/sha256.ts"
import type { Bytes } from "../../proof/bytes.ts"
import { HASH_BYTES } from "../../proof/tree.ts"
import { RecentMap } from "../scheduling/RecentMap.ts"
import { type Rows, rowsAbove, type StoredTile, servedHashes, type Tile } from "./tiles.ts"

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

interface Hashed {
  readonly stored: Bytes
  /** The first of the rows: at level 0 the leaf hashes, at higher levels the same as `stored`. */
  readonly served: Bytes
  readonly rows?: Rows
}

type Load<E> = (tiles: ReadonlyArray<LeveledTile>) => Effect.Effect<ReadonlyArray<StoredTile>, E>

const placeOf = ({ level, n }: Tile): string => `${level}/${n}`
const keyOf = (tile: LeveledTile): string => `${placeOf(tile)}/${tile.width}/${tile.checkpoint ?? ""}`

const nextEventLoopTick = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

export class HashedTiles<E> {
  private readonly cached = new RecentMap<Hashed>(MAX_TILES)
  private readonly mutex = Semaphore.makeUnsafe(1)
  private readonly load: Load<E>

  constructor(load: Load<E>) {
    this.load = load
  }

  /** The leaf hashes of a level 0 tile with these entries. */
  readonly leaves = (tile: LeveledTile, entries: Bytes): Effect.Effect<Bytes> => {
    const known = this.servedOf(tile, entries)
    return known === undefined ? this.mutex.withPermit(this.served(tile, entries)) : Effect.succeed(known)
  }

  /** The rows of these tiles, loaded where they are not cached. */
  readonly rows = Effect.fnUntraced({ self: this }, function* (wanted: ReadonlyArray<LeveledTile>) {
    const rows = new Map<string, Rows>()
    if (this.take(wanted, rows).length > 0) yield* this.mutex.withPermit(this.loadRows(wanted, rows))
    return (tile: Tile): Rows => rows.get(placeOf(tile))!
  })

  /** Drops tiles whose proof failed the check. */
  forget(tiles: ReadonlyArray<LeveledTile>): void {
    for (const tile of tiles) this.cached.delete(keyOf(tile))
  }

  /** Copies cached rows into `rows`; returns the tiles without any. */
  private take(wanted: ReadonlyArray<LeveledTile>, rows: Map<string, Rows>): ReadonlyArray<LeveledTile> {
    for (const tile of wanted) {
      const hashed = this.cached.get(keyOf(tile))
      if (hashed?.rows === undefined) continue
      rows.set(placeOf(tile), hashed.rows)
      this.cached.set(keyOf(tile), hashed)
    }
    return wanted.filter((tile) => !rows.has(placeOf(tile)))
  }

  private readonly loadRows = Effect.fnUntraced(
    { self: this },
    function* (wanted: ReadonlyArray<LeveledTile>, rows: Map<string, Rows>) {
      // The previous holder of the mutex may have cached them.
      const missing = this.take(wanted, rows)
      const found = missing.length === 0 ? [] : yield* this.load(missing)
      for (const tile of missing) {
        const hashes = found.find(({ level, n }) => level === tile.level && n === tile.n)?.hashes ?? new Uint8Array()
        const stored = hashes.slice(0, tile.width * HASH_BYTES)
        const served = yield* this.served(tile, stored)
        yield* nextEventLoopTick
        const computed = yield* Effect.promise(() => rowsAbove(served, sha256))
        this.cached.set(keyOf(tile), { stored, served, rows: computed })
        rows.set(placeOf(tile), computed)
      }
    }
  )

  private readonly served = Effect.fnUntraced({ self: this }, function* (tile: LeveledTile, stored: Bytes) {
    const known = this.servedOf(tile, stored)
    if (known !== undefined || tile.level > 0) return known ?? stored
    yield* nextEventLoopTick
    const served = yield* Effect.promise(() => servedHashes(tile.level, stored, sha256))
    this.cached.set(keyOf(tile), { stored, served })
    return served
  })

  /**
   * The cached hashes, if they were computed from the same stored bytes: the stored tile may have
   * been damaged or repaired since.
   */
  private servedOf(tile: LeveledTile, stored: Bytes): Bytes | undefined {
    const hashed = this.cached.get(keyOf(tile))
    return hashed !== undefined && Buffer.compare(hashed.stored, stored) === 0 ? hashed.served : undefined
  }
}

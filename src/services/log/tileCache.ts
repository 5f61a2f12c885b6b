/**
 * What is hashed out of the tiles of the log, kept for whoever asks next: a full tile never changes, and the receipts of a
 * checkpoint share the tiles at its edge. What is not kept is hashed tile by tile, each in a tick of the event loop of its
 * own. Believes nothing: rows are only as good as the tile, and whoever makes a proof of them checks it.
 */
import { Effect, Semaphore } from "effect"
import { sha256 } from "../../platform/sha256.ts"
import type { Bytes } from "../../proof/bytes.ts"
import { HASH_BYTES } from "../../proof/tree.ts"
import { RecentMap } from "../scheduling/RecentMap.ts"
import { type Rows, rowsAbove, type StoredTile, servedHashes, type Tile } from "./tiles.ts"

/** Tiles of which something is kept; 24 KiB at most of each. */
const MOST_TILES = 1024

/** A tile of the log; of one that is begun and not full, `checkpoint` says of which. Each checkpoint has its own looked at. */
export interface LeveledTile extends Tile {
  readonly level: number
  readonly checkpoint?: string
}

interface Hashed {
  readonly stored: Bytes
  /** The first row: at level 0 the leaf hashes. */
  readonly served: Bytes
  readonly rows?: Rows
}

type Load<E> = (tiles: ReadonlyArray<LeveledTile>) => Effect.Effect<ReadonlyArray<StoredTile>, E>

const placeOf = ({ level, n }: Tile): string => `${level}/${n}`
const keyOf = (tile: LeveledTile): string => `${placeOf(tile)}/${tile.width}/${tile.checkpoint ?? ""}`

const nextEventLoopTick = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

export class HashedTiles<E> {
  private readonly kept = new RecentMap<Hashed>(MOST_TILES)
  private readonly oneAtATime = Semaphore.makeUnsafe(1)
  private readonly load: Load<E>

  constructor(load: Load<E>) {
    this.load = load
  }

  /** The leaf hashes of a tile of level 0 whose entries are these. */
  readonly leaves = (tile: LeveledTile, entries: Bytes): Effect.Effect<Bytes> => {
    const known = this.servedOf(tile, entries)
    return known === undefined ? this.oneAtATime.withPermit(this.served(tile, entries)) : Effect.succeed(known)
  }

  /** The rows of these tiles: those that are not kept are loaded. */
  readonly rows = Effect.fnUntraced({ self: this }, function* (wanted: ReadonlyArray<LeveledTile>) {
    const rows = new Map<string, Rows>()
    if (this.take(wanted, rows).length > 0) yield* this.oneAtATime.withPermit(this.make(wanted, rows))
    return (tile: Tile): Rows => rows.get(placeOf(tile))!
  })

  /** Whatever was made of these tiles did not stand the check. */
  forget(tiles: ReadonlyArray<LeveledTile>): void {
    for (const tile of tiles) this.kept.delete(keyOf(tile))
  }

  /** Puts what is kept of the wanted tiles into `rows`; returns those of which nothing is. */
  private take(wanted: ReadonlyArray<LeveledTile>, rows: Map<string, Rows>): ReadonlyArray<LeveledTile> {
    for (const tile of wanted) {
      const hashed = this.kept.get(keyOf(tile))
      if (hashed?.rows === undefined) continue
      rows.set(placeOf(tile), hashed.rows)
      this.kept.set(keyOf(tile), hashed)
    }
    return wanted.filter((tile) => !rows.has(placeOf(tile)))
  }

  private readonly make = Effect.fnUntraced(
    { self: this },
    function* (wanted: ReadonlyArray<LeveledTile>, rows: Map<string, Rows>) {
      // Whoever was at it before may have made them.
      const missing = this.take(wanted, rows)
      const found = missing.length === 0 ? [] : yield* this.load(missing)
      for (const tile of missing) {
        const hashes = found.find(({ level, n }) => level === tile.level && n === tile.n)?.hashes ?? new Uint8Array()
        const stored = hashes.slice(0, tile.width * HASH_BYTES)
        const served = yield* this.served(tile, stored)
        yield* nextEventLoopTick
        const made = yield* Effect.promise(() => rowsAbove(served, sha256))
        this.kept.set(keyOf(tile), { stored, served, rows: made })
        rows.set(placeOf(tile), made)
      }
    }
  )

  private readonly served = Effect.fnUntraced({ self: this }, function* (tile: LeveledTile, stored: Bytes) {
    const known = this.servedOf(tile, stored)
    if (known !== undefined || tile.level > 0) return known ?? stored
    yield* nextEventLoopTick
    const served = yield* Effect.promise(() => servedHashes(tile.level, stored, sha256))
    this.kept.set(keyOf(tile), { stored, served })
    return served
  })

  /** What is kept is of the tile as it was: one that was damaged or mended since is another. */
  private servedOf(tile: LeveledTile, stored: Bytes): Bytes | undefined {
    const hashed = this.kept.get(keyOf(tile))
    return hashed !== undefined && Buffer.compare(hashed.stored, stored) === 0 ? hashed.served : undefined
  }
}

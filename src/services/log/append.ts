/**
 * The append step of the log. It verifies the stored log against its keys and the last checkpoint
 * that this process has seen. Then it adds entries, stores the changed tiles and signs the new
 * checkpoint. It checks only the tiles at the tree's right edge; the audit checks all entries and
 * records.
 */
import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { sha256 } from "../../platform/sha256.ts"
import { type Bytes, concat, isEqual, type Sha256 } from "../../proof/bytes.ts"
import { openCheckpoint } from "../../proof/checkpoint.ts"
import { HASH_BYTES, type Tree } from "../../proof/tree.ts"
import { checkpointText, type Signers, signNote } from "./keys.ts"
import { entryOf, type Head, type NewRecord } from "./nextRecords.ts"
import {
  LEVELS,
  loadTiles,
  openTiles,
  rootOf,
  rowsAbove,
  rowsOf,
  type StoredTile,
  servedHashes,
  TILE_HEIGHT,
  TILE_WIDTH,
  type Tile,
  tilesAbove,
  tileWidth
} from "./tiles.ts"

/**
 * Returns the tiles that `entries` change or add, and the new root. `edge` has the partial tiles of
 * the tree of `size` entries (see `edgeOf`).
 */
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

const ENTRIES_PER_TICK = 256

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

const store = Effect.fnUntraced(function* (
  size: number,
  records: ReadonlyArray<NewRecord>,
  tiles: ReadonlyArray<StoredTile>
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO log_entry (index, seq)
    SELECT ${size}::bigint + place - 1, seq
    FROM unnest(${records.map(({ seq }) => seq)}::bigint[]) WITH ORDINALITY AS entry (seq, place)`
  yield* sql`
    INSERT INTO log_tile (level, n, hashes)
    SELECT level, n, decode(hashes, 'hex')
    FROM unnest(${tiles.map(({ level }) => level)}::smallint[], ${tiles.map(({ n }) => n)}::bigint[],
      ${tiles.map(({ hashes }) => toHex(hashes))}::text[]) AS tile (level, n, hashes)
    ON CONFLICT (level, n) DO UPDATE SET hashes = excluded.hashes`
})

/** Hashes the records into entries, yielding to the event loop between batches. */
const entriesOf = Effect.fnUntraced(function* (records: ReadonlyArray<NewRecord>) {
  const entries: Array<Bytes> = []
  for (const record of records) {
    entries.push(entryOf(record))
    if (entries.length % ENTRIES_PER_TICK === 0) yield* Effect.promise(() => new Promise(setImmediate))
  }
  return entries
})

/** Appends the records and signs the tree; without records, signs it again with current keys. */
export const extend = Effect.fnUntraced(function* (
  size: number,
  edge: ReadonlyArray<StoredTile>,
  records: ReadonlyArray<NewRecord>,
  { name, signers }: Signers
) {
  const entries = yield* entriesOf(records)
  const { root, tiles } = yield* Effect.promise(() => grow(size, edge, entries, sha256))
  if (records.length > 0) yield* store(size, records, tiles)
  const text = checkpointText({ origin: name, root, size: size + records.length })
  return yield* Effect.promise(() => signNote(text, signers))
})

/** The stored log differs from the signed one. Nothing is signed until it is repaired. */
export class LogBroken extends Data.TaggedError("LogBroken")<{ readonly reason: string }> {}

/** A checkpoint signed by a trusted key. */
export interface Signed extends Tree {
  readonly text: string
}

const broken = (reason: string) => new LogBroken({ reason })

/** Accepts a missing checkpoint only if the log was never started. */
const checkNew = Effect.fnUntraced(function* (head: Head, seen: Signed | null) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly some: boolean }>`
    SELECT EXISTS (SELECT FROM log_entry) OR EXISTS (SELECT FROM log_tile) OR EXISTS (SELECT FROM log_key) AS some`
  const isNew = seen === null && head.origin === null && head.size === 0 && !found!.some
  if (!isNew) return yield* broken("its checkpoint is missing from log_head, although the log was started")
})

const openStored = Effect.fnUntraced(function* (note: string, keys: ReadonlyArray<string>) {
  const signed = yield* Effect.tryPromise({
    try: () => openCheckpoint(note, keys),
    catch: (cause) =>
      broken(
        `the stored checkpoint is not signed by a key of this service (${(cause as Error).message}); set LOG_SIGNING_KEY to the key that signs this log, or, while you replace that key, LOG_SIGNING_KEY_PREVIOUS; if it is lost, set LOG_KEY_LOST to its verifier key`
      )
  })
  return { ...signed, text: note }
})

/**
 * Loads the right-edge tiles; fails unless they have the signed widths and hash to the signed root.
 */
const checkEdge = Effect.fnUntraced(function* ({ root, size }: Tree) {
  const edge = yield* loadTiles(tilesAbove(size))
  const stored = new Map(edge.map(({ hashes, level }) => [level, hashes.length / HASH_BYTES]))
  for (const { level, n } of tilesAbove(size)) {
    if ((stored.get(level) ?? 0) !== tileWidth(size, level, n))
      return yield* broken(`tile ${level}/${n} in log_tile does not have the width that was signed`)
  }
  const grown = yield* Effect.promise(() => grow(size, edge, [], sha256))
  return isEqual(grown.root, root) ? edge : yield* broken("the tiles in log_tile are not those that were signed")
})

/**
 * The hashes of `tree` from the stored tiles at its edge and at that of its first `size` entries,
 * which are checked against its root. `entries` replaces the stored tile of level 0 at `size`.
 */
export const hashesAtEdges = Effect.fnUntraced(function* (tree: Tree, size: number, entries?: Bytes) {
  const tiles = yield* loadTiles([...tilesAbove(tree.size), ...tilesAbove(size)])
  const found = new Map<string, Bytes>(tiles.map(({ hashes, level, n }) => [`${level}/${n}`, hashes]))
  if (entries !== undefined) found.set(`0/${Math.floor(size / TILE_WIDTH)}`, entries)
  const read = ({ level, n, width }: Tile) =>
    servedHashes(Number(level), (found.get(`${level}/${n}`) ?? concat()).slice(0, width * HASH_BYTES), sha256)
  return () => openTiles(tree, read, sha256)
})

/** Whether `tree` extends `earlier`, by the stored tiles. */
export const extendsTree = Effect.fnUntraced(function* (tree: Tree, earlier: Tree) {
  if (tree.size < earlier.size) return false
  const open = yield* hashesAtEdges(tree, earlier.size)
  return yield* Effect.promise(async () => {
    const root = await open()
      .then((hashAt) => rootOf(hashAt, earlier.size, sha256))
      .catch(() => null)
    return root !== null && isEqual(root, earlier.root)
  })
})

/** Fails unless the tree extends the one that this process has seen. */
const checkExtends = Effect.fnUntraced(function* (tree: Tree, seen: Tree) {
  if (yield* extendsTree(tree, seen)) return
  return yield* broken(
    `its checkpoint of ${tree.size} entries does not extend the one of ${seen.size} that this process has seen; after the restore of a backup restart the service`
  )
})

/**
 * Verifies the stored log. Returns its newest checkpoint, and the tiles of its right edge to append
 * to.
 */
export const checkStored = Effect.fnUntraced(function* (head: Head, keys: ReadonlyArray<string>, seen: Signed | null) {
  const none: ReadonlyArray<StoredTile> = []
  if (head.checkpoint === null) {
    yield* checkNew(head, seen)
    return { signed: null, edge: none }
  }
  if (!head.checkpoint.startsWith(`${head.origin}\n`)) return yield* broken(`its checkpoint is not of ${head.origin}`)
  const isSeen = head.checkpoint === seen?.text
  const signed = isSeen ? seen : yield* openStored(head.checkpoint, keys)
  if (head.size !== signed.size || head.end !== signed.size)
    return yield* broken(
      `${signed.size} entries are signed, log_head has ${head.size}, and log_entry ends at ${head.end}`
    )
  const edge = yield* checkEdge(signed)
  if (!isSeen && seen !== null) yield* checkExtends(signed, seen)
  return { signed, edge }
})

/**
 * Checks what is stored before anything is signed on top of it: the checkpoint by its keys, the tiles at the edge and the
 * end of the entries by the checkpoint, and the checkpoint by the last one that this process has seen. Entries and records
 * below the edge are the audit's.
 */
import { Data, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { sha256 } from "../../platform/sha256.ts"
import { type Bytes, concat, isEqual } from "../../proof/bytes.ts"
import { openCheckpoint } from "../../proof/checkpoint.ts"
import { HASH_BYTES, type Tree } from "../../proof/tree.ts"
import { grow, type StoredTile, servedHashes, tilesAbove } from "./append.ts"
import { rootOf } from "./hashes.ts"
import type { Head } from "./nextRecords.ts"
import { loadTiles } from "./storedTiles.ts"
import { openTiles, type Tile, tileWidth } from "./tiles.ts"

/** What is stored is not what was signed: nothing is signed until it is again. */
export class LogBroken extends Data.TaggedError("LogBroken")<{ readonly reason: string }> {}

/** A checkpoint that was signed by a key that is believed. */
export interface Signed extends Tree {
  readonly text: string
}

const broken = (reason: string) => new LogBroken({ reason })

/** Nothing was signed before, here or elsewhere. */
const checkNew = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, head: Head, seen: Signed | null) {
  const [found] = yield* sql<{ readonly some: boolean }>`
    SELECT EXISTS (SELECT FROM log_entry) OR EXISTS (SELECT FROM log_tile) OR EXISTS (SELECT FROM log_key) AS some`
  const isNew = seen === null && head.origin === null && head.size === 0 && !found!.some
  if (!isNew) return yield* broken("its checkpoint is gone from log_head, though the log was begun")
})

const openStored = Effect.fnUntraced(function* (note: string, keys: ReadonlyArray<string>) {
  const signed = yield* Effect.tryPromise({
    try: () => openCheckpoint(note, keys),
    catch: (cause) =>
      broken(
        `the stored checkpoint is not signed by a key of this service (${(cause as Error).message}); set LOG_SIGNING_KEY, or LOG_SIGNING_KEY_PREVIOUS while it is replaced, to the key that signs this log; if that is lost, LOG_KEY_LOST to its verifier key`
      )
  })
  return { ...signed, text: note }
})

/** The tiles at the edge, which are as wide as the tree has them and make up its root. */
const checkEdge = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { root, size }: Tree) {
  const edge = yield* loadTiles(sql, tilesAbove(size))
  const stored = new Map(edge.map(({ hashes, level }) => [level, hashes.length / HASH_BYTES]))
  for (const { level, n } of tilesAbove(size)) {
    if ((stored.get(level) ?? 0) !== tileWidth(size, level, n))
      return yield* broken(`tile ${level}/${n} in log_tile has not the width that was signed`)
  }
  const grown = yield* Effect.promise(() => grow(size, edge, [], sha256))
  return isEqual(grown.root, root) ? edge : yield* broken("the tiles in log_tile are not those that were signed")
})

/** Whether the tree begins with an earlier one, by its tiles, which are held against its root. */
const extendsTree = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, tree: Tree, earlier: Tree) {
  if (tree.size < earlier.size) return false
  const tiles = yield* loadTiles(sql, [...tilesAbove(tree.size), ...tilesAbove(earlier.size)])
  const found = new Map<string, Bytes>(tiles.map(({ hashes, level, n }) => [`${level}/${n}`, hashes]))
  const read = ({ level, n, width }: Tile) =>
    servedHashes(Number(level), (found.get(`${level}/${n}`) ?? concat()).slice(0, width * HASH_BYTES), sha256)
  return yield* Effect.promise(async () => {
    const root = await openTiles(tree, read, sha256)
      .then((hashAt) => rootOf(hashAt, earlier.size, sha256))
      .catch(() => null)
    return root !== null && isEqual(root, earlier.root)
  })
})

/** That the tree begins with the one that this process has seen. */
const checkExtends = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, tree: Tree, seen: Tree) {
  if (yield* extendsTree(sql, tree, seen)) return
  return yield* broken(
    `its checkpoint of ${tree.size} entries does not extend the one of ${seen.size} that this process has seen; after the restore of a backup restart the service`
  )
})

/** The stored log, on which may be built: its newest checkpoint and its edge. */
export const checkStored = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  head: Head,
  keys: ReadonlyArray<string>,
  seen: Signed | null
) {
  const none: ReadonlyArray<StoredTile> = []
  if (head.checkpoint === null) {
    yield* checkNew(sql, head, seen)
    return { signed: null, edge: none }
  }
  if (!head.checkpoint.startsWith(`${head.origin}\n`)) return yield* broken(`its checkpoint is not of ${head.origin}`)
  const isSeen = head.checkpoint === seen?.text
  const signed = isSeen ? seen : yield* openStored(head.checkpoint, keys)
  if (head.size !== signed.size || head.end !== signed.size)
    return yield* broken(
      `${signed.size} entries are signed, log_head has ${head.size}, and log_entry ends at ${head.end}`
    )
  const edge = yield* checkEdge(sql, signed)
  if (!isSeen && seen !== null) yield* checkExtends(sql, signed, seen)
  return { signed, edge }
})

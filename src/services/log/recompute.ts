/**
 * The tree that the records of today make up, compared step by step with the entries and tiles that are stored: the first
 * record that is not its entry is named, and what was done to it. Believes no table; who has signed what is asked in
 * audit.ts.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { type Bytes, isEqual } from "../../proof/bytes.ts"
import { HASH_BYTES } from "../../proof/tree.ts"
import { ledgerCall } from "../ledgerUnavailable.ts"
import { sha256 } from "../sha256.ts"
import { entryOf, type LoggedAnswer } from "./entries.ts"
import { edgeOf, grow, type StoredTile } from "./growth.ts"
import { loadTiles } from "./storedTiles.ts"
import { TILE_WIDTH, tileWidth } from "./tiles.ts"

/** What was done. `restored`: the log has gone back behind a checkpoint; `rewritten`: it no longer begins with one. */
type Deed = "edited" | "removed" | "added" | "moved" | "damaged" | "rewritten" | "restored"

export interface Finding {
  readonly deed: Deed
  /** Its place in the log, where it has one. */
  readonly index: number | null
  readonly answerId: string | null
  readonly detail: string
}

interface Row extends LoggedAnswer {
  readonly index: number
  readonly blind: Uint8Array | null
  /** null where the record is gone. */
  readonly found: number | null
}

export const finding = (deed: Deed, index: number | null, answerId: string | null, detail: string): Finding => ({
  deed,
  index,
  answerId,
  detail
})

const hashAt = (hashes: Uint8Array, at: number): Uint8Array => hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)

const rowsOfTile = (sql: SqlClient.SqlClient, n: number) =>
  sql<Row>`
    SELECT index::float8 AS index, blind, recorded_answer.seq::float8 AS found, answer_id AS "answerId",
      recorded_at AS "recordedAtUtc", source, endpoint, event_type AS "eventType", rule_version AS "ruleVersion",
      inputs_hash AS "inputsHash", answer_hash AS "answerHash"
    FROM log_entry LEFT JOIN recorded_answer USING (seq)
    WHERE index >= ${n * TILE_WIDTH}::bigint AND index < ${(n + 1) * TILE_WIDTH}::bigint ORDER BY index`.pipe(
    ledgerCall("audit entries")
  )

/** Where in the log this record was entered, if anywhere. Each place has a blind of its own. */
const placeOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, record: LoggedAnswer, size: number) {
  for (let n = 0; n * TILE_WIDTH < size; n++) {
    const [tile] = yield* loadTiles(sql, [{ level: 0, n }]).pipe(ledgerCall("audit tiles"))
    if (tile === undefined) continue
    const rows = yield* rowsOfTile(sql, n)
    const place = rows.find(({ blind, index }) =>
      isEqual(entryOf(record, blind), hashAt(tile.hashes, index % TILE_WIDTH))
    )
    if (place !== undefined) return place.index
  }
  return undefined
})

/** What happened to the first record of a tile that is not its entry; null if all are. */
const compareRecords = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, n: number, entries: Bytes, size: number) {
  const rows = new Map((yield* rowsOfTile(sql, n)).map((row) => [row.index, row]))
  for (let at = 0; at * HASH_BYTES < entries.length; at++) {
    const index = n * TILE_WIDTH + at
    const row = rows.get(index)
    if (row === undefined) return finding("removed", index, null, "log_entry no longer says which record this entry is")
    if (row.found === null) return finding("removed", index, null, "the record of this entry is gone")
    const entry = entryOf(row, row.blind)
    if (isEqual(entry, hashAt(entries, at))) continue
    const place = yield* placeOf(sql, row, size)
    return place === undefined
      ? finding("edited", index, row.answerId, "the record is not what was entered")
      : finding("moved", index, row.answerId, `the record stands here and was entered at ${place}`)
  }
  return null
})

/** The first recomputed tile that is not the stored one, which may have grown since. */
const compareTiles = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, tiles: ReadonlyArray<StoredTile>) {
  const stored = yield* loadTiles(sql, tiles).pipe(ledgerCall("audit tiles"))
  for (const { hashes, level, n } of tiles) {
    const kept = stored.find((tile) => tile.level === level && tile.n === n)?.hashes ?? new Uint8Array()
    if (isEqual(kept.subarray(0, hashes.length), hashes)) continue
    const from = n * TILE_WIDTH ** (level + 1)
    const detail = `the stored tile ${n} of level ${level}, over the entries from here on, is not that of these entries`
    return finding("damaged", from, null, detail)
  }
  return null
})

/** The tree that the records make up, compared step by step with what is stored. */
export const recompute = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, size: number) {
  let edge: ReadonlyArray<StoredTile> = []
  let root: Bytes = yield* Effect.promise(async () => sha256(new Uint8Array()))
  for (let n = 0; n * TILE_WIDTH < size; n++) {
    const width = tileWidth(size, 0, n)
    const [stored] = yield* loadTiles(sql, [{ level: 0, n }]).pipe(ledgerCall("audit tiles"))
    const entries = stored?.hashes.slice(0, width * HASH_BYTES) ?? new Uint8Array()
    if (entries.length < width * HASH_BYTES) {
      return { root, finding: finding("damaged", n * TILE_WIDTH, null, "entries are missing from the stored tiles") }
    }
    const difference = yield* compareRecords(sql, n, entries, size)
    if (difference !== null) return { root, finding: difference }
    const before = edge
    const rows = Array.from({ length: width }, (_, at) => entries.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES))
    const grown = yield* Effect.promise(() => grow(n * TILE_WIDTH, before, rows, sha256))
    const begun = new Set(edgeOf(n * TILE_WIDTH + width).map(({ level }) => level))
    const isFull = (tile: StoredTile) => tile.hashes.length === TILE_WIDTH * HASH_BYTES
    const damage = yield* compareTiles(sql, grown.tiles.filter(isFull))
    if (damage !== null) return { root, finding: damage }
    const kept = edge.filter(({ level }) => !grown.tiles.some((tile) => tile.level === level))
    edge = [...kept, ...grown.tiles.filter((tile) => !isFull(tile))].filter(({ level }) => begun.has(level))
    root = grown.root
  }
  return { root, finding: yield* compareTiles(sql, edge) }
})

/**
 * Comparison of the log with a tree rebuilt over its records by the Sequencer's code. Tiles and
 * root are compared; the signed root decides which side of a mismatch is right. The first mismatch
 * is reported.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { sha256 } from "../../platform/sha256.ts"
import { type Bytes, isEqual } from "../../proof/bytes.ts"
import { HASH_BYTES, type Tree } from "../../proof/tree.ts"
import { READ_COLUMNS } from "../answers/records.ts"
import { grow, hashesAtEdges } from "./append.ts"
import { entryOf, type LoggedAnswer } from "./nextRecords.ts"
import { edgeOf, loadTiles, rowsOf, type StoredTile, TILE_WIDTH } from "./tiles.ts"

const TILE_BYTES = TILE_WIDTH * HASH_BYTES
/** Records that one statement reads, in whole tiles. */
const RECORDS_AT_ONCE = 16 * TILE_WIDTH

interface LoggedRecord extends Omit<LoggedAnswer, "answerId"> {
  readonly index: number
  /** null if the record is gone. */
  readonly answerId: string | null
}

const hasRecord = (record: LoggedRecord): record is LoggedRecord & LoggedAnswer => record.answerId !== null

/** The first tile that differs between the stored tree and the one grown here. */
interface Mismatch {
  readonly level: number
  readonly n: number
  /** The first entry under the first hash that differs. */
  readonly index: number
  /** At level 0, the record of that entry. */
  readonly answerId: string | null
  readonly stored: Bytes
  readonly grown: Bytes
}

const isSamePlace = (one: Pick<StoredTile, "level" | "n">) => (other: StoredTile) =>
  other.level === one.level && other.n === one.n

const compareTiles = Effect.fnUntraced(function* (
  grown: ReadonlyArray<StoredTile>,
  records: ReadonlyArray<LoggedRecord>
) {
  const found = yield* loadTiles(grown)
  for (const { hashes, level, n } of grown) {
    const stored = found.find(isSamePlace({ level, n }))?.hashes ?? new Uint8Array()
    if (isEqual(stored, hashes)) continue
    const [left, right] = [rowsOf(stored), rowsOf(hashes)]
    const at = right.findIndex((row, place) => left[place] === undefined || !isEqual(left[place], row))
    const index = (n * TILE_WIDTH + (at < 0 ? right.length : at)) * TILE_WIDTH ** level
    const answerId = records.find((one) => one.index === index)?.answerId ?? null
    return { level, n, index, answerId, stored, grown: hashes } satisfies Mismatch
  }
  return null
})

/** Grows the tree over the records. A record that is gone counts as an entry of zeros. */
const regrow = Effect.fnUntraced(function* (size: number) {
  const sql = yield* SqlClient.SqlClient
  let { root } = yield* Effect.promise(() => grow(0, [], [], sha256))
  let edge: ReadonlyArray<StoredTile> = []
  let mismatch: Mismatch | null = null
  for (let from = 0; from < size; from += RECORDS_AT_ONCE) {
    const to = Math.min(size, from + RECORDS_AT_ONCE)
    const records = yield* sql<LoggedRecord>`
      SELECT index::float8 AS index, recorded_at AS "recordedAtUtc", ${sql.literal(READ_COLUMNS)}
      FROM log_entry LEFT JOIN recorded_answer USING (seq)
      WHERE index >= ${from}::bigint AND index < ${to}::bigint ORDER BY index`
    const entries = Array.from({ length: to - from }, (): Bytes => new Uint8Array(HASH_BYTES))
    for (const record of records) if (hasRecord(record)) entries[record.index - from] = entryOf(record)
    const grown = yield* Effect.promise(() => grow(from, edge, entries, sha256))
    root = grown.root
    edge = edgeOf(to).map((place) => [...grown.tiles, ...edge].find(isSamePlace(place))!)
    const full = grown.tiles.filter(({ hashes }) => hashes.length === TILE_BYTES)
    mismatch ??= yield* compareTiles(to === size ? [...full, ...edge] : full, records)
  }
  return { mismatch, root }
})

/** Whether these are the entries of tile `n` of the signed tree, by the stored tiles above it. */
const isSigned = Effect.fnUntraced(function* (tree: Tree, n: number, entries: Bytes) {
  const open = yield* hashesAtEdges(tree, n * TILE_WIDTH, entries)
  return yield* Effect.promise(() =>
    open()
      .then((hashAt) => hashAt(0, n * TILE_WIDTH))
      .then(
        () => true,
        () => false
      )
  )
})

/** Names the first mismatch with the signed tree, if there is any. */
export const rebuild = Effect.fnUntraced(function* (tree: Tree) {
  const { mismatch, root } = yield* regrow(tree.size)
  const isRight = isEqual(root, tree.root)
  if (mismatch === null)
    return isRight ? null : finding("rewritten", null, null, "the entries differ from those that were signed")
  const { answerId, grown, index, level, n, stored } = mismatch
  if (level > 0) {
    const detail = `the stored tile ${n} of level ${level} is not the one over the entries from here on`
    if (isRight) return finding("damaged", n * TILE_WIDTH ** (level + 1), null, detail)
    const agreeing =
      "from here on, the records and the stored entries agree with each other, but differ from what was signed"
    return finding("rewritten", index, null, agreeing)
  }
  if (isRight || (yield* isSigned(tree, n, grown)))
    return finding("damaged", index, answerId, "the stored entry differs from what was signed; the record does not")
  if (!(yield* isSigned(tree, n, stored)))
    return finding("rewritten", index, answerId, "neither the stored entry nor the record is what was signed")
  return answerId === null
    ? finding("removed", index, null, "the record of this entry is gone")
    : finding("edited", index, answerId, "the record differs from what was entered")
})

/** `restored`: the log is shorter than the kept checkpoint. */
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

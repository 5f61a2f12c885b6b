/**
 * What was done to a tile of which not all is as it was signed, and to which record of it. Which side is to be believed,
 * the stored entries or the records, is decided in recompute.ts, by what was signed.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { isEqual } from "../../proof/bytes.ts"
import { ledgerCall } from "../ledgerUnavailable.ts"
import { entryOf, newBlinds } from "./entries.ts"
import { type Finding, finding } from "./findings.ts"
import { hashAt, isWritable, type LoggedRecord, type LoggedTile, loadTile } from "./loggedRecords.ts"
import { unloggedRecord } from "./strays.ts"
import { TILE_WIDTH, tileWidth } from "./tiles.ts"

/** Where in the log this record was entered, if anywhere: with the blind that it has now, or with the one of that place. */
const placeOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, record: LoggedRecord, size: number) {
  if (!isWritable(record)) return undefined
  const entry = entryOf(record, record.blind)
  for (let n = 0; n * TILE_WIDTH < size; n++) {
    const { records, stored } = yield* loadTile(sql, n, tileWidth(size, 0, n))
    const at = records.findIndex(([there], place) => {
      const signed = hashAt(stored, place)
      const isThere = there !== undefined && isEqual(entryOf(record, there.blind), signed)
      return isThere || isEqual(entry, signed)
    })
    if (at >= 0) return n * TILE_WIDTH + at
  }
  return undefined
})

/** A record that `recorded_answer` does not show is gone, or what it has in common with others is. */
const missing = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, index: number) {
  const [record] = yield* sql<{ readonly answerId: string }>`
    SELECT answer_id AS "answerId" FROM public.answer JOIN public.log_entry USING (seq) WHERE index = ${index}::bigint`.pipe(
    ledgerCall("audit record")
  )
  return record === undefined
    ? finding("removed", index, null, "the record of this entry is gone")
    : finding("edited", index, record.answerId, "what the record says of its kind is gone from answer_kind")
})

/** What was done to the record of an entry that is as it was signed. */
const ofRecord = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  index: number,
  signed: Uint8Array,
  records: ReadonlyArray<LoggedRecord>,
  size: number
) {
  const [record] = records
  if (record === undefined) {
    const unnamed = yield* unloggedRecord(sql, (one) => isEqual(entryOf(one, null), signed))
    return unnamed === null
      ? finding("removed", index, null, "log_entry no longer says which record this entry is")
      : finding("damaged", index, unnamed, "log_entry no longer says which record this entry is")
  }
  if (records.length > 1) {
    const another = records.find((one) => !(isWritable(one) && isEqual(entryOf(one, one.blind), signed)))
    return finding("added", index, (another ?? record).answerId, "more than one record is said to be this entry")
  }
  const { answerId, blind } = record
  if (answerId === null) {
    const unnamed = yield* unloggedRecord(sql, (one) => isEqual(entryOf(one, blind), signed))
    return unnamed === null
      ? yield* missing(sql, index)
      : finding(
          "damaged",
          index,
          unnamed,
          "log_entry no longer says that this entry is this record, which is as it was"
        )
  }
  if (!isWritable(record)) return finding("edited", index, answerId, "the record names a time that no record can have")
  const place = yield* placeOf(sql, record, size)
  if (place !== undefined) {
    return finding("moved", index, answerId, `the record stands here and was entered at ${place}`)
  }
  if (blind !== null) {
    const detail = "the record, or the random bytes that blind its hash, are not what was entered"
    return finding("edited", index, answerId, detail)
  }
  return newBlinds([record])[0] === null
    ? finding("edited", index, answerId, "the record is not what was entered")
    : finding("damaged", index, answerId, "the random bytes that blind the hash of this record are gone from log_entry")
})

const SAID = {
  made: ["damaged", "the stored entry is not the one that was signed, which the record still is"],
  neither: [
    "rewritten",
    "neither the stored entries from here on nor their records are those that were signed; here they differ"
  ]
} as const

/** The first entry of the tile on which the stored entries and the records differ; `right` is what was signed. */
export const deedIn = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  tile: LoggedTile,
  right: "stored" | "made" | "neither",
  size: number
): Effect.fn.Return<Finding | null, Effect.Error<ReturnType<typeof loadTile>>> {
  for (let at = 0; at < tile.width; at++) {
    if (isEqual(hashAt(tile.stored, at), hashAt(tile.made, at))) continue
    const [index, records] = [tile.n * TILE_WIDTH + at, tile.records[at]!]
    if (right === "stored") return yield* ofRecord(sql, index, hashAt(tile.stored, at), records, size)
    return finding(SAID[right][0], index, records[0]?.answerId ?? null, SAID[right][1])
  }
  return null
})

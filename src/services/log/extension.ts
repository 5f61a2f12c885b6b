/**
 * The log with new records in it: their entries, the tiles that change, and the checkpoint over all, signed. Whether the
 * log that is there may be built on is asked before, in continuity.ts.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { sha256 } from "../../platform/sha256.ts"
import type { Bytes } from "../../proof/bytes.ts"
import { grow, type StoredTile } from "./append.ts"
import { entryOf } from "./entries.ts"
import type { Signers } from "./keys.ts"
import type { NewRecord } from "./nextRecords.ts"
import { signNote } from "./signing.ts"
import { checkpointText } from "./texts.ts"

/** Entries that are made between two turns of the event loop. */
const MOST_AT_ONCE = 256

const storedHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

const store = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  size: number,
  records: ReadonlyArray<NewRecord>,
  tiles: ReadonlyArray<StoredTile>
) {
  yield* sql`
    INSERT INTO log_entry (index, seq)
    SELECT ${size}::bigint + place - 1, seq
    FROM unnest(${records.map(({ seq }) => seq)}::bigint[]) WITH ORDINALITY AS entry (seq, place)`
  yield* sql`
    INSERT INTO log_tile (level, n, hashes)
    SELECT level, n, decode(hashes, 'hex')
    FROM unnest(${tiles.map(({ level }) => level)}::smallint[], ${tiles.map(({ n }) => n)}::bigint[],
      ${tiles.map(({ hashes }) => storedHex(hashes))}::text[]) AS tile (level, n, hashes)
    ON CONFLICT (level, n) DO UPDATE SET hashes = excluded.hashes`
})

/** The entries of these records, some between two turns of the event loop. */
const entriesOf = Effect.fnUntraced(function* (records: ReadonlyArray<NewRecord>) {
  const entries: Array<Bytes> = []
  for (const record of records) {
    entries.push(entryOf(record))
    if (entries.length % MOST_AT_ONCE === 0) yield* Effect.promise(() => new Promise(setImmediate))
  }
  return entries
})

/** Signs the tree that these records make of the stored one; none of them only has the keys of today sign it. */
export const extend = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  size: number,
  edge: ReadonlyArray<StoredTile>,
  records: ReadonlyArray<NewRecord>,
  { name, signers }: Signers
) {
  const entries = yield* entriesOf(records)
  const { root, tiles } = yield* Effect.promise(() => grow(size, edge, entries, sha256))
  if (records.length > 0) yield* store(sql, size, records, tiles)
  const text = checkpointText({ origin: name, root, size: size + records.length })
  return yield* Effect.promise(() => signNote(text, signers))
})

/**
 * Recomputes the log from the records and compares: what is stored, what is signed, and what somebody has kept from
 * earlier. Names the first record that is not what the log says, and what was done to it. Of the database alone, whoever
 * has the private key too could have changed all of it to match, so a checkpoint kept elsewhere is what makes the audit
 * complete. Changes nothing.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Bytes, concat, isEqual } from "../../proof/bytes.ts"
import { type Checkpoint, openCheckpoint } from "../../proof/checkpoint.ts"
import { HASH_BYTES, rootOf } from "../../proof/tree.ts"
import { ledgerCall } from "../ledgerUnavailable.ts"
import { sha256 } from "../sha256.ts"
import { edgeOf, servedHashes, tilesAbove } from "./growth.ts"
import { type Finding, finding, recompute } from "./recompute.ts"
import { loadTiles } from "./storedTiles.ts"
import { openTiles, type Tile } from "./tiles.ts"

export interface AuditReport {
  readonly size: number
  /** null if everything is as it was. */
  readonly finding: Finding | null
}

/** Records that one statement looks through for such as are in no log. */
const MOST_LOOKED_THROUGH = 20_000

/** A record that is in no log though the log has gone past it. */
const strayRecord = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, done: number) {
  for (let from = 0; ; ) {
    const [page] = yield* sql<{ readonly last: number | null; readonly stray: string | null }>`
      WITH page AS (
        SELECT seq, answer_id, (SELECT index FROM log_entry WHERE log_entry.seq = answer.seq) IS NOT NULL AS logged FROM answer
        WHERE seq > ${from}::bigint AND seq <= ${done}::bigint ORDER BY seq
        LIMIT ${sql.literal(String(MOST_LOOKED_THROUGH))}
      )
      SELECT max(seq)::float8 AS last, (SELECT answer_id FROM page WHERE NOT logged ORDER BY seq LIMIT 1) AS stray
      FROM page`.pipe(ledgerCall("audit records"))
    if (page!.stray !== null) return finding("added", null, page!.stray, "the log has gone past this record without it")
    if (page!.last === null) return null
    from = page!.last
  }
})

/** Whether the tree still begins with the one of a checkpoint that somebody has kept. */
const compareKept = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  size: number,
  root: Bytes,
  kept: Checkpoint
) {
  if (kept.size > size) {
    return finding(
      "restored",
      null,
      null,
      `the log has ${size} entries, and the checkpoint that was kept has ${kept.size}`
    )
  }
  const found = new Map<string, Bytes>()
  const wanted = [...edgeOf(size), ...tilesAbove(kept.size)]
  const tiles = yield* loadTiles(sql, wanted).pipe(ledgerCall("audit tiles"))
  for (const { hashes, level, n } of tiles) found.set(`${level}/${n}`, hashes)
  const earlier = yield* Effect.promise(async () => {
    const read = ({ level, n, width }: Tile) =>
      servedHashes(Number(level), (found.get(`${level}/${n}`) ?? concat()).slice(0, width * HASH_BYTES), sha256)
    return rootOf(await openTiles({ size, root }, read, sha256), kept.size, sha256)
  })
  if (isEqual(earlier, kept.root)) return null
  const detail = `the first ${kept.size} entries are not those of the checkpoint that was kept`
  return finding("rewritten", null, null, detail)
})

/** Audits the log; `kept` is a checkpoint from earlier, `keys` are those that are believed besides the published ones. */
export const audit = Effect.fn("audit")(function* (kept: Checkpoint | null, keys: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const report = (size: number, found: Finding | null): AuditReport => ({ size, finding: found })
  const [head] = yield* sql<{ readonly done: number; readonly checkpoint: string | null }>`
    SELECT done::float8 AS done, checkpoint FROM log_head`.pipe(ledgerCall("audit head"))
  const signed = head?.checkpoint ?? null
  const opened = yield* Effect.promise(() =>
    signed === null ? Promise.resolve(null) : openCheckpoint(signed, keys).catch((cause: Error) => cause)
  )
  if (opened === null) {
    const isKept = kept !== null && kept.size > 0
    return report(
      0,
      isKept ? finding("restored", null, null, "the log is empty, and a checkpoint of it was kept") : null
    )
  }
  if (opened instanceof Error) {
    return report(0, finding("rewritten", null, null, `the checkpoint of the log is not believed: ${opened.message}`))
  }
  const { size } = opened
  const recomputed = yield* recompute(sql, size)
  if (recomputed.finding !== null) return report(size, recomputed.finding)
  if (!isEqual(recomputed.root, opened.root)) {
    return report(size, finding("rewritten", null, null, "the entries are not those that were signed"))
  }
  const beyond = yield* sql<{ readonly answerId: string | null; readonly index: number }>`
    SELECT answer_id AS "answerId", index::float8 AS index FROM log_entry LEFT JOIN answer USING (seq)
    WHERE index >= (SELECT size FROM log_head) ORDER BY index LIMIT 1`.pipe(ledgerCall("audit end"))
  if (beyond[0] !== undefined) {
    return report(size, finding("added", beyond[0].index, beyond[0].answerId, "no checkpoint covers this entry"))
  }
  const stray = yield* strayRecord(sql, head!.done)
  return report(size, stray ?? (kept === null ? null : yield* compareKept(sql, size, recomputed.root, kept)))
})

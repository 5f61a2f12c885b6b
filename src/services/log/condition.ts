/**
 * How the log of records stands: how far it goes, what waits for it, and whether the key of this installation signed it
 * last. It checks one signature and no record; that is the audit's.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { openCheckpoint } from "../../proof/checkpoint.ts"
import { configuredKeys } from "./configuredKeys.ts"

/** Of the records that wait, so many are counted. */
export const MOST_WAITING = 100_000
/** Records that are looked up in the log one by one, the newest: whoever may write to log_head can say that none waits. Below `done` one whose time nobody could write does not. */
export const MOST_LOOKED_UP = 10_000

interface Head {
  readonly origin: string | null
  readonly checkpoint: string | null
  readonly size: number
  /** Of the last entry's record. */
  readonly newestAt: Date | null
  readonly waiting: number
  readonly waitingSince: Date | null
}

export const logHead = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [head] = yield* sql<Head>`
    SELECT origin, checkpoint, size::float8 AS size,
      (SELECT recorded_at FROM log_entry JOIN answer USING (seq) WHERE index = size - 1) AS "newestAt",
      waiting.count AS waiting, waiting.since AS "waitingSince"
    FROM log_head CROSS JOIN LATERAL (
      SELECT count(*)::float8 AS count, min(recorded_at) AS since FROM (
        SELECT recorded_at FROM answer
        WHERE answer.seq > least(done, coalesce((
          SELECT seq FROM answer WHERE seq <= (SELECT last_answer_seq())
          ORDER BY seq DESC OFFSET ${sql.literal(String(MOST_LOOKED_UP))} LIMIT 1
        ), 0)) AND (answer.seq > done OR recorded_at >= '1970-01-01Z' AND recorded_at < '10000-01-01Z')
          AND (SELECT seq FROM log_entry WHERE log_entry.seq = answer.seq) IS NULL
        ORDER BY answer.seq LIMIT ${sql.literal(String(MOST_WAITING))}) AS record) AS waiting`
  return head!
})

export type SignedBy = "nobody yet" | "the present key" | "the key before" | "another key" | "no key is configured"

/** Whose signature the newest checkpoint has, as far as the keys of this installation tell. */
export const signerOf = Effect.fnUntraced(function* ({ checkpoint, origin }: Head) {
  const { isConfigured, keys } = yield* configuredKeys(origin === null ? [] : [origin])
  if (!isConfigured) return "no key is configured" satisfies SignedBy
  if (checkpoint === null) return "nobody yet" satisfies SignedBy
  const isSignedBy = (believed: ReadonlyArray<string>) =>
    Effect.promise(() =>
      openCheckpoint(checkpoint, believed).then(
        () => true,
        () => false
      )
    )
  if (yield* isSignedBy(keys.slice(0, 1))) return "the present key" satisfies SignedBy
  return ((yield* isSignedBy(keys)) ? "the key before" : "another key") satisfies SignedBy
})

/**
 * The state of the log: its size, the records that wait, and whether the key of this installation signed last. It checks
 * one signature and no record; that is the audit's.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { openCheckpoint } from "../../proof/checkpoint.ts"
import { configuredKeys } from "./configuredKeys.ts"

/** Of the records that wait, so many are counted. */
export const MOST_WAITING = 100_000

/** Whether a record of `answer` is still to be entered, beside the row of `log_head`. */
export const IS_AWAITED = "(answer.xid, answer.seq) > (log_head.xid, log_head.seq) AND answer.seq > log_head.restored"

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
        SELECT recorded_at FROM answer WHERE ${sql.literal(IS_AWAITED)} LIMIT ${sql.literal(String(MOST_WAITING))}
      ) AS record) AS waiting`
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

/** What a round takes into the log, out of all that wait, and how far the log has then come. Takes nothing itself. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { type Head, MOST_RECORDS, markOf, type NewRecord, recordsBehind, recordsPassed } from "./backlog.ts"
import { baseOf, type Intent, recordsOfIntent } from "./intent.ts"
import { withoutSecond } from "./secondRecords.ts"
import { overdue, type Standing, standingAt } from "./standing.ts"
import { lateRecords, type Sweep } from "./sweep.ts"

interface Remembered {
  /**
   * The number up to which this process has come itself, with all records; null before its first round, which believes
   * the `done` of log_head. Later it believes none that is higher.
   */
  readonly reached: number | null
  readonly intent: Intent | null
  readonly standing: Standing | null
  /** The search that has found late records, in a round that is to enter them. */
  readonly late: Sweep | null
}

/** What may have been signed already comes first, and alone. */
export const nextRecords = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  head: Head,
  { intent, late, reached, standing }: Remembered,
  now: number
) {
  const from = Math.min(reached ?? head.done, head.done)
  if (intent !== null && intent.base === baseOf(head)) {
    const { done, mark, writers } = head
    const none: ReadonlyArray<NewRecord> = []
    const records = yield* recordsOfIntent(sql, intent)
    return {
      next: { mark, isNew: false, writers },
      done,
      reached: from,
      isFull: true,
      missed: none,
      second: none,
      records,
      intent,
      standing
    }
  }
  const { next, upTo, visible, ...mark } = yield* markOf(sql, head, from)
  const stands = standingAt(standing, { done: from, newest: visible }, now)
  const settled = Math.min(upTo, Math.max(mark.settled, overdue(stands, now)))
  const { passed, passedUpTo } = yield* recordsPassed(sql, from, head.done)
  const behind = [...passed, ...(yield* recordsBehind(sql, head.done, upTo))].slice(0, MOST_RECORDS)
  const isFull = behind.length === MOST_RECORDS
  const come = isFull ? Math.min(settled, behind.at(-1)!.seq) : settled
  const missed = late === null || isFull ? [] : yield* lateRecords(sql, late, head.size)
  return {
    next,
    done: Math.max(head.done, come),
    reached: Math.max(from, Math.min(come, passedUpTo)),
    isFull,
    missed,
    standing: stands,
    ...(yield* withoutSecond(sql, [...behind, ...missed])),
    intent: null
  }
})

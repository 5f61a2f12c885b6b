/** What a round takes into the log, out of all that wait, and how far the log has then come. Takes nothing itself. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import {
  type Head,
  keptMark,
  type Mark,
  MOST_RECORDS,
  markOf,
  type NewRecord,
  recordsBehind,
  recordsPassed
} from "./backlog.ts"
import { baseOf, type Intent, recordsOfIntent } from "./intent.ts"
import { enteredIn, type Known, knownAfter } from "./known.ts"
import { withoutSecond } from "./secondRecords.ts"
import { overdue, type Standing, standingAt } from "./standing.ts"
import { lateRecords, type Sweep } from "./sweep.ts"

export interface Remembered {
  /**
   * The number up to which this process has come itself, with all records; null before its first round, which believes
   * log_head. Later it believes neither a `done` that is higher or lower nor another mark.
   */
  readonly reached: number | null
  readonly mark: Mark | null
  readonly known: Known | null
  readonly intent: Intent | null
  readonly standing: Standing | null
  /** The search that has found late records, in a round that is to enter them. */
  readonly late: Sweep | null
}

/** What may have been signed already, again. */
const again = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, head: Head, intent: Intent, before: Remembered) {
  const none: ReadonlyArray<NewRecord> = []
  const { known, mark, reached, standing } = before
  const records = yield* recordsOfIntent(sql, intent)
  const which = { intent, isFull: true, missed: none, second: none, records }
  return { ...which, done: head.done, reached: reached ?? head.done, next: keptMark(head, mark), known, standing }
})

/** What may have been signed already comes first, and alone. */
export const nextRecords = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  head: Head,
  before: Remembered,
  now: number
) {
  const { intent, late } = before
  if (intent !== null && intent.base === baseOf(head)) return yield* again(sql, head, intent, before)
  const from = before.reached ?? head.done
  const done = Math.max(from, head.done)
  const { next, upTo, visible, ...mark } = yield* markOf(sql, { ...head, done }, from, keptMark(head, before.mark))
  const stands = standingAt(before.standing, { done: from, newest: visible }, now)
  const settled = Math.min(upTo, Math.max(mark.settled, overdue(stands, now)))
  const entered = enteredIn(head, before.known)
  const { passed, passedUpTo } = yield* recordsPassed(sql, from, done, entered)
  const behind = [...passed, ...(yield* recordsBehind(sql, done, upTo, entered))].slice(0, MOST_RECORDS)
  const isFull = behind.length === MOST_RECORDS
  const come = isFull ? Math.min(settled, behind.at(-1)!.seq) : settled
  const missed = late === null || isFull ? [] : yield* lateRecords(sql, late, head.size)
  const reached = Math.max(from, Math.min(come, passedUpTo))
  return {
    next,
    done: Math.max(done, come),
    reached,
    isFull,
    missed,
    standing: stands,
    known: knownAfter(before.known, head, reached, isFull ? null : Math.min(visible, upTo)),
    ...(yield* withoutSecond(sql, [...behind, ...missed])),
    intent: null
  }
})

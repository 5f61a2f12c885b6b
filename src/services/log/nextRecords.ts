/** What a round takes into the log, out of all that wait, and how far the log has then come. Takes nothing itself. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { type Head, MOST_RECORDS, markOf, type NewRecord, recordsBehind } from "./backlog.ts"
import { type Intent, recordsOfIntent } from "./intent.ts"
import { withoutSecond } from "./secondRecords.ts"
import { lateRecords, type Sweep } from "./sweep.ts"

/** What may have been signed already comes first, and alone. */
export const nextRecords = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  head: Head,
  { intent, sweep }: { readonly intent: Intent | null; readonly sweep: Sweep }
) {
  if (intent?.base === head.checkpoint) {
    const { done, mark, writers } = head
    const none: ReadonlyArray<NewRecord> = []
    const records = yield* recordsOfIntent(sql, intent)
    return { next: { mark, isNew: false, writers }, done, isFull: true, missed: none, second: none, records, intent }
  }
  const { next, settled, upTo } = yield* markOf(sql, head)
  const behind = yield* recordsBehind(sql, head.done, upTo)
  const isFull = behind.length === MOST_RECORDS
  const done = Math.max(head.done, isFull ? Math.min(settled, behind.at(-1)!.seq) : settled)
  const missed = isFull ? [] : yield* lateRecords(sql, sweep, head.size)
  return { next, done, isFull, missed, ...(yield* withoutSecond(sql, [...behind, ...missed])), intent: null }
})

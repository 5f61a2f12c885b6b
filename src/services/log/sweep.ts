/**
 * Looks for records that the log has gone past without them: a writer who took longer than anybody does, numbers that a
 * session held back, or a row that somebody put in below. A page a step, from the first record there is, for ever, beside
 * the rounds and without their lock (search.ts). What was recorded within a day is still entered; an older one never, for that would
 * prove a time that may be made up. Nor is one before all entries were found to be those of other records (whole.ts).
 */
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { plainlyPlanned } from "../../database/plainly.ts"
import { allOf, atLength, numbersOf } from "./allRows.ts"
import { MOST_RECORDS, readInOrder, selectRecords } from "./backlog.ts"
import type { Signed } from "./continuity.ts"
import { checkEntries } from "./whole.ts"

const PAGE = 1000
const LATE_MILLISECONDS = 86_400_000
/** For the one question over all entries: a second for two million. Nothing waits for it but the search. */
export const MOST_QUESTION_MILLISECONDS = 600_000
const BEFORE_ALL = "-9223372036854775808"

/** Records that stay out of the log. */
export interface Strays {
  readonly count: number
  readonly first: string | null
}

export interface Sweep {
  /**
   * The number up to which this cycle has looked, and behind which the next one begins; as text, for it may be any that
   * there is. null: the first cycle of a process begins with the records of the last day, among which the late ones are.
   */
  readonly cursor: string | null
  /** Numbers of the records that seem to have been missed: as many as one round takes. */
  readonly late: ReadonlyArray<string>
  /** How many entries were looked at since all records were; null before. */
  readonly checked: number | null
  /** Of the log, when none of its entries was found to be one of those that are late. */
  readonly size: number
  /** Whether the cycle is at its end, and those that are late are to be entered. */
  readonly isOver: boolean
  /** Why nothing that is late is entered, if an entry is not that of its record. */
  readonly broken: string | null
  /** Too old to be entered, or nothing that an entry can be made of. */
  readonly strays: Strays
  /** Under an answerId that is in the log. */
  readonly second: Strays
}

const NONE: Strays = { count: 0, first: null }
const begunAt = (cursor: string | null): Sweep => ({
  cursor,
  late: [],
  checked: null,
  size: 0,
  isOver: false,
  broken: null,
  strays: NONE,
  second: NONE
})

export const NEW_SWEEP = begunAt(null)

interface Page {
  readonly rows: number
  readonly last: string
  readonly late: ReadonlyArray<string>
  readonly strays: number
  readonly firstStray: string | null
  readonly second: number
  readonly firstSecond: string | null
}

const pageAfter = (sql: SqlClient.SqlClient, cursor: string, done: number, since: Date) => sql<Page>`
  WITH page AS (
    SELECT seq, answer_id, recorded_at, kind FROM public.answer WHERE seq > ${cursor}::bigint AND seq <= ${done}::bigint
    ORDER BY seq LIMIT ${sql.literal(String(PAGE))}
  ), missed AS (
    SELECT seq, answer_id,
      EXISTS (
        SELECT FROM public.answer JOIN public.log_entry USING (seq) WHERE answer.answer_id = page.answer_id
      ) AS is_second,
      seq > 0 AND recorded_at >= ${since} AND recorded_at < '10000-01-01Z'
        AND EXISTS (SELECT FROM public.answer_kind WHERE id = kind) AS is_late
    FROM page WHERE (SELECT seq FROM public.log_entry WHERE log_entry.seq = page.seq) IS NULL
  )
  SELECT (SELECT count(*)::int FROM page) AS rows, coalesce((SELECT max(seq)::text FROM page), '') AS last,
    coalesce(array_agg(seq::text ORDER BY missed.seq) FILTER (WHERE is_late AND NOT is_second), '{}') AS late,
    (count(*) FILTER (WHERE NOT is_late AND NOT is_second))::int AS strays,
    (array_agg(answer_id) FILTER (WHERE NOT is_late AND NOT is_second))[1] AS "firstStray",
    (count(*) FILTER (WHERE is_second))::int AS second,
    (array_agg(answer_id) FILTER (WHERE is_second))[1] AS "firstSecond"
  FROM missed`

const more = ({ count, first }: Strays, found: number, firstFound: string | null): Strays => ({
  count: count + found,
  first: first ?? firstFound
})

/** About where the records from this time on begin, by halves: numbers and times go up together, but for some. */
const beginOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, done: number, since: Date) {
  let [older, newer] = [0, done]
  while (newer - older > PAGE) {
    const middle = Math.floor((older + newer) / 2)
    const [next] = yield* sql<{ readonly isOlder: boolean }>`
      SELECT recorded_at < ${since} AS "isOlder" FROM public.answer WHERE seq > ${middle}::bigint ORDER BY seq LIMIT 1`
    if (next?.isOlder === true) older = middle
    else newer = middle
  }
  return String(older)
})

/** One page of records. With as many late ones as a round takes, the rest is for the next cycle, which goes on behind them. */
const lookAtRecords = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, sweep: Sweep, done: number) {
  const since = new Date((yield* Clock.currentTimeMillis) - LATE_MILLISECONDS)
  const [page] = yield* pageAfter(sql, sweep.cursor ?? (yield* beginOf(sql, done, since)), done, since)
  const late = [...sweep.late, ...page!.late].slice(0, MOST_RECORDS)
  const strays = more(sweep.strays, page!.strays, page!.firstStray)
  const second = more(sweep.second, page!.second, page!.firstSecond)
  const looked: Sweep = { ...sweep, strays, second, late }
  if (late.length === MOST_RECORDS) return { ...looked, cursor: late.at(-1)!, checked: 0 }
  if (page!.rows === PAGE) return { ...looked, cursor: page!.last }
  return { ...looked, cursor: BEFORE_ALL, checked: 0, isOver: late.length === 0 }
})

/** Which of the numbers are those of entries from one index to before another; and whether all of these entries are there. */
const entriesAmong = (
  sql: SqlClient.SqlClient,
  late: ReadonlyArray<string>,
  entries: Fragment,
  [from, to]: readonly [number, number]
) =>
  Effect.map(
    sql<{ readonly isWhole: boolean; readonly known: ReadonlyArray<string> }>`
      SELECT count(*) = ${to - from}::bigint AS "isWhole",
        coalesce(array_agg(seq::text) FILTER (WHERE seq IN (SELECT unnest(${late}::text[])::bigint)), '{}') AS known
      FROM ${entries} WHERE index >= ${from}::bigint AND index < ${to}::bigint`,
    ([found]) => (found!.isWhole ? late.filter((seq) => !found!.known.includes(seq)) : [])
  )

/**
 * The end of a cycle: those that are late and no entry is of. Asked of all entries at one instant, for the walk that found
 * each to be right took its time, and one may have been taken away behind it.
 */
const lookedUp = (sql: SqlClient.SqlClient, sweep: Sweep, size: number) =>
  atLength(sql, entriesAmong(sql, sweep.late, allOf(sql, "log_entry"), [0, size]), MOST_QUESTION_MILLISECONDS).pipe(
    Effect.map((late): Sweep => ({ ...sweep, late, checked: size, size, isOver: true }))
  )

/** One step of a sweep, in a transaction, of a log that has come to `done` and of which so much is signed. */
export const sweepOn = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  before: Sweep,
  done: number,
  signed: Signed
) {
  const sweep = before.isOver ? begunAt(before.cursor) : before
  yield* sweep.checked === null ? readInOrder(sql) : plainlyPlanned(sql)
  const looked = sweep.checked === null ? yield* lookAtRecords(sql, sweep, done) : sweep
  if (looked.isOver || looked.checked === null) return looked
  return yield* checkEntries(sql, signed, looked.checked).pipe(
    Effect.flatMap((checked) =>
      checked < signed.size ? Effect.succeed<Sweep>({ ...looked, checked }) : lookedUp(sql, looked, signed.size)
    ),
    Effect.catchTag("LogBroken", ({ reason }) =>
      Effect.succeed<Sweep>({ ...looked, late: [], isOver: true, broken: reason })
    )
  )
})

/** Whether there are late records to enter. */
export const hasLate = ({ isOver, late }: Sweep): boolean => isOver && late.length > 0

/** Those that were late, and that nobody has entered since; inside a round, which has the lock, of a log of this size. */
export const lateRecords = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, sweep: Sweep, size: number) {
  const late = yield* entriesAmong(sql, sweep.late, sql.literal("ONLY public.log_entry"), [sweep.size, size])
  return yield* selectRecords(sql, sql`answer.seq = ANY ${numbersOf(sql, late)}`)
})

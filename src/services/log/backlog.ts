/**
 * Which records the log has to take next: those above `done` that are visible, those below it that this process has not
 * come to, for whoever may write to log_head can raise it, and how far all that will ever be there are. Waits for nobody,
 * and believes no number that was not given to a record. What comes later than it reckoned with is found by the sweep.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { plainlyPlanned } from "../../database/plainly.ts"
import { READ_COLUMNS } from "../answers/storedRows.ts"
import { RECORDS } from "./allRows.ts"
import type { LoggedAnswer } from "./entries.ts"
import type { Entered } from "./known.ts"

/** Records of one round: as many as take the thread for some milliseconds. */
export const MOST_RECORDS = 1024
/** Numbers above `done` that one round looks at: most may be in the log already. */
const MOST_NUMBERS = 200_000
/** Records below `done` that one round looks at: where other processes have entered them, each is a lookup. */
const MOST_PASSED = 10_000
/** Entries that one round counts, the newest: a tenth of a second, for the first minutes of a process beside a writer who stays. */
const MOST_COUNTED = 500_000
/** Nobody who writes records takes longer, unless something is wrong; then the log goes on without him. */
export const WRITER_MILLISECONDS = 60_000

export interface Head {
  /** null before the log is begun. */
  readonly origin: string | null
  readonly size: number
  readonly done: number
  readonly mark: number
  /** Of the mark, by the clock of the database: those of several processes may differ. */
  readonly ageMillis: number
  readonly writers: ReadonlyArray<string>
  readonly checkpoint: string | null
  /** Where the last entry ends: `size`, if nobody has put one in. */
  readonly end: number
  /** The highest number of a record that has an entry. */
  readonly entered: number
  /** The highest number that was given to a record. */
  readonly last: number
}

/** All records up to a number are there once none of these, who were writing then, is still under way. */
export interface Mark {
  readonly mark: number
  readonly isNew: boolean
  readonly writers: ReadonlyArray<string>
}

export interface NewRecord extends LoggedAnswer {
  readonly seq: number
}

/**
 * The planner is told to read records in their order, for a transaction: it knows too little of a table that only grows,
 * and would sort it all.
 */
export const readInOrder = (sql: SqlClient.SqlClient) =>
  plainlyPlanned(sql, { enable_sort: "off", enable_seqscan: "off" })

/** The head, if no other process is at it. The lock goes with the transaction, and waiting for it would serve nobody. */
export const lockHead = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* readInOrder(sql)
  const [lock] = yield* sql<{ readonly free: boolean }>`
    SELECT pg_try_advisory_xact_lock('public.log_head'::regclass::oid::int, 0) AS free`
  if (!lock!.free) return null
  const [head] = yield* sql<Head>`
    SELECT origin, size::float8 AS size, done::float8 AS done, mark::float8 AS mark, writers,
      abs(1000 * extract(epoch FROM clock_timestamp() - marked_at))::float8 AS "ageMillis",
      checkpoint, public.last_answer_seq()::float8 AS last,
      (SELECT coalesce(max(index) + 1, 0) FROM public.log_entry)::float8 AS end,
      (SELECT coalesce(max(seq), 0) FROM public.log_entry)::float8 AS entered
    FROM public.log_head`
  return { head }
})

/** That of this process, whatever log_head says; that of log_head, before it has one. */
export const keptMark = ({ ageMillis, mark, writers }: Head, own: Mark | null): Mark => {
  if (own !== null) return { ...own, isNew: false }
  return { mark, isNew: false, writers: ageMillis > WRITER_MILLISECONDS ? [] : writers }
}

/**
 * Numbers of records become visible out of order, and a row that commits late must not be missed. Whoever is about to
 * insert a row holds a lock on the table, from before the row gets its number until the row is visible. So, of the highest
 * number that is visible now (read first), all below it are final once those who hold that lock now (read second) are gone.
 * Up to `reached` this process knows that they are.
 */
export const markOf = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  head: Pick<Head, "done" | "last">,
  reached: number,
  kept: Mark
) {
  const [visible] = yield* sql<{ readonly newest: number; readonly next: number }>`
    SELECT coalesce(max(seq), 0)::float8 AS newest,
      (SELECT coalesce(min(seq), 0) FROM public.answer WHERE seq > ${head.done}::bigint)::float8 AS next
    FROM public.answer WHERE seq <= ${head.last}::bigint`
  const holders = yield* sql<{ readonly writer: string }>`
    SELECT virtualtransaction AS writer FROM pg_locks
    WHERE locktype = 'relation' AND relation = 'public.answer'::regclass AND mode = 'RowExclusiveLock' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  const writing = new Set(holders.map(({ writer }) => writer))
  const mark = kept.mark > head.last ? reached : kept.mark
  const marks: ReadonlyArray<Mark> = [
    { mark: visible!.newest, isNew: true, writers: [...writing] },
    { ...kept, mark }
  ]
  const settled = marks.find(({ writers }) => !writers.some((writer) => writing.has(writer)))?.mark ?? reached
  // A mark that waits for somebody is kept until he is gone: a newer one would wait for ever under load.
  const next = settled < mark ? marks[1]! : marks[0]!
  const upTo = Math.min(head.last, Math.max(head.done, visible!.next) + MOST_NUMBERS)
  return { settled: Math.min(settled, upTo), next, upTo, visible: visible!.newest }
})

/** Recorded answers; one whose time nobody could write is left to the audit. */
export const selectRecords = (sql: SqlClient.SqlClient, which: Fragment, most = MOST_RECORDS) => sql<NewRecord>`
  SELECT seq::float8 AS seq, recorded_at AS "recordedAtUtc", ${sql.literal(READ_COLUMNS)}
  FROM ${sql.literal(RECORDS)} AS answer
  WHERE ${which} AND recorded_at >= '1970-01-01Z' AND recorded_at < '10000-01-01Z'
  ORDER BY answer.seq LIMIT ${sql.literal(String(most))}`

/**
 * Whether a record that has no entry never had one: none of those is gone that it could have. Where there are more than are
 * counted, that is told of records above the first that are counted; numbers and entries go up together, but for a round.
 */
const wasNone = (sql: SqlClient.SqlClient, { index, size }: Entered, most: number) => {
  const from = Math.max(index, size - most)
  const counted = sql`
    SELECT count(*) FROM ONLY public.log_entry WHERE index >= ${from}::bigint AND index < ${size}::bigint`
  const first = sql`
    SELECT max(seq) FROM public.log_entry WHERE index >= ${from}::bigint AND index < ${from + MOST_RECORDS}::bigint`
  return sql`(${from === index}::boolean OR answer.seq > (${first})) AND ${size - from}::bigint = (${counted})`
}

/**
 * The log is looked up record by record: as a join, all of it might be read for some records. Entries are counted, at the
 * same instant, only if one that should be in the log is not.
 * @param most entries that are counted
 */
export const recordsBehind = (
  sql: SqlClient.SqlClient,
  done: number,
  upTo: number,
  entered: Entered,
  most = MOST_COUNTED
) =>
  selectRecords(
    sql,
    sql`answer.seq > ${done}::bigint AND answer.seq <= ${upTo}::bigint
      AND CASE WHEN (SELECT seq FROM public.log_entry WHERE log_entry.seq = answer.seq) IS NULL
        THEN answer.seq > ${entered.upTo}::bigint OR ${wasNone(sql, entered, most)} ELSE false END`
  )

/** Those that `done` is above and this process has not come to, as many as a round looks at, and up to which number. */
export const recordsPassed = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  reached: number,
  done: number,
  entered: Entered
) {
  const none: ReadonlyArray<NewRecord> = []
  if (reached >= done) return { passed: none, passedUpTo: Number.POSITIVE_INFINITY }
  const [page] = yield* sql<{ readonly end: number | null }>`
    SELECT (
      SELECT seq FROM public.answer WHERE seq > ${reached}::bigint AND seq <= ${done}::bigint
      ORDER BY seq OFFSET ${MOST_PASSED - 1}::bigint LIMIT 1
    )::float8 AS end`
  const { end } = page!
  return {
    passed: yield* recordsBehind(sql, reached, end ?? done, entered),
    passedUpTo: end ?? Number.POSITIVE_INFINITY
  }
})

/**
 * Looks for records that the log has gone past without them: a writer who took longer than anybody does, numbers that a
 * session held back, or a row that somebody put in below. A page each round, from the first record there is, for ever. What
 * was recorded within a day is still entered; an older one never, for that would prove a time that may be made up.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { type NewRecord, selectRecords } from "./backlog.ts"

const PAGE = 1000
const LATE_MILLISECONDS = 86_400_000
const BEFORE_ALL = "-9223372036854775808"

/** Records that stay out of the log. */
export interface Strays {
  readonly count: number
  readonly first: string | null
}

export interface Sweep extends Strays {
  /** The number up to which this cycle has looked; as text, for it may be any that the database can hold. */
  readonly cursor: string
}

export const NEW_SWEEP: Sweep = { cursor: BEFORE_ALL, count: 0, first: null }

interface Page extends Strays {
  readonly rows: number
  readonly last: string
  readonly late: ReadonlyArray<string>
}

const pageAfter = (sql: SqlClient.SqlClient, cursor: string, done: number, since: Date) => sql<Page>`
  WITH page AS (
    SELECT seq, answer_id, (SELECT seq FROM log_entry WHERE log_entry.seq = answer.seq) IS NULL AS is_missed,
      seq > 0 AND recorded_at >= ${since} AND recorded_at < '10000-01-01Z' AS is_late
    FROM answer WHERE seq > ${cursor}::bigint AND seq <= ${done}::bigint
    ORDER BY seq LIMIT ${sql.literal(String(PAGE))}
  )
  SELECT count(*)::int AS rows, coalesce(max(seq)::text, '') AS last,
    coalesce(array_agg(seq::text) FILTER (WHERE is_missed AND is_late), '{}') AS late,
    (count(*) FILTER (WHERE is_missed AND NOT is_late))::int AS count,
    (array_agg(answer_id) FILTER (WHERE is_missed AND NOT is_late))[1] AS first
  FROM page`

/** One page: the records to enter after all, how to go on, and, at the end of a cycle, what stays out. */
export const sweepPage = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, sweep: Sweep, done: number, now: Date) {
  const [found] = yield* pageAfter(sql, sweep.cursor, done, new Date(now.getTime() - LATE_MILLISECONDS))
  const { count, first, last, late, rows } = found!
  const missed: ReadonlyArray<NewRecord> =
    late.length === 0 ? [] : yield* selectRecords(sql, sql`answer.seq = ANY (${late}::text[]::bigint[])`)
  const strays: Strays = { count: sweep.count + count, first: sweep.first ?? first }
  return rows < PAGE
    ? { missed, sweep: NEW_SWEEP, strays }
    : { missed, sweep: { ...strays, cursor: last }, strays: null }
})

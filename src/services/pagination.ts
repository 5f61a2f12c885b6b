/**
 * Pagination of long lists for operators, within one snapshot. The database sorts the list once and
 * keeps a cursor, so a list of a million rows is never in memory here.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { withDeadline } from "../database/deadline.ts"
import { inSnapshot, LedgerUnavailable } from "./ledgerUnavailable.ts"

const PAGE_ROWS = 1000
/** The limit of each statement (the first sorts all rows) and of the caller's work on each page. */
const TIMEOUT_MILLISECONDS = 60_000

/** The number of rows that a list shows unless all are requested. */
export const MAX_LISTED = 200

/** The number of rows to show; null for all. */
export type RowLimit = number | null

/**
 * Sets longer timeouts for this transaction. Those of the session are short, because callers of the
 * API wait.
 */
const withTime = (sql: SqlClient.SqlClient) => sql`
  SELECT set_config(name, ${String(TIMEOUT_MILLISECONDS)}, true)
  FROM unnest(ARRAY['statement_timeout', 'idle_in_transaction_session_timeout']) AS name`

const inTime = <A, E, R>(statement: Effect.Effect<A, E, R>) =>
  withDeadline(statement, TIMEOUT_MILLISECONDS, () => new LedgerUnavailable())

/** Runs a query over all rows of a list, such as their count. */
export const queryAll = <A, E, R>(sql: SqlClient.SqlClient, operation: string, query: Effect.Effect<A, E, R>) =>
  inSnapshot(sql, operation, Effect.andThen(withTime(sql), inTime(query)))

/**
 * Passes the rows of a SELECT to `take` in pages, at most `limit` rows, and returns their number.
 */
export const eachPage = Effect.fnUntraced(function* <Row extends object, E, R>(
  sql: SqlClient.SqlClient,
  operation: string,
  rows: Fragment,
  limit: RowLimit,
  take: (page: ReadonlyArray<Row>) => Effect.Effect<void, E, R>
) {
  const next = (count: number) => inTime(sql<Row>`FETCH ${sql.literal(String(count))} FROM listed`)
  const pages = Effect.gen(function* () {
    yield* withTime(sql)
    yield* sql`DECLARE listed NO SCROLL CURSOR FOR ${rows}`
    let count = 0
    for (;;) {
      const wanted = Math.min(PAGE_ROWS, (limit ?? Number.POSITIVE_INFINITY) - count)
      if (wanted === 0) return count
      const page = yield* next(wanted)
      if (page.length > 0) yield* take(page)
      count += page.length
      if (page.length < wanted) return count
    }
  })
  return yield* inSnapshot(sql, operation, pages)
})

/** The LIMIT clause of a list, so that the database reads no more rows than are shown. */
export const limitOf = (sql: SqlClient.SqlClient, limit: RowLimit) =>
  limit === null ? sql`` : sql`LIMIT ${sql.literal(String(limit))}`

/**
 * A long list for operators, a page at a time, as all of it was at one instant. The server sorts it once and keeps it,
 * so that a list of a million rows takes one pass and no memory here. Whoever takes the pages decides how many he wants.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { withDeadline } from "../database/deadline.ts"
import { inSnapshot, LedgerUnavailable } from "./ledgerUnavailable.ts"

const PAGE_ROWS = 1000
/** For one statement, of which the first sorts all rows; and for whoever takes a page, before the list is broken off. */
const MOST_MILLISECONDS = 60_000

/** What a list shows unless all of it is asked for. */
export const MAX_LISTED = 200

/** `null`: all there are. */
export type Most = number | null

/** For one transaction: a session's own bounds are for callers who wait. */
const withTime = (sql: SqlClient.SqlClient) => sql`
  SELECT set_config(name, ${String(MOST_MILLISECONDS)}, true)
  FROM unnest(ARRAY['statement_timeout', 'idle_in_transaction_session_timeout']) AS name`

const inTime = <A, E, R>(statement: Effect.Effect<A, E, R>) =>
  withDeadline(statement, MOST_MILLISECONDS, () => new LedgerUnavailable())

/** What is asked of all rows of a list, such as how many there are. */
export const askedOfAll = <A, E, R>(sql: SqlClient.SqlClient, operation: string, question: Effect.Effect<A, E, R>) =>
  inSnapshot(sql, operation, Effect.andThen(withTime(sql), inTime(question)))

/** Hands the rows of a SELECT to `take` in pages, at most `most` of them, and returns how many there were. */
export const eachPage = Effect.fnUntraced(function* <Row extends object, E, R>(
  sql: SqlClient.SqlClient,
  operation: string,
  rows: Fragment,
  most: Most,
  take: (page: ReadonlyArray<Row>) => Effect.Effect<void, E, R>
) {
  const next = (count: number) => inTime(sql<Row>`FETCH ${sql.literal(String(count))} FROM listed`)
  const pages = Effect.gen(function* () {
    yield* withTime(sql)
    yield* sql`DECLARE listed NO SCROLL CURSOR FOR ${rows}`
    let count = 0
    for (;;) {
      const wanted = Math.min(PAGE_ROWS, (most ?? Number.POSITIVE_INFINITY) - count)
      if (wanted === 0) return count
      const page = yield* next(wanted)
      if (page.length > 0) yield* take(page)
      count += page.length
      if (page.length < wanted) return count
    }
  })
  return yield* inSnapshot(sql, operation, pages)
})

/** The LIMIT of a list, for a plan that reads no more than it shows. */
export const limitOf = (sql: SqlClient.SqlClient, most: Most) =>
  most === null ? sql`` : sql`LIMIT ${sql.literal(String(most))}`

/**
 * The list of waiting and given-up mails for operators: no address, text or key. Sent and dropped
 * mails are not listed.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { eachPage, limitOf, queryAll, type RowLimit } from "../pagination.ts"
import { isWaiting, type LeasedMail } from "./mailQueue.ts"

export interface ListedMail {
  readonly id: string
  readonly kind: LeasedMail["kind"]
  readonly state: "waiting" | "given up"
  /** Failed attempts, and possibly one in progress. */
  readonly attempts: number
  readonly queuedAt: Date
  /** null if there will be no further attempt. */
  readonly nextAttemptAt: Date | null
  readonly givenUpAt: Date | null
  readonly subscriptionId: string | null
}

interface QueueDepth {
  readonly waiting: number
  /** Waiting mails with at least one attempt. */
  readonly tried: number
  readonly oldestAt: Date | null
  readonly givenUp: number
}

export const mailQueueDepth = (sql: SqlClient.SqlClient) => {
  const count = sql<QueueDepth>`
    SELECT count(*) FILTER (WHERE given_up_at IS NULL)::float8 AS waiting,
      count(*) FILTER (WHERE given_up_at IS NULL AND attempts > 0)::float8 AS tried,
      min(created_at) FILTER (WHERE given_up_at IS NULL) AS "oldestAt",
      count(given_up_at)::float8 AS "givenUp"
    FROM outbox WHERE sent_at IS NULL AND dropped_at IS NULL`
  return Effect.map(queryAll(sql, "count mails", count), ([depth]) => depth!)
}

/** Waiting mails in the order in which they are due, then given-up mails, the latest first. */
export const listMails = Effect.fn("listMails")(function* <E, R>(
  sql: SqlClient.SqlClient,
  limit: RowLimit,
  take: (page: ReadonlyArray<ListedMail>) => Effect.Effect<void, E, R>
) {
  const select = sql`
    SELECT id::text, kind, CASE WHEN ${isWaiting(sql)} THEN 'waiting' ELSE 'given up' END AS state, attempts,
      created_at AS "queuedAt", CASE WHEN ${isWaiting(sql)} THEN next_attempt_at END AS "nextAttemptAt",
      given_up_at AS "givenUpAt", subscription_id AS "subscriptionId"
    FROM outbox WHERE sent_at IS NULL AND dropped_at IS NULL
    ORDER BY outbox.given_up_at DESC NULLS FIRST, outbox.next_attempt_at, outbox.id ${limitOf(sql, limit)}`
  return yield* eachPage<ListedMail, E, R>(sql, "list mails", select, limit, take)
})

/**
 * Payment events that could not be applied: kept for the operator, without addresses. An event that Stripe sends again
 * and that then applies is settled, and so is one whose subscription is paid after all.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { PaymentEvent, Unapplied, UnappliedReason } from "./facts.ts"

export interface UnappliedEvent {
  readonly eventId: string
  readonly type: string
  readonly reason: UnappliedReason
  /** Stripe's id of the subscription, customer or checkout, where it could be read. */
  readonly externalId: string | null
  readonly receivedAt: Date
}

export const MAX_LISTED_EVENTS = 200

/**
 * Keeps an event. False if its subscription is paid already, so that nothing was lost: a renewal at an older price is
 * none of the operator's business. A reversal names no subscription.
 */
export const keepUnapplied = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { id, type }: Pick<PaymentEvent, "id" | "type">,
  { externalId, reason }: Unapplied,
  now: Date
): Effect.fn.Return<boolean, SqlError.SqlError> {
  const kept = yield* sql`
    INSERT INTO unapplied_event (event_id, type, reason, external_id, received_at)
    SELECT ${id}, ${type}, ${reason}, ${externalId}::text, ${now}::timestamptz
    WHERE NOT EXISTS (SELECT FROM subscription WHERE external_id = ${externalId}::text AND paid_at IS NOT NULL)
    ON CONFLICT (event_id) DO UPDATE SET reason = excluded.reason, settled_at = NULL
    RETURNING event_id`
  return kept.length > 0
})

export const settleEvent = (sql: SqlClient.SqlClient, eventId: string, now: Date) =>
  sql`UPDATE unapplied_event SET settled_at = ${now} WHERE event_id = ${eventId} AND settled_at IS NULL`

/** Settles what was kept of a subscription before it was paid. */
export const settlePayment = (sql: SqlClient.SqlClient, externalId: string, now: Date) =>
  sql`UPDATE unapplied_event SET settled_at = ${now} WHERE external_id = ${externalId} AND settled_at IS NULL`

/** The newest, at most MAX_LISTED_EVENTS. */
export const listUnapplied = (sql: SqlClient.SqlClient) =>
  sql<UnappliedEvent>`
    SELECT event_id AS "eventId", type, reason, external_id AS "externalId", received_at AS "receivedAt"
    FROM unapplied_event WHERE settled_at IS NULL ORDER BY received_at DESC, event_id LIMIT ${MAX_LISTED_EVENTS}`

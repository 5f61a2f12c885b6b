/**
 * Payment events that could not be applied: kept for the operator, without addresses. An event that Stripe sends again
 * and that then applies is settled, and so are one whose subscription is paid after all and one that the operator has
 * dismissed. A paid subscription that has no key is kept as well, until it gets one, and so is what was for another
 * product, but that would drown the others: it is told on request only. Payments in vain are inVain.ts's, and stand
 * in the same list.
 */
import { Effect, Metric } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { countersOf } from "../../telemetry.ts"
import { type PaymentEvent, type Told, UNAPPLIED_REASONS, type Unapplied, type UnappliedReason } from "./facts.ts"
import { listInVain } from "./inVain.ts"

export interface UnappliedEvent {
  readonly eventId: string
  readonly type: string
  readonly reason: UnappliedReason
  /** Stripe's id of the subscription, customer or checkout, where it could be read. */
  readonly externalId: string | null
  readonly receivedAt: Date
}

export const MAX_LISTED_EVENTS = 200

const lines = Metric.counter("payment_events_unapplied_total", {
  description:
    "What was kept for the operator, by reason: events that could not be applied, payments in vain, keys mailed to nobody.",
  incremental: true
})

export const beginCounting = countersOf(lines, "reason", UNAPPLIED_REASONS)

/** Tells the operator, without an address, of lines that were not there before. Once they are committed. */
export const reportTold = Effect.fnUntraced(function* (told: ReadonlyArray<Told>) {
  for (const { id, reason, type } of told) {
    yield* Metric.update(Metric.withAttributes(lines, { reason }), 1)
    // An account sells other things all the time.
    if (reason === "other-product") continue
    yield* Effect.logWarning("A payment event was not applied: see repay subscriptions unapplied").pipe(
      Effect.annotateLogs({ event: id, type, reason })
    )
  }
})

/** Whether a subscription is more than an end, which comes for whatever the account sells. */
const isOurs = (sql: SqlClient.SqlClient) =>
  sql.literal("(subscription.received_at IS NOT NULL OR sandbox_key_id IS NOT NULL OR is_ours)")

/** Settles the invoices that waited for the checkout of their subscription: it was for something else. */
const settleInvoices = (sql: SqlClient.SqlClient, externalId: string | null, now: Date) =>
  sql`
    UPDATE unapplied_event SET settled_at = ${now}
    WHERE external_id = ${externalId} AND reason = 'no-checkout' AND settled_at IS NULL`

/** As what an event is kept, and whether the list did not say so before. */
export interface Kept {
  readonly reason: UnappliedReason
  readonly isNew: boolean
}

/**
 * Keeps an event, and returns as what. Not one whose subscription is paid already, so that nothing was lost; but that it
 * is paid at another price now is told once of each, for it may have become another product: see tellOtherPrice. So is a
 * payment for something else that names a key of ours, or whose checkout did. A reversal names none. A payment without a
 * checkout is told once of each subscription, until its checkout says that it is for something else; that this brought no
 * address is told apart.
 */
export const keepUnapplied = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { id, type }: Pick<PaymentEvent, "id" | "type">,
  { externalId, reason, sandboxKeyId = null }: Unapplied,
  now: Date
): Effect.fn.Return<Kept | undefined, SqlError.SqlError> {
  const [kept] = yield* sql<Kept>`
    WITH listed AS (SELECT reason FROM unapplied_event WHERE event_id = ${id} AND settled_at IS NULL)
    INSERT INTO unapplied_event AS known (event_id, type, reason, external_id, received_at)
    SELECT ${id}, ${type}, CASE WHEN ${reason}::text = 'other-product' AND (known OR named) THEN 'other-price'
      ELSE ${reason}::text END, ${externalId}::text, ${now}::timestamptz
    FROM (SELECT EXISTS (SELECT FROM subscription WHERE paid_at IS NOT NULL AND external_id = ANY (ARRAY(
        SELECT ${externalId}::text
        UNION ALL SELECT owner FROM payment_reference WHERE reference = ${externalId}::text AND NOT is_customer))),
      EXISTS (SELECT FROM subscription WHERE external_id = ${externalId}::text AND ${isOurs(sql)}),
      EXISTS (SELECT FROM api_key WHERE id = ${sandboxKeyId}::uuid AND tier = 'Sandbox')) AS of (paid, known, named)
    WHERE CASE ${reason}::text
      WHEN 'no-checkout' THEN NOT paid AND NOT EXISTS (
        SELECT FROM unapplied_event WHERE external_id = ${externalId}::text AND event_id <> ${id}
          AND reason IN ('no-checkout', 'other-product', 'other-price'))
      WHEN 'other-product' THEN NOT EXISTS (
        SELECT FROM unapplied_event WHERE external_id = ${externalId}::text AND reason = 'other-price')
      ELSE NOT paid END
    ON CONFLICT (event_id) DO UPDATE SET reason = excluded.reason, settled_at = NULL WHERE NOT known.dismissed
    RETURNING reason, reason IS DISTINCT FROM (SELECT reason FROM listed) AS "isNew"`
  if (reason === "other-product") yield* settleInvoices(sql, externalId, now)
  return kept
})

/**
 * What was for another product before its subscription was known as ours is told now as what it would be if it came again:
 * the first, for one line tells of all.
 */
export const tellOtherPrice = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  externalId: string,
  now: Date
): Effect.fn.Return<ReadonlyArray<Told>, SqlError.SqlError> {
  const isTold = sql`EXISTS (SELECT FROM unapplied_event WHERE external_id = ${externalId} AND reason = 'other-price')`
  const told = yield* sql<Told>`
    UPDATE unapplied_event SET reason = 'other-price' WHERE event_id = (
      SELECT event_id FROM unapplied_event JOIN subscription USING (external_id)
      WHERE external_id = ${externalId} AND reason = 'other-product' AND settled_at IS NULL AND ${isOurs(sql)}
        AND NOT ${isTold}
      ORDER BY unapplied_event.received_at, event_id LIMIT 1)
    RETURNING event_id AS id, type, reason`
  yield* sql`
    UPDATE unapplied_event SET settled_at = ${now}
    WHERE external_id = ${externalId} AND reason = 'other-product' AND settled_at IS NULL AND ${isTold}`
  return told
})

/** Tells of a paid subscription whose key was mailed to nobody, again each time; not if it is held or over. */
export const keepUnmailed = (
  sql: SqlClient.SqlClient,
  subscriptionId: string,
  type: "mail.dropped" | "mail.given-up",
  now: Date
): Effect.Effect<ReadonlyArray<Told>, SqlError.SqlError> =>
  sql<Told>`
    INSERT INTO unapplied_event (event_id, type, reason, external_id, received_at)
    SELECT 'mail:' || id, ${type}, 'not-mailed', external_id, ${now}::timestamptz FROM subscription
    WHERE id = ${subscriptionId}::uuid AND (ends_at IS NULL OR ends_at > ${now})
      AND NOT EXISTS (SELECT FROM open_hold WHERE subscription_id = subscription.id)
    ON CONFLICT (event_id) DO UPDATE SET type = excluded.type, received_at = excluded.received_at, settled_at = NULL,
      dismissed = false
    RETURNING event_id AS id, type, reason`

/** Settles that the key of a subscription was mailed to nobody: it gets one. */
export const settleUnmailed = (sql: SqlClient.SqlClient, externalId: string, now: Date) =>
  sql`
    UPDATE unapplied_event SET settled_at = ${now}
    WHERE external_id = ${externalId} AND reason = 'not-mailed' AND settled_at IS NULL`

export const settleEvent = (sql: SqlClient.SqlClient, eventId: string, now: Date) =>
  sql`UPDATE unapplied_event SET settled_at = ${now} WHERE event_id = ${eventId} AND settled_at IS NULL`

/**
 * Settles what was kept of a subscription, or of the invoice of a one-time purchase, because it was not paid. What is told
 * of its other payments, or of its key, stays.
 */
export const settlePayment = (sql: SqlClient.SqlClient, externalId: string, now: Date) =>
  sql`
    UPDATE unapplied_event SET settled_at = ${now}
    WHERE external_id = ANY (ARRAY(
      SELECT ${externalId}::text
      UNION ALL SELECT reference FROM payment_reference WHERE owner = ${externalId} AND NOT is_customer))
      AND reason NOT IN ('not-mailed', 'held-or-ended', 'other-price', 'other-product') AND settled_at IS NULL`

/** Takes an event off the list, for good; false if it is not there. */
export const dismissEvent = (sql: SqlClient.SqlClient, eventId: string, now: Date) =>
  Effect.map(
    sql`
      UPDATE unapplied_event SET settled_at = ${now}, dismissed = true
      WHERE event_id = ${eventId} AND settled_at IS NULL RETURNING event_id`,
    (dismissed) => dismissed.length > 0
  )

/** The newest, at most MAX_LISTED_EVENTS; what was for another product only if all are asked for. */
export const listUnapplied = (sql: SqlClient.SqlClient, isAll: boolean, now: Date) =>
  sql<UnappliedEvent>`
    SELECT event_id AS "eventId", type, reason, external_id AS "externalId", received_at AS "receivedAt" FROM (
      SELECT event_id, type, reason, external_id, received_at
      FROM unapplied_event WHERE settled_at IS NULL ${isAll ? sql`` : sql`AND reason <> 'other-product'`}
      UNION ALL ${listInVain(sql, now)}) AS listed
    ORDER BY received_at DESC, event_id LIMIT ${MAX_LISTED_EVENTS}`

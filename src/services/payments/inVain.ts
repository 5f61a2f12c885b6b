/**
 * Payments in vain: money was taken for a subscription that is held or over, no key served its payer for it, and it was
 * not paid back. Which they are is asked of what is remembered whenever it matters, and so is the same in whatever order
 * that came. Stored is only which were logged, and which the operator has dismissed.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Payment, PaymentEvent, Told } from "./facts.ts"

/** The several events of one payment are merged into the earliest. To be run under the lock of payments. */
export const rememberPayment = (
  sql: SqlClient.SqlClient,
  { externalId, id }: Payment,
  { createdAt, references }: PaymentEvent,
  now: Date
): Effect.Effect<unknown, SqlError.SqlError> =>
  sql`
    INSERT INTO payment AS known (id, external_id, names, made_at, received_at)
    VALUES (${id}, ${externalId}, ${references?.payments ?? []}::text[], ${createdAt}, ${now})
    ON CONFLICT (id) DO UPDATE SET made_at = least(known.made_at, excluded.made_at),
      names = ARRAY(SELECT unnest(known.names) UNION SELECT unnest(excluded.names))`

/**
 * A key that reached its payer serves what was paid before it stopped: by a reversal's clock, or in the order in which we
 * heard of both. One that an earlier release has stopped goes by our clock.
 */
const isServed = (sql: SqlClient.SqlClient) => sql`
  EXISTS (
    SELECT FROM key_out
    WHERE subscription_id = subscription.id AND coalesce(ends_at >= made_at, true) AND CASE
      WHEN revoked_at IS NULL THEN true
      WHEN revoked_reason = 'reversed' THEN coalesce(served_until, revoked_at) > made_at
      WHEN revoked_reason IN ('operator', 'ended') THEN coalesce(served_until > made_at, true)
        AND coalesce(served_to >= heard, payment.received_at <= revoked_at)
      ELSE false END)`

/**
 * By a refund that names it: by its own ids, or, of an invoice, by what was told of it apart. A dispute may be won, and
 * the money kept.
 */
const isReturned = (sql: SqlClient.SqlClient) => sql`
  EXISTS (
    SELECT FROM reversal WHERE why = 'refund' AND payments && (names || payment.id || ARRAY(
      SELECT reference FROM payment_reference
      WHERE owner = payment.id AND owner <> payment.external_id AND NOT is_customer)))`

/** With the payments of each. OFFSET: no others are read, whatever the planner makes of a join. */
const withPayments = (sql: SqlClient.SqlClient, subscriptions: Statement.Fragment) => sql`
  ${subscriptions} AS subscription JOIN LATERAL (
    SELECT * FROM payment WHERE external_id = subscription.external_id OFFSET 0) AS payment USING (external_id)`

/** All that a payment in vain may be of, for there are few: held or over, or with a payment by a clock ahead of ours. */
const stopped = (sql: SqlClient.SqlClient, now: Date) => sql`
  (SELECT * FROM subscription
    WHERE ends_at <= ${now} OR id IN (SELECT subscription_id FROM open_hold)
      OR external_id IN (SELECT external_id FROM payment WHERE made_at > ${now}))`

const inVain = (sql: SqlClient.SqlClient, from: Statement.Fragment, which: Statement.Fragment, now: Date) => sql`
  SELECT payment.id FROM ${from}
  WHERE ${which} AND dismissed_at IS NULL AND paid_at IS NOT NULL
    AND (ends_at <= ${now} OR ends_at < made_at
      OR EXISTS (SELECT FROM open_hold WHERE subscription_id = subscription.id))
    AND NOT ${isServed(sql)} AND NOT ${isReturned(sql)}`

/**
 * The payments of some subscriptions that are in vain and were not told before, for the log. To be asked by whoever changes
 * something about them, under the lock of payments, which keeps a payment and a hold at once from each missing the other.
 */
export const tellInVain = (
  sql: SqlClient.SqlClient,
  ofSubscriptions: Statement.Fragment,
  now: Date
): Effect.Effect<ReadonlyArray<Told>, SqlError.SqlError> =>
  sql<Told>`
    UPDATE payment SET told_at = ${now}
    WHERE id = ANY (ARRAY(${inVain(
      sql,
      withPayments(sql, sql`subscription`),
      sql`${ofSubscriptions} AND told_at IS NULL`,
      now
    )}))
    RETURNING id, 'payment' AS type, 'held-or-ended' AS reason`

/** All of them, told or not: a period that goes by while no mail goes out leaves some without anything that tells. */
export const listInVain = (sql: SqlClient.SqlClient, now: Date, ofSubscriptions = sql`true`) => sql`
  SELECT id AS event_id, 'payment' AS type, 'held-or-ended' AS reason, external_id, received_at FROM payment
  WHERE id = ANY (ARRAY(${inVain(sql, withPayments(sql, stopped(sql, now)), ofSubscriptions, now)}))`

/** False if it is not in vain. */
export const dismissPayment = (sql: SqlClient.SqlClient, id: string, now: Date) => {
  const itsSubscription = sql`
    (SELECT * FROM subscription WHERE external_id = (SELECT external_id FROM payment WHERE id = ${id}))`
  const which = sql`payment.id = ${id}`
  return Effect.map(
    sql`
      UPDATE payment SET dismissed_at = ${now}
      WHERE id = ANY (ARRAY(${inVain(sql, withPayments(sql, itsSubscription), which, now)}))
      RETURNING id`,
    (dismissed) => dismissed.length > 0
  )
}

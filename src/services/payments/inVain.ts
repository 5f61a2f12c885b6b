/**
 * Payments in vain: money was taken for a subscription that is held or over, no key served its payer for it, and it was
 * not paid back. Which they are is asked of what is remembered whenever it matters, and so is the same in whatever order
 * that came. Stored is only which were told, and which the operator has dismissed.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Payment, Told } from "./facts.ts"

/** The several events of one payment are merged into the earliest. To be run under the lock of payments. */
export const rememberPayment = (
  sql: SqlClient.SqlClient,
  { externalId, id }: Payment,
  madeAt: Date,
  now: Date
): Effect.Effect<unknown, SqlError.SqlError> =>
  sql`
    INSERT INTO payment AS known (id, external_id, made_at, received_at)
    VALUES (${id}, ${externalId}, ${madeAt}, ${now})
    ON CONFLICT (id) DO UPDATE SET made_at = least(known.made_at, excluded.made_at)`

/** A key that reached its payer serves what was paid before it stopped: by a reversal's clock, or in the order we heard. */
const isServed = (sql: SqlClient.SqlClient) => sql`
  EXISTS (
    SELECT FROM key_out
    WHERE subscription_id = subscription.id AND coalesce(ends_at >= made_at, true) AND (revoked_at IS NULL
      OR revoked_reason IN ('operator', 'ended', 'reversed') AND coalesce(served_until > made_at, true)
        AND coalesce(served_to >= heard, true)))`

const isNamed = (sql: SqlClient.SqlClient, payment: "payment" | "other") => sql`
  (${sql(payment)}.id = ANY (reversal.payments) OR EXISTS (
    SELECT FROM payment_reference
    WHERE owner = ${sql(payment)}.id AND NOT is_customer AND reference = ANY (reversal.payments)))`

/** A reversal that names none of a subscription's payments is of the one made before it, if it was a single one. */
const isReturned = (sql: SqlClient.SqlClient) => sql`
  EXISTS (
    SELECT FROM reversal JOIN subscription_hold USING (event_id)
    WHERE subscription_id = subscription.id AND NOT taken_back AND (${isNamed(sql, "payment")}
      OR reversal.created_at >= payment.made_at AND NOT EXISTS (
        SELECT FROM payment AS other
        WHERE other.external_id = payment.external_id AND other.id <> payment.id
          AND (other.made_at <= reversal.created_at OR ${isNamed(sql, "other")}))))`

const inVain = (sql: SqlClient.SqlClient, which: Statement.Fragment, now: Date) => sql`
  SELECT payment.id FROM payment JOIN subscription USING (external_id)
  WHERE ${which} AND dismissed_at IS NULL AND paid_at IS NOT NULL
    AND (ends_at <= ${now} OR EXISTS (SELECT FROM open_hold WHERE subscription_id = subscription.id))
    AND NOT ${isServed(sql)} AND NOT ${isReturned(sql)}`

/**
 * The payments of some subscriptions that are in vain and were not told before. To be asked by whoever changes something
 * about them, under the lock of payments, which keeps a payment and a hold at once from each missing the other.
 */
export const tellInVain = (
  sql: SqlClient.SqlClient,
  ofSubscriptions: Statement.Fragment,
  now: Date
): Effect.Effect<ReadonlyArray<Told>, SqlError.SqlError> =>
  sql<Told>`
    UPDATE payment SET told_at = ${now}
    WHERE id = ANY (ARRAY(${inVain(sql, sql`${ofSubscriptions} AND told_at IS NULL`, now)}))
    RETURNING id, 'payment' AS type, 'held-or-ended' AS reason`

/** What was told and is in vain still, and what a period that went by while no mail went out has left without a key. */
export const listInVain = (sql: SqlClient.SqlClient, now: Date) => {
  const isWatched = sql`(payment.told_at IS NOT NULL OR external_id = ANY (ARRAY(
    SELECT external_id FROM outbox JOIN subscription AS unmailed ON unmailed.id = subscription_id
    WHERE kind = 'production-key' AND sent_at IS NULL AND dropped_at IS NULL AND given_up_at IS NULL)))`
  return sql`
    SELECT id AS event_id, 'payment' AS type, 'held-or-ended' AS reason, external_id, received_at FROM payment
    WHERE id = ANY (ARRAY(${inVain(sql, isWatched, now)}))`
}

/** False if it is not in vain. */
export const dismissPayment = (sql: SqlClient.SqlClient, id: string, now: Date) =>
  Effect.map(
    sql`
      UPDATE payment SET dismissed_at = ${now} WHERE id = ANY (ARRAY(${inVain(sql, sql`payment.id = ${id}`, now)}))
      RETURNING id`,
    (dismissed) => dismissed.length > 0
  )

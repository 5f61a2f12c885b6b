/**
 * Payments that brought no key, for their subscription was held or over: told to the operator, each on a line of its own
 * under its own id. Which they are is a function of everything remembered (payments, holds, ends), and so the same in
 * whatever order that came; whoever changes one of these asks again.
 */
import type { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Payment, Told } from "./facts.ts"

/** The several events of one payment are merged into the earliest. */
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

/**
 * Judges the payments of paid subscriptions, and returns what is told now that was not. A reversal concerns what was paid
 * after it, by Stripe's clock: it is itself of a payment before. What the operator has stopped concerns what was heard of
 * only then; a sandbox key that was barred, only while no production key lives that was out already. A hold that the
 * operator has lifted tells nothing more, but what was told stays, until a key goes out. To be run under the lock of
 * payments, which keeps a payment and a hold at once from each missing the other.
 */
export const tellInVain = (
  sql: SqlClient.SqlClient,
  ofSubscriptions: Statement.Fragment,
  now: Date
): Effect.Effect<ReadonlyArray<Told>, SqlError.SqlError> =>
  sql<Told>`
    WITH judged AS (
      SELECT payment.id, external_id, payment.received_at, coalesce(ends_at < made_at, false) OR EXISTS (
          SELECT FROM api_key WHERE id = sandbox_key_id AND barred_at <= payment.received_at AND NOT EXISTS (
            SELECT FROM api_key AS live
            WHERE live.subscription_id = subscription.id AND live.tier = 'Production' AND live.revoked_at IS NULL))
        AS is_in_vain, is_held
      FROM subscription JOIN payment USING (external_id) CROSS JOIN LATERAL (
        SELECT bool_or(lifted_at IS NULL) AS is_held FROM subscription_hold AS placed
        WHERE subscription_id = subscription.id AND NOT taken_back AND coalesce(
          (SELECT created_at < made_at FROM reversal WHERE reversal.event_id = placed.event_id),
          held_at <= payment.received_at)) AS hold
      WHERE paid_at IS NOT NULL AND ${ofSubscriptions}
    ), settled AS (
      UPDATE unapplied_event SET settled_at = ${now} FROM judged
      WHERE event_id = judged.id AND NOT is_in_vain AND is_held IS NULL AND settled_at IS NULL)
    INSERT INTO unapplied_event AS known (event_id, type, reason, external_id, received_at)
    SELECT id, 'payment', 'held-or-ended', external_id, received_at FROM judged WHERE is_in_vain OR is_held
    ON CONFLICT (event_id) DO UPDATE SET settled_at = NULL WHERE known.settled_at IS NOT NULL AND NOT known.dismissed
    RETURNING event_id AS id, type, reason`

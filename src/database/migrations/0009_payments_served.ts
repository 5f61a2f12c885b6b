/** What tells a payment that brought a key from one in vain: which keys reached their payer, and until when each served. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // In the order of the lock of payments, so that no clock decides whether a payment or an operator's stop came first.
  yield* sql`
    ALTER TABLE payment
      ADD COLUMN heard bigint GENERATED ALWAYS AS IDENTITY,
      ADD COLUMN names text[] NOT NULL DEFAULT '{}',
      ADD COLUMN told_at timestamptz,
      ADD COLUMN dismissed_at timestamptz`
  // Of what was paid before payments were remembered, the first payment is known. Its checkout may have come since, and named
  // no invoice either.
  yield* sql`
    INSERT INTO payment (id, external_id, made_at, received_at)
    SELECT external_id, external_id, paid_at, paid_at FROM subscription
    WHERE paid_at IS NOT NULL AND NOT starts_with(external_id, 'manual:')
      AND NOT EXISTS (
        SELECT FROM payment
        WHERE payment.external_id = subscription.external_id AND payment.received_at <= subscription.paid_at)
    ON CONFLICT (id) DO UPDATE
    SET made_at = least(payment.made_at, excluded.made_at), received_at = excluded.received_at`

  // When a mail server took it. What it served: payments made before the reversal that stopped it, by the payment provider's
  // clock, or those heard of before the operator did.
  yield* sql`
    ALTER TABLE api_key
      ADD COLUMN mailed_at timestamptz, ADD COLUMN served_until timestamptz, ADD COLUMN served_to bigint`
  yield* sql`CREATE INDEX api_key_of_subscription ON api_key (subscription_id) WHERE subscription_id IS NOT NULL`
  yield* sql`
    UPDATE api_key SET mailed_at = sent_at FROM outbox
    WHERE kind = 'production-key' AND outbox.subscription_id = api_key.subscription_id AND issued_by = 'mail'
      AND sent_at >= api_key.created_at AND revoked_reason IS DISTINCT FROM 'mail-retried'`

  yield* sql`
    UPDATE api_key SET served_until = (
      SELECT min(reversal.created_at) FROM subscription_hold JOIN reversal USING (event_id)
      WHERE subscription_hold.subscription_id = api_key.subscription_id AND NOT taken_back
        AND (lifted_at IS NULL OR lifted_at >= revoked_at))
    WHERE tier = 'Production' AND revoked_reason IN ('operator', 'ended', 'reversed')`

  // Claimed before the payment named another key of the same address, and stopped before that as well: it served no payer.
  yield* sql`
    UPDATE api_key SET revoked_reason = 'paid-with-another' FROM subscription JOIN api_key AS named ON named.id = sandbox_key_id
    WHERE api_key.subscription_id = subscription.id AND api_key.tier = 'Production' AND api_key.claimed_with <> named.id
      AND named.issued_by = 'mint' AND api_key.revoked_reason IN ('operator', 'ended', 'reversed')`

  // The production keys that are their payer's: mailed, claimed, or used, for a mail may arrive unnoticed.
  yield* sql`
    CREATE VIEW key_out AS
    SELECT id, subscription_id, revoked_at, revoked_reason, served_until, served_to FROM api_key
    WHERE tier = 'Production' AND (mailed_at IS NOT NULL OR issued_by = 'claim'
      OR EXISTS (SELECT FROM usage WHERE key_id = api_key.id AND used > 0))`

  // Which payments were in vain is asked of all this now.
  yield* sql`
    UPDATE payment SET told_at = unapplied_event.received_at,
      dismissed_at = CASE WHEN dismissed THEN settled_at END
    FROM unapplied_event WHERE event_id = payment.id AND reason = 'held-or-ended'`
  yield* sql`
    DELETE FROM unapplied_event
    WHERE reason = 'held-or-ended' AND EXISTS (SELECT FROM payment WHERE payment.id = event_id)`
})

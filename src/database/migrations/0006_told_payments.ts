/** What keeps a subscription from its key, asked in one place; and what else a payment needs so as never to become nothing. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The few that are open are asked for at every claim, the lifted ones never.
  yield* sql`CREATE INDEX subscription_hold_open ON subscription_hold (subscription_id, why) WHERE lifted_at IS NULL`
  // Why each subscription is held now: what was placed, and the bar of the sandbox key that it belongs to.
  yield* sql`
    CREATE VIEW open_hold AS
    SELECT subscription_id, why, held_at, event_id FROM subscription_hold WHERE lifted_at IS NULL
    UNION ALL
    SELECT subscription.id, 'key-barred', barred_at, NULL
    FROM subscription JOIN api_key ON api_key.id = sandbox_key_id WHERE barred_at IS NOT NULL`

  // When a checkout that pays nothing yet was seen. No address: it may be for something else.
  yield* sql`CREATE TABLE unpaid_checkout (external_id text PRIMARY KEY, seen_at timestamptz NOT NULL)`

  // An earlier release does not ask what a payment is for: it applies none here, and Stripe sends it again to this one.
  yield* sql`ALTER TABLE payment_event ADD COLUMN product_asked boolean NOT NULL DEFAULT true`
  yield* sql`ALTER TABLE payment_event ALTER COLUMN product_asked DROP DEFAULT`

  // Also asked of what is settled: some of it is told once of each payment.
  yield* sql`DROP INDEX unapplied_event_of_payment`
  yield* sql`CREATE INDEX unapplied_event_of_payment ON unapplied_event (external_id)`

  // Keys whose mail was given up or dropped before that was told.
  yield* sql`
    INSERT INTO unapplied_event (event_id, type, reason, external_id, received_at)
    SELECT 'mail:' || subscription.id, CASE WHEN dropped_at IS NULL THEN 'mail.given-up' ELSE 'mail.dropped' END,
      'not-mailed', external_id, coalesce(given_up_at, dropped_at)
    FROM outbox JOIN subscription ON subscription.id = outbox.subscription_id
    WHERE kind = 'production-key' AND coalesce(given_up_at, dropped_at) IS NOT NULL AND (ends_at IS NULL OR ends_at > now())
      AND NOT EXISTS (SELECT FROM open_hold WHERE open_hold.subscription_id = subscription.id)
      AND NOT EXISTS (
        SELECT FROM api_key WHERE api_key.subscription_id = subscription.id AND tier = 'Production' AND revoked_at IS NULL)`
})

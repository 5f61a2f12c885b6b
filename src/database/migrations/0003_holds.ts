/**
 * Holds that keep a subscription from its key, the references by which a reversal finds its payment, and the payment
 * events that could not be applied. None of them holds an address or a secret.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A sandbox key that is barred claims nothing. It may have been revoked, or have expired, long before.
  yield* sql`
    ALTER TABLE api_key
      ADD COLUMN barred_at timestamptz CHECK (barred_at IS NULL OR tier = 'Sandbox'),
      DROP CONSTRAINT api_key_issued_by_check,
      ADD CONSTRAINT api_key_issued_by_check CHECK (issued_by IN ('mint', 'mail', 'claim', 'operator')),
      DROP CONSTRAINT api_key_revoked_reason_check,
      ADD CONSTRAINT api_key_revoked_reason_check CHECK (revoked_reason IN (
        'minted-again', 'claimed', 'paid-with-another', 'mail-retried', 'mail-given-up', 'operator',
        'ended', 'reversed', 'only-for-claims'))`

  // By which operators name keys.
  yield* sql`CREATE INDEX api_key_of_prefix ON api_key (prefix)`

  // An earlier release, still running or started again on this database, knows no holds: it must issue no production key.
  yield* sql`ALTER TABLE api_key ADD COLUMN holds_asked boolean NOT NULL DEFAULT false`
  yield* sql`UPDATE api_key SET holds_asked = true WHERE tier = 'Production'`
  yield* sql`ALTER TABLE api_key ADD CONSTRAINT api_key_holds_asked CHECK (tier = 'Sandbox' OR holds_asked)`

  // When the first payment was seen, with or without an address; paid_at waits for the address. And whether it is a
  // trial that was begun by our link: whatever that pays first is for us.
  yield* sql`
    ALTER TABLE subscription ADD COLUMN received_at timestamptz, ADD COLUMN is_ours boolean NOT NULL DEFAULT false`
  yield* sql`UPDATE subscription SET received_at = paid_at`

  // A refund or a dispute, with the references of the payment that it reverses.
  yield* sql`
    CREATE TABLE reversal (
      event_id text PRIMARY KEY,
      type text NOT NULL,
      why text NOT NULL CHECK (why IN ('refund', 'dispute')),
      payments text[] NOT NULL,
      customer text,
      created_at timestamptz NOT NULL
    )`
  // Reversals are rare: put into the index at once, not into a list beside it that every payment would have to read.
  yield* sql`CREATE INDEX reversal_of_payment ON reversal USING gin (payments) WITH (fastupdate = off)`
  yield* sql`CREATE INDEX reversal_of_customer ON reversal (customer)`

  // The owner is the external id of a subscription, known here or not yet, or an invoice, which is a reference itself.
  yield* sql`
    CREATE TABLE payment_reference (
      reference text NOT NULL,
      owner text NOT NULL,
      is_customer boolean NOT NULL,
      first_paid_at timestamptz NOT NULL,
      PRIMARY KEY (reference, owner)
    )`
  yield* sql`CREATE INDEX payment_reference_of_owner ON payment_reference (owner)`
  // Of payments before this migration nothing else is known: a one-time purchase went by its customer.
  yield* sql`
    INSERT INTO payment_reference (reference, owner, is_customer, first_paid_at)
    SELECT external_id, external_id, true, paid_at FROM subscription
    WHERE starts_with(external_id, 'cus_') AND paid_at IS NOT NULL`

  // Lifted by the operator, or taken back when the reversed payment turned out to be another's.
  yield* sql`
    CREATE TABLE subscription_hold (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      subscription_id uuid NOT NULL REFERENCES subscription (id),
      why text NOT NULL CHECK (why IN ('operator', 'ended', 'refund', 'dispute')),
      event_id text REFERENCES reversal (event_id),
      held_at timestamptz NOT NULL,
      lifted_at timestamptz,
      taken_back boolean NOT NULL DEFAULT false CHECK (NOT taken_back OR lifted_at IS NOT NULL),
      UNIQUE (subscription_id, event_id),
      CHECK ((event_id IS NULL) = (why IN ('operator', 'ended')))
    )`
  yield* sql`CREATE INDEX subscription_hold_of_event ON subscription_hold (event_id)`
  // One open hold of each kind by the operator, enforced by the database against two commands at once.
  yield* sql`
    CREATE UNIQUE INDEX subscription_hold_by_operator ON subscription_hold (subscription_id, why)
    WHERE event_id IS NULL AND lifted_at IS NULL`

  yield* sql`
    CREATE TABLE unapplied_event (
      event_id text PRIMARY KEY,
      type text NOT NULL,
      reason text NOT NULL CHECK (reason <> ''),
      external_id text,
      received_at timestamptz NOT NULL,
      settled_at timestamptz,
      dismissed boolean NOT NULL DEFAULT false CHECK (NOT dismissed OR settled_at IS NOT NULL)
    )`
  yield* sql`
    CREATE INDEX unapplied_event_open ON unapplied_event (received_at)
    WHERE settled_at IS NULL AND reason <> 'other-product'`
  yield* sql`CREATE INDEX unapplied_event_of_payment ON unapplied_event (external_id) WHERE settled_at IS NULL`

  // What an operator has revoked before stays revoked.
  yield* sql`
    UPDATE api_key SET barred_at = revoked_at WHERE tier = 'Sandbox' AND revoked_reason = 'operator'`
  yield* sql`
    INSERT INTO subscription_hold (subscription_id, why, held_at)
    SELECT subscription_id, 'operator', max(revoked_at) FROM api_key AS revoked
    WHERE revoked_reason = 'operator' AND subscription_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM api_key AS live WHERE live.subscription_id = revoked.subscription_id AND live.revoked_at IS NULL)
    GROUP BY subscription_id`
  // A key claimed after that may have been meant, to replace a lost one, or not: the operator is asked, and nothing held.
  yield* sql`
    INSERT INTO unapplied_event (event_id, type, reason, received_at)
    SELECT 'subscription ' || subscription_id, 'key.revoked', 'revoked-before', max(revoked_at) FROM api_key AS revoked
    WHERE revoked_reason = 'operator' AND EXISTS (
      SELECT FROM api_key AS live WHERE live.subscription_id = revoked.subscription_id AND live.revoked_at IS NULL)
    GROUP BY subscription_id`
})

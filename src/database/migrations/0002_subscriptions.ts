/** Paid subscriptions, the payment events already applied, and the queue of mails. None of them holds a secret. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Events arrive in any order, so a row may hold the end of a subscription before its payment.
  yield* sql`
    CREATE TABLE subscription (
      id uuid PRIMARY KEY,
      external_id text NOT NULL UNIQUE CHECK (external_id <> ''),
      tenant text NOT NULL UNIQUE CHECK (tenant <> ''),
      email text CHECK (email = lower(btrim(email)) AND email <> ''),
      mail_to text CHECK (mail_to <> ''),
      sandbox_key_id uuid REFERENCES api_key (id),
      paid_at timestamptz,
      ends_at timestamptz,
      created_at timestamptz NOT NULL,
      CHECK (paid_at IS NULL OR (email IS NOT NULL AND mail_to IS NOT NULL))
    )`
  yield* sql`CREATE INDEX subscription_of_email ON subscription (email)`
  yield* sql`CREATE INDEX subscription_of_sandbox_key ON subscription (sandbox_key_id)`
  yield* sql`ALTER TABLE api_key ADD FOREIGN KEY (subscription_id) REFERENCES subscription (id)`

  yield* sql`
    CREATE TABLE payment_event (
      id text PRIMARY KEY,
      type text NOT NULL,
      received_at timestamptz NOT NULL
    )`

  yield* sql`
    CREATE TABLE outbox (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      kind text NOT NULL CHECK (kind IN ('sandbox-minted', 'production-key', 'production-claimed')),
      mail_to text NOT NULL CHECK (mail_to <> ''),
      key_prefix text,
      subscription_id uuid REFERENCES subscription (id),
      created_at timestamptz NOT NULL,
      attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
      next_attempt_at timestamptz NOT NULL,
      first_attempt_at timestamptz,
      sent_at timestamptz,
      dropped_at timestamptz,
      given_up_at timestamptz,
      CHECK (num_nonnulls(sent_at, dropped_at, given_up_at) <= 1),
      CHECK ((kind = 'production-key') = (key_prefix IS NULL)),
      CHECK (kind <> 'production-key' OR subscription_id IS NOT NULL)
    )`
  yield* sql`CREATE UNIQUE INDEX outbox_one_production_key ON outbox (subscription_id) WHERE kind = 'production-key'`
  yield* sql`
    CREATE INDEX outbox_waiting ON outbox (next_attempt_at)
    WHERE sent_at IS NULL AND dropped_at IS NULL AND given_up_at IS NULL`
})

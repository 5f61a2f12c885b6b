/**
 * The payments of every subscription, so that what each has brought can be asked again whenever something else comes; and
 * mails with production keys first.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // By Stripe's id of the invoice or, where none is known, of what was bought. Made by Stripe's clock, received by ours.
  yield* sql`
    CREATE TABLE payment (
      id text PRIMARY KEY,
      external_id text NOT NULL,
      made_at timestamptz NOT NULL,
      received_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX payment_of_subscription ON payment (external_id)`
  yield* sql`CREATE INDEX payment_by_time ON payment (made_at)`

  // In the order of services/mail/queue.ts.
  yield* sql`DROP INDEX outbox_waiting`
  yield* sql`
    CREATE INDEX outbox_waiting ON outbox ((kind <> 'production-key'), next_attempt_at, id)
    WHERE sent_at IS NULL AND dropped_at IS NULL AND given_up_at IS NULL`
})

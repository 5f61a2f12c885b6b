/** The payments of every subscription, so that what each has brought can be asked again whenever something else comes. */
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
})

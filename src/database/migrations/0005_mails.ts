/** Mails of every kind count toward the limits of mails, so their indexes cover every kind. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const STATEMENTS = [
  "DROP INDEX outbox_of_mailbox",
  "CREATE INDEX outbox_of_mailbox ON outbox (mailbox_of(mail_to), created_at)",
  "DROP INDEX outbox_of_sandbox",
  "CREATE INDEX outbox_by_time ON outbox (created_at)",
  // A claim changes the waiting mail of the previous claim.
  `CREATE UNIQUE INDEX outbox_one_claim ON outbox (subscription_id)
    WHERE kind = 'production-claimed' AND sent_at IS NULL AND dropped_at IS NULL AND given_up_at IS NULL`
]

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of STATEMENTS) yield* sql.unsafe(statement)
})

/**
 * Mails about sandbox keys are counted per mailbox and in total. Warnings of a collected production
 * key are sent before them.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const STATEMENTS = [
  // Most servers deliver ada+anything@example.org to ada@example.org. Gmail also ignores dots and
  // has a second name. Queries call this function too, so that they use the index below.
  `CREATE FUNCTION mailbox_of(email text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE
      WHEN email ~ '@(gmail|googlemail)[.]com$'
        THEN replace(regexp_replace(email, '([+].*)?@.*$', ''), '.', '') || '@gmail.com'
      ELSE regexp_replace(email, '[+][^@]*@', '@')
    END`,
  "DROP INDEX api_key_of_mailbox",
  "CREATE INDEX outbox_of_mailbox ON outbox (mailbox_of(mail_to), created_at) WHERE kind = 'sandbox-minted'",
  "CREATE INDEX outbox_of_sandbox ON outbox (created_at) WHERE kind = 'sandbox-minted'",
  // The columns follow the ORDER BY in services/accounts/mailQueue.ts.
  "DROP INDEX outbox_waiting",
  `CREATE INDEX outbox_waiting
    ON outbox ((kind <> 'production-key'), (kind = 'sandbox-minted'), next_attempt_at, id)
    WHERE sent_at IS NULL AND dropped_at IS NULL AND given_up_at IS NULL`
]

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of STATEMENTS) yield* sql.unsafe(statement)
})

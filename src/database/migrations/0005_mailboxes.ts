/** The mailbox of a key's address, and how many sandbox keys were lately requested for it. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The address without its +tag, as mailboxOf in services/keys/Keys.ts makes it.
  yield* sql`
    ALTER TABLE api_key ADD COLUMN mailbox text
    GENERATED ALWAYS AS (regexp_replace(email, '[+][^@]*@', '@')) STORED`
  yield* sql`CREATE INDEX api_key_of_mailbox ON api_key (mailbox, created_at) WHERE tier = 'Sandbox'`
})

/** Finds the sandbox keys that were lately requested for a mailbox. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The address without its +tag, written as in services/keys/Keys.ts.
  yield* sql`
    CREATE INDEX api_key_of_mailbox ON api_key (regexp_replace(email, '[+][^@]*@', '@'), created_at)
    WHERE tier = 'Sandbox' AND issued_by = 'mint'`
})

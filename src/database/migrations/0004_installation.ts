/** What makes this database one installation's: the fingerprint of the pepper that its keys were hashed with. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE installation (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      pepper_fingerprint bytea NOT NULL CHECK (octet_length(pepper_fingerprint) = 32)
    )`
})

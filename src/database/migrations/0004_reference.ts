/**
 * The newest answer of GET /v1/reference for each start month and rule version, and how many were
 * recorded in its hour.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE reference (
      rule_version text NOT NULL,
      start_month text NOT NULL CHECK (start_month ~ '^[0-9]{4}-[0-9]{2}$'),
      hour timestamptz NOT NULL,
      recorded integer NOT NULL CHECK (recorded > 0),
      answer text NOT NULL,
      PRIMARY KEY (rule_version, start_month)
    )`
})

/**
 * The checkpoints that witnesses have cosigned: the last one of each witness, and the newest that
 * the quorum of LOG_WITNESSES has seen. Released and frozen, like every migration.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const STATEMENTS = [
  `CREATE TABLE log_witness (
    verifier_key text PRIMARY KEY,
    size bigint NOT NULL CHECK (size >= 0),
    checkpoint text NOT NULL,
    line text NOT NULL CHECK (line ~ '^— \\S+ \\S+$')
  )`,
  // `checkpoint` contains its cosignatures. From `free_at` on, any process may ask the witnesses.
  `CREATE TABLE log_witnessed (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    free_at timestamptz NOT NULL DEFAULT '1970-01-01Z',
    size bigint NOT NULL DEFAULT 0,
    checkpoint text,
    seen_at timestamptz,
    CHECK ((checkpoint IS NULL) = (seen_at IS NULL))
  )`,
  "INSERT INTO log_witnessed DEFAULT VALUES"
]

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of STATEMENTS) yield* sql.unsafe(statement)
})

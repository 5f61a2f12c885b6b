/**
 * How long the texts may be that each round of the log reads, and whoever asks for a checkpoint, a key or a receipt: a role
 * that writes them could else write what takes the service seconds to read. What is there is left to the audit.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE answer_kind ADD CONSTRAINT answer_kind_short
      CHECK (octet_length(endpoint) + octet_length(rule_version) + octet_length(answer_prefix) <= 1000) NOT VALID`
  yield* sql`
    ALTER TABLE log_head
      ADD CONSTRAINT log_head_origin_short CHECK (octet_length(origin) <= 200000) NOT VALID,
      ADD CONSTRAINT log_head_checkpoint_short CHECK (octet_length(checkpoint) <= 200000) NOT VALID,
      ADD CONSTRAINT log_head_writers_few
        CHECK (cardinality(writers) <= 100000 AND octet_length(array_to_string(writers, '')) <= 4000000) NOT VALID`
  yield* sql`
    ALTER TABLE log_key ADD CONSTRAINT log_key_short CHECK (octet_length(verifier_key) <= 4000) NOT VALID`
})

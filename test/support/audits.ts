/**
 * Helpers for tests of the audit: an audit with or without a saved checkpoint, and queries for the
 * record at an index of the log.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { openCheckpoint } from "../../src/proof/checkpoint.ts"
import { audit } from "../../src/services/log/audit.ts"
import { TransparencyLog } from "../../src/services/log/TransparencyLog.ts"

/** Three tiles of entries, the last one partial. */
export const RECORDS = 600
export const AT = 300

export const NONE_WAITS = { count: 0, since: null }

export const report = Effect.gen(function* () {
  const { keys } = yield* TransparencyLog
  return yield* audit(null, yield* keys)
})

export const keep = Effect.gen(function* () {
  const log = yield* TransparencyLog
  const [signed, keys] = [yield* log.checkpoint, yield* log.keys]
  return yield* Effect.promise(() => openCheckpoint(signed, keys))
})

export const auditWith = (kept: Effect.Success<typeof keep>) =>
  Effect.flatMap(TransparencyLog, ({ keys }) => Effect.flatMap(keys, (all) => audit(kept, all)))

export const answerAt = Effect.fnUntraced(function* (index: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly answerId: string }>`
    SELECT answer_id AS "answerId" FROM answer JOIN log_entry USING (seq) WHERE index = ${index}::bigint`
  return row!.answerId
})

export const seqAt = (index: number) => `(SELECT seq FROM log_entry WHERE index = ${index})`

export const ANSWER = "seq, xid, recorded_at, answer_id, tenant, key_id, kind, inputs_hash, answer_hash"
export const ADDED = "00000000-0000-4000-8000-0000000000ad"

/**
 * Audit of the log. In one snapshot it compares a tree rebuilt from the records with the stored
 * log, its signed checkpoint and optionally a checkpoint kept elsewhere. It reports the first
 * mismatch, and whether the record or the log was changed. A database owner with the signing key
 * can rewrite both, so only a checkpoint kept elsewhere completes the audit. The audit changes
 * nothing.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Checkpoint, openCheckpoint } from "../../proof/checkpoint.ts"
import { inSnapshot } from "../ledgerUnavailable.ts"
import { extendsTree } from "./append.ts"
import { IS_NOT_LOGGED } from "./condition.ts"
import { damaged, type Finding, finding, rebuild } from "./rebuild.ts"

export interface AuditReport {
  readonly size: number
  /** null if everything matches. */
  readonly finding: Finding | null
  /** Records not logged yet; null if there is a finding. */
  readonly waiting: Waiting | null
}

export interface Waiting {
  readonly count: number
  /** When the earliest of them was recorded. */
  readonly since: Date | null
}

interface Head {
  readonly origin: string | null
  readonly size: number
  readonly checkpoint: string | null
  /** One past the last index in log_entry. */
  readonly end: number
  readonly isNew: boolean
  /**
   * Whether the position in log_head is before the last entry, so that the next round would log its
   * record again.
   */
  readonly isBehind: boolean
}

/**
 * The limit of each statement, and of the hashing between two statements. Both take seconds per
 * million records.
 */
const TIMEOUT_MILLISECONDS = 3_600_000

const readHead = SqlClient.SqlClient.use((sql) =>
  Effect.map(
    sql<Head>`
      SELECT origin, size::float8 AS size, checkpoint,
        (SELECT coalesce(max(index) + 1, 0) FROM log_entry)::float8 AS end,
        origin IS NULL AND size = 0 AND NOT EXISTS (SELECT FROM log_entry) AND NOT EXISTS (SELECT FROM log_tile)
          AND NOT EXISTS (SELECT FROM log_key) AS "isNew",
        cluster = (SELECT system_identifier::text FROM pg_control_system()) AND EXISTS (
          SELECT FROM log_entry JOIN answer USING (seq) WHERE index = size - 1 AND ${sql.literal(IS_NOT_LOGGED)}
        ) AS "isBehind"
      FROM log_head`,
    ([head]) => head
  )
)

/** Checks a log without a checkpoint. Unless it is empty and new, its checkpoint was removed. */
const unsigned = (head: Head | undefined, kept: Checkpoint | null): Finding | null => {
  if (head === undefined || !head.isNew)
    return damaged("the signed checkpoint is missing from log_head, although the log was started")
  return kept === null || kept.size === 0
    ? null
    : finding("restored", null, null, "the log is empty, and a checkpoint of it was kept")
}

const compareHead = ({ origin, size }: Checkpoint, head: Head): Finding | null => {
  if (head.origin !== origin)
    return damaged(`log_head names the log ${head.origin}, but its checkpoint belongs to ${origin}`)
  if (head.size !== size) return damaged(`log_head counts ${head.size} entries, but ${size} were signed`)
  if (head.end > size)
    return finding("added", size, null, `the checkpoint covers ${size} entries, but log_entry goes on to ${head.end}`)
  return head.isBehind
    ? damaged("log_head points before the last entry, so that entry's record would be logged again")
    : null
}

/** Finds the first record that has no entry and is not waiting for one. */
const unloggedRecord = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly answerId: string }>`
    SELECT answer_id AS "answerId" FROM answer, log_head
    WHERE NOT EXISTS (SELECT FROM log_entry WHERE log_entry.seq = answer.seq) AND NOT (${sql.literal(IS_NOT_LOGGED)})
    ORDER BY answer.seq LIMIT 1`
  return found === undefined
    ? null
    : finding("added", null, found.answerId, "the log passed this record without entering it")
})

/** Checks that the tree still extends the checkpoint kept elsewhere. */
const compareKept = Effect.fnUntraced(function* (now: Checkpoint, kept: Checkpoint) {
  const rewritten = (detail: string) => finding("rewritten", null, null, detail)
  if (kept.origin !== now.origin)
    return rewritten(`the log is named ${now.origin}, but the kept checkpoint belongs to ${kept.origin}`)
  return (yield* extendsTree(now, kept))
    ? null
    : rewritten(`the first ${kept.size} entries differ from those of the kept checkpoint`)
})

const waitingRecords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [waiting] = yield* sql<Waiting>`
    SELECT count(*)::int AS count, min(recorded_at) AS since FROM answer, log_head WHERE ${sql.literal(IS_NOT_LOGGED)}`
  return waiting!
})

const inspect = Effect.fnUntraced(function* (kept: Checkpoint | null, keys: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    SELECT set_config(name, ${String(TIMEOUT_MILLISECONDS)}, true)
    FROM unnest('{statement_timeout,idle_in_transaction_session_timeout}'::text[]) AS name`
  const report = Effect.fnUntraced(function* (size: number, found: Finding | null) {
    const waiting = found === null ? yield* waitingRecords : null
    return { size, finding: found, waiting } satisfies AuditReport
  })
  const head = yield* readHead
  if (head === undefined || head.checkpoint === null) return yield* report(0, unsigned(head, kept))
  const { checkpoint } = head
  const signed = yield* Effect.promise(() => openCheckpoint(checkpoint, keys).catch((cause: Error) => cause))
  if (signed instanceof Error)
    return yield* report(0, damaged(`the checkpoint of the log cannot be trusted: ${signed.message}`))
  const wasBefore = kept !== null && kept.origin === signed.origin && kept.size > signed.size
  if (wasBefore) {
    const detail = `the log has ${signed.size} entries, but the kept checkpoint has ${kept.size}`
    return yield* report(signed.size, finding("restored", null, null, detail))
  }
  return yield* report(
    signed.size,
    (yield* rebuild(signed)) ??
      compareHead(signed, head) ??
      (yield* unloggedRecord) ??
      (kept === null ? null : yield* compareKept(signed, kept))
  )
})

/** Audits the log. `kept` is an earlier checkpoint, `keys` are the trusted verifier keys. */
export const audit = Effect.fn("audit")((kept: Checkpoint | null, keys: ReadonlyArray<string>) =>
  inSnapshot("audit", inspect(kept, keys))
)

/**
 * Puts the records into the log, behind the requests: each round takes those that are not in it yet, lets the tree grow,
 * signs a checkpoint and stores all of it in one transaction, so that a crash at any moment leaves the log as it was. Of
 * several processes one at a time does it. What does not go on from what was signed is left alone and told. What is in
 * the log is read through TransparencyLog.
 */
import { Clock, Context, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig, type ConfigProblems } from "../../config.ts"
import { type LedgerUnavailable, ledgerCall } from "../ledgerUnavailable.ts"
import { type Head, lockHead, MOST_RECORDS, markOf, type NewRecord, recordsBehind } from "./backlog.ts"
import { checkStored, LogBroken, type Signed } from "./continuity.ts"
import { extend } from "./extension.ts"
import { makeSigners, originOf, type Signers } from "./signers.ts"
import { NEW_SWEEP, type Strays, type Sweep, sweepPage } from "./sweep.ts"
import { treeOf } from "./texts.ts"
import { makeWaiting } from "./waiting.ts"

const POLL = "1 second"
/** What is wrong each second is told each minute. */
const TOLD_MILLISECONDS = 60_000

/** What this process knows from its last round. */
interface Memory {
  /** null before the first round: the keys may be others than those that signed last. */
  readonly seen: Signed | null
  readonly signers: Signers | null
  readonly sweep: Sweep
}

/** What became of a round, which the next one remembers. */
interface Round extends Memory {
  readonly taken: number
  readonly missed: ReadonlyArray<NewRecord>
  readonly strays: Strays | null
}

/** The current key is the newest, also when it was in use before; one that is being replaced comes after it. */
const publishKeys = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { signers }: Signers, now: Date) {
  const [current, previous] = signers.map(({ verifierKey }) => verifierKey)
  if (previous !== undefined) {
    yield* sql`
      INSERT INTO log_key (verifier_key, used_since) SELECT ${previous}::text, ${new Date(now.getTime() - 1)}
      WHERE ${previous}::text NOT IN (SELECT verifier_key FROM log_key)`
  }
  yield* sql`
    INSERT INTO log_key (verifier_key, used_since) SELECT ${current!}::text, ${now}
    WHERE ${current!}::text
      IS DISTINCT FROM (SELECT verifier_key FROM log_key ORDER BY used_since DESC, verifier_key LIMIT 1)
    ON CONFLICT DO NOTHING`
})

/** Before records are entered that seem to have been missed: they may be those whose entry somebody took away. */
const checkWhole = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, size: number) {
  const [entries] = yield* sql<{ readonly count: number }>`SELECT count(*)::float8 AS count FROM log_entry`
  if (entries!.count !== size)
    return yield* new LogBroken({ reason: `${size} entries are signed, and log_entry has ${entries!.count}` })
})

/** What is to be taken, and how far the log has then come. */
const nextRecords = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, head: Head, sweep: Sweep, now: Date) {
  const { next, settled, upTo } = yield* markOf(sql, head)
  const behind = yield* recordsBehind(sql, head.done, upTo)
  const isFull = behind.length === MOST_RECORDS
  const done = Math.max(head.done, isFull ? Math.min(settled, behind.at(-1)!.seq) : settled)
  const swept = isFull ? { missed: [], sweep, strays: null } : yield* sweepPage(sql, sweep, head.done, now)
  return { ...swept, next, done, records: [...behind, ...swept.missed] }
})

/** Who signs a log, by its name: the one under which it was begun. */
type SignersOf = (origin: string | null) => Effect.Effect<Signers>

/** One round, inside its transaction; null if another process is at it. The first signs anew, for the keys may be others. */
const round = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, memory: Memory, signersOf: SignersOf) {
  const locked = yield* lockHead(sql)
  if (locked === null) return null
  const { head } = locked
  if (head === undefined) return yield* new LogBroken({ reason: "log_head is empty" })
  const now = new Date(yield* Clock.currentTimeMillis)
  const signers = memory.signers?.name === head.origin ? memory.signers! : yield* signersOf(head.origin)
  const { done, next, records, ...swept } = yield* nextRecords(sql, head, memory.sweep, now)
  const result = (seen: Signed | null): Round => ({ ...swept, seen, signers, taken: records.length })
  const { seen } = memory
  const isIdle = records.length === 0 && seen !== null && done === head.done && next.mark === head.mark
  if (isIdle && head.checkpoint === seen.text) return result(seen)
  const { edge, signed } = yield* checkStored(sql, head, signers.believed, seen)
  if (swept.missed.length > 0) yield* checkWhole(sql, head.size)
  if (isIdle) return result(signed)
  if (seen === null) yield* publishKeys(sql, signers, now)
  const isSigned = records.length === 0 && seen !== null
  const text = isSigned ? signed!.text : yield* extend(sql, head.size, edge, records, signers)
  yield* sql`
    UPDATE log_head SET origin = ${signers.name}, size = ${head.size + records.length}::bigint, done = ${done}::bigint,
      mark = ${next.mark}::bigint, marked_at = CASE WHEN ${next.isNew} THEN clock_timestamp() ELSE marked_at END,
      writers = ${next.writers}::text[], checkpoint = ${text}`
  return result({ ...treeOf(text), text })
})

/** Numbers that a session holds back are found by the sweep alone, which takes its time. */
const warnOfCache = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [numbers] = yield* sql<{ readonly cache: number }>`
    SELECT seqcache::float8 AS cache FROM pg_sequence
    WHERE seqrelid = pg_get_serial_sequence('answer', 'seq')::regclass`
  if (numbers!.cache === 1) return
  yield* Effect.logWarning(
    "Sessions hold back numbers of records, which delays the log: ALTER TABLE answer ALTER seq SET CACHE 1"
  )
})

/** Says it, unless it has said the same less than a minute ago. */
const makeRarely = () => {
  let last = { what: "", at: 0 }
  return Effect.fnUntraced(function* (what: string, line: Effect.Effect<void>) {
    const now = yield* Clock.currentTimeMillis
    if (what === last.what && Math.abs(now - last.at) < TOLD_MILLISECONDS) return
    last = { what, at: now }
    yield* line
  })
}

const tellMissed = (missed: ReadonlyArray<NewRecord>) =>
  Effect.logWarning("Records were entered late: the log had gone past them").pipe(
    Effect.annotateLogs({ records: missed.length, first: missed[0]!.answerId })
  )

const tellStrays = ({ count, first }: Strays) =>
  Effect.logError("Records below the end of the log are not in it, and too old to be entered: run repay audit").pipe(
    Effect.annotateLogs({ records: count, first })
  )

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { publicUrl } = yield* AppConfig
  const signersUnder = yield* makeSigners
  const rarely = makeRarely()
  const waiting = makeWaiting(sql)
  let isWarned = false
  let memory: Memory = { seen: null, signers: null, sweep: NEW_SWEEP }
  const signersOf: SignersOf = (origin) => signersUnder(origin ?? originOf(publicUrl))
  const sequence = Effect.fn("Sequencer.sequence")(function* () {
    const work = Effect.suspend(() => round(sql, memory, signersOf))
    if (!isWarned) yield* warnOfCache(sql).pipe(ledgerCall("sequence"))
    isWarned = true
    const done = yield* sql.withTransaction(work).pipe(ledgerCall("sequence"))
    if (done === null) {
      yield* waiting.again.pipe(ledgerCall("sequence"))
      return 0
    }
    yield* waiting.over
    memory = done
    if (done.missed.length > 0) yield* tellMissed(done.missed)
    if (done.strays !== null && done.strays.count > 0) yield* rarely("strays", tellStrays(done.strays))
    return done.taken
  })
  return { sequence: sequence() }
})

export class Sequencer extends Context.Service<
  Sequencer,
  {
    /** One round: how many records it put into the log. 0 too while another process is at it. */
    readonly sequence: Effect.Effect<number, LedgerUnavailable | LogBroken>
  }
>()("repayment-of-record/Sequencer") {
  static readonly layer: Layer.Layer<Sequencer, ConfigProblems, SqlClient.SqlClient | AppConfig> = Layer.effect(
    Sequencer,
    make
  )
}

const tellBroken = ({ reason }: LogBroken) =>
  Effect.logError(`Nothing is signed, for the log of records is not what was signed: ${reason}. Run repay audit`)

/** Sequences for as long as its scope is open. An outage only delays it, and what is broken is asked again. */
export const sequencerWorkerLayer: Layer.Layer<never, never, Sequencer> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { sequence } = yield* Sequencer
    const rarely = makeRarely()
    const work = sequence.pipe(
      Effect.repeat({ while: (taken) => taken >= MOST_RECORDS }),
      Effect.catchTag("LogBroken", (broken) => rarely(broken.reason, tellBroken(broken))),
      Effect.ignore,
      Effect.catchDefect((defect) => Effect.logError("The log of records does not grow, and is tried again", defect)),
      Effect.repeat(Schedule.spaced(POLL))
    )
    yield* Effect.forkScoped(work)
  })
)

/**
 * Puts the records into the log, behind the requests: each round takes those that are not in it yet, lets the tree grow,
 * signs a checkpoint and stores all of it in one transaction, so that a crash at any moment leaves the log as it was. Of
 * several processes one at a time does it. Nothing is signed that does not extend what was signed. The log is read
 * through TransparencyLog.
 */
import { Clock, Context, type Duration, Effect, Layer, Metric, Schedule, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig, type ConfigProblems } from "../../platform/config.ts"
import { makeRarely } from "../../platform/logRarely.ts"
import { backgroundCall, type LedgerUnavailable } from "../ledgerUnavailable.ts"
import { checkStored, extend, LogBroken, type Signed } from "./append.ts"
import { makeStalled } from "./condition.ts"
import { makeSigners, originOf, publishKeys, type Signers, treeOf } from "./keys.ts"
import { isRestored, lockHead, MOST_RECORDS, nextRecords } from "./nextRecords.ts"

/** How long the worker rests between two rounds. */
export const SequencerRest = Context.Reference<Duration.Input>("repayment-of-record/SequencerRest", {
  defaultValue: () => "1 second"
})

const MILLISECONDS_PER_SECOND = 1000

const checkpointSeen = Metric.gauge("log_checkpoint_timestamp_seconds", {
  description: "When the newest checkpoint was first seen to be right, by any process of the service since its start."
})
const isBroken = Metric.gauge("log_broken", {
  description: "1 while nothing is signed, for the log is not what was signed; else 0."
})

/** What this process knows from its last round. */
interface Memory {
  /** The newest checkpoint that was found stored and signed. */
  readonly seen: Signed | null
  /** null before a round of this process is stored: the keys may be others than those that signed last. */
  readonly signers: Signers | null
}

/** Who signs a log, by its name: the one under which it was begun. */
type SignersOf = (origin: string | null) => Effect.Effect<Signers>

/** One round, inside its transaction; null if another process is at it. The first signs anew, for the keys may be others. */
const round = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, memory: Memory, signersOf: SignersOf) {
  const locked = yield* lockHead(sql)
  if (locked === null) return null
  const { head } = locked
  if (head === undefined) return yield* new LogBroken({ reason: "log_head is empty" })
  const { position, records } = yield* nextRecords(sql, head)
  const isFirst = memory.signers === null || memory.signers.name !== head.origin
  const hasMoved = position.cluster !== head.cluster || isRestored(head)
  const isIdle = records.length === 0 && !isFirst && !hasMoved
  if (isIdle && head.checkpoint === memory.seen?.text) return { taken: 0, memory }
  const signers = isFirst ? yield* signersOf(head.origin) : memory.signers!
  const { edge, signed } = yield* checkStored(sql, head, signers.believed, memory.seen)
  if (isIdle) return { taken: 0, memory: { seen: signed, signers } }
  if (isFirst) yield* publishKeys(sql, signers, new Date(yield* Clock.currentTimeMillis))
  const isSigned = records.length === 0 && !isFirst
  const text = isSigned ? signed!.text : yield* extend(sql, head.size, edge, records, signers)
  yield* sql`
    UPDATE log_head SET origin = ${signers.name}, size = ${head.size + records.length}::bigint, checkpoint = ${text},
      cluster = ${position.cluster}, restored = ${position.restored}::bigint, xid = ${position.xid}::xid8,
      seq = ${position.seq}::bigint`
  return { taken: records.length, memory: { seen: { ...treeOf(text), text }, signers } }
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { publicUrl } = yield* AppConfig
  const signersUnder = yield* makeSigners
  const signersOf: SignersOf = (origin) => signersUnder(origin ?? originOf(publicUrl))
  const stalled = makeStalled(sql)
  let memory: Memory = { seen: null, signers: null }

  const sequence = Effect.fn("Sequencer.sequence")(
    function* () {
      const before = memory.seen?.text
      const done = yield* sql
        .withTransaction(Effect.suspend(() => round(sql, memory, signersOf)))
        .pipe(backgroundCall("sequence"))
      if (done !== null) {
        memory = done.memory
        yield* Metric.update(isBroken, 0)
        if (memory.seen?.text !== before) {
          yield* Metric.update(checkpointSeen, (yield* Clock.currentTimeMillis) / MILLISECONDS_PER_SECOND)
        }
      }
      if (done === null || done.taken === 0) yield* stalled.pipe(backgroundCall("sequence"))
      return done?.taken ?? 0
    },
    Effect.tapErrorTag("LogBroken", () => Metric.update(isBroken, 1)),
    Semaphore.makeUnsafe(1).withPermits(1)
  )
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
      Effect.catchCause((cause) => Effect.logError("The log of records does not grow, and is tried again", cause)),
      Effect.repeat(Schedule.spaced(yield* SequencerRest))
    )
    yield* Effect.forkScoped(work)
  })
)

/**
 * Background worker that appends new records of answers to the transparency log. Each round extends
 * the Merkle tree and signs a checkpoint (the tree's size and root). One transaction stores
 * everything, so a crash leaves the log unchanged. Only one process at a time appends. A checkpoint
 * is signed only if it extends the previous checkpoint. TransparencyLog reads the log.
 */
import { Clock, Context, type Duration, Effect, Layer, Metric, Schedule, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../platform/config.ts"
import { makeRarely } from "../../platform/logRarely.ts"
import { backgroundCall, type LedgerUnavailable } from "../ledgerUnavailable.ts"
import { checkStored, extend, LogBroken, type Signed } from "./append.ts"
import { makeStalled } from "./condition.ts"
import { originOf, publishKeys, type Signers, treeOf } from "./keys.ts"
import { LogKeys } from "./LogKeys.ts"
import { isRestored, lockHead, MAX_RECORDS, nextRecords } from "./nextRecords.ts"

/** Pause of the worker between two rounds. */
export const SequencerRest = Context.Reference<Duration.Input>("repayment-of-record/SequencerRest", {
  defaultValue: () => "1 second"
})

const MILLISECONDS_PER_SECOND = 1000

const checkpointSeen = Metric.gauge("log_checkpoint_timestamp_seconds", {
  description: "When this process first verified the newest checkpoint of the transparency log."
})
const isBroken = Metric.gauge("log_broken", {
  description: "1 while signing has stopped because the log differs from what was signed; otherwise 0."
})

/** State that this process keeps between rounds. */
interface Memory {
  /** The newest checkpoint that this process has verified or signed. */
  readonly seen: Signed | null
  /** The keys that sign; null until a round of this process commits. */
  readonly signers: Signers | null
}

/** Finds the signers of a log by its origin, the name that it started with; null for a new log. */
type SignersOf = (origin: string | null) => Effect.Effect<Signers>

/**
 * One round, inside its transaction; null if another process holds the lock. The first round of a
 * process signs again even without new records, because its keys may differ from those that signed
 * last.
 */
const round = Effect.fnUntraced(function* (memory: Memory, signersOf: SignersOf) {
  const sql = yield* SqlClient.SqlClient
  const locked = yield* lockHead
  if (locked === null) return null
  const { head } = locked
  if (head === undefined) return yield* new LogBroken({ reason: "log_head is empty" })
  const { position, records } = yield* nextRecords(head)
  const isFirst = memory.signers === null || memory.signers.name !== head.origin
  const hasMoved = position.cluster !== head.cluster || isRestored(head)
  const isIdle = records.length === 0 && !isFirst && !hasMoved
  if (isIdle && head.checkpoint === memory.seen?.text) return { taken: 0, memory }
  const signers = isFirst ? yield* signersOf(head.origin) : memory.signers!
  const { edge, signed } = yield* checkStored(head, signers.trusted, memory.seen)
  if (isIdle) return { taken: 0, memory: { seen: signed, signers } }
  if (isFirst) yield* publishKeys(signers, new Date(yield* Clock.currentTimeMillis))
  const isSigned = records.length === 0 && !isFirst
  const text = isSigned ? signed!.text : yield* extend(head.size, edge, records, signers)
  yield* sql`
    UPDATE log_head SET origin = ${signers.name}, size = ${head.size + records.length}::bigint, checkpoint = ${text},
      cluster = ${position.cluster}, restored = ${position.restored}::bigint, xid = ${position.xid}::xid8,
      seq = ${position.seq}::bigint`
  return { taken: records.length, memory: { seen: { ...treeOf(text), text }, signers } }
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { publicUrl } = yield* AppConfig
  const signersNamed = yield* Effect.flatMap(LogKeys, ({ signing }) => signing)
  const signersOf: SignersOf = (origin) => signersNamed(origin ?? originOf(publicUrl))
  const stalled = makeStalled()
  let memory: Memory = { seen: null, signers: null }

  const sequence = Effect.fn("Sequencer.sequence")(
    function* () {
      const before = memory.seen?.text
      const done = yield* sql
        .withTransaction(Effect.suspend(() => round(memory, signersOf)))
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
    Semaphore.makeUnsafe(1).withPermits(1),
    Effect.provideService(SqlClient.SqlClient, sql)
  )
  return { sequence: sequence() }
})

export class Sequencer extends Context.Service<
  Sequencer,
  {
    /**
     * Runs one round and returns how many records it logged; 0 while another process is sequencing.
     */
    readonly sequence: Effect.Effect<number, LedgerUnavailable | LogBroken>
  }
>()("repayment-of-record/Sequencer") {
  static readonly layer = Layer.effect(Sequencer, make).pipe(Layer.provide(LogKeys.layer))
}

const reportBroken = ({ reason }: LogBroken) =>
  Effect.logError(`The transparency log differs from what was signed, so signing stopped: ${reason}. Run repay audit`)

/**
 * Runs rounds while its scope is open. An outage of the database only delays them. A broken log is
 * checked again in the next round.
 */
export const sequencerWorkerLayer: Layer.Layer<never, never, Sequencer> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { sequence } = yield* Sequencer
    const rarely = makeRarely()
    const work = sequence.pipe(
      Effect.repeat({ while: (taken) => taken >= MAX_RECORDS }),
      Effect.catchTag("LogBroken", (broken) => rarely(broken.reason, reportBroken(broken))),
      Effect.ignore,
      Effect.catchCause((cause) => Effect.logError("Appending to the transparency log failed; retrying", cause)),
      Effect.repeat(Schedule.spaced(yield* SequencerRest))
    )
    yield* Effect.forkScoped(work)
  })
)

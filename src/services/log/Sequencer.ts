/**
 * Puts the records into the log, behind the requests: each round takes those that are not in it yet, lets the tree grow,
 * signs a checkpoint and stores all of it in one transaction, so that a crash at any moment leaves the log as it was. Of
 * several processes one at a time does it. What does not go on from what was signed is left alone and told. What is in
 * the log is read through TransparencyLog.
 */
import { Clock, Context, type Duration, Effect, Layer, Schedule, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig, type ConfigProblems } from "../../config.ts"
import { backgroundCall, type LedgerUnavailable } from "../ledgerUnavailable.ts"
import { lockHead, MOST_RECORDS, type NewRecord } from "./backlog.ts"
import { checkStored, extendsTree, LogBroken, type Signed } from "./continuity.ts"
import { newBlinds } from "./entries.ts"
import { extend } from "./extension.ts"
import { baseOf, checkSame } from "./intent.ts"
import { nextRecords, type Remembered } from "./nextRecords.ts"
import { publishKeys } from "./publishedKeys.ts"
import { makeSearch } from "./search.ts"
import { makeSigners, originOf, type Signers } from "./signers.ts"
import type { Sweep } from "./sweep.ts"
import {
  makeRarely,
  measureBroken,
  measureWhole,
  tellBroken,
  tellMissed,
  tellSecond,
  tellTwo,
  warnOfCache
} from "./telling.ts"
import { treeOf } from "./texts.ts"
import { makeVerifiedSize } from "./verified.ts"
import { makeWaiting } from "./waiting.ts"

/** How long the worker rests between two rounds. */
export const SequencerRest = Context.Reference<Duration.Input>("repayment-of-record/SequencerRest", {
  defaultValue: () => "1 second"
})
/** For a round that enters late records, for which new ones wait: it asks what any round does, and a little more. */
const LATE_ROUND_MILLISECONDS = 5000

/** What this process knows from its last round. */
interface Memory extends Omit<Remembered, "late"> {
  /** The newest checkpoint that was found stored and signed, also by a round that was undone. It never goes back. */
  readonly seen: Signed | null
  /** Whether a round of this process is stored: before, the keys may be others than those that signed last. */
  readonly isBegun: boolean
  readonly signers: Signers | null
}

const NOTHING: Memory = {
  seen: null,
  isBegun: false,
  signers: null,
  standing: null,
  reached: null,
  mark: null,
  known: null,
  intent: null
}

/** What became of a round, which the next one remembers. */
interface Round extends Pick<Memory, "seen" | "signers" | "standing" | "mark" | "known"> {
  readonly taken: number
  readonly reached: number
  /** Whether there was no room for more. */
  readonly isFull: boolean
  readonly missed: ReadonlyArray<NewRecord>
  readonly second: ReadonlyArray<NewRecord>
}

/** Who signs a log, by its name: the one under which it was begun. */
type SignersOf = (origin: string | null) => Effect.Effect<Signers>

/** One round, inside its transaction; null if another process is at it. The first signs anew, for the keys may be others. */
const round = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  memory: Memory & { readonly late: Sweep | null },
  signersOf: SignersOf,
  remember: (what: Partial<Pick<Memory, "intent" | "seen">>) => void
) {
  const locked = yield* lockHead(sql)
  if (locked === null) return null
  const { head } = locked
  if (head === undefined) return yield* new LogBroken({ reason: "log_head is empty" })
  const now = new Date(yield* Clock.currentTimeMillis)
  const signers = memory.signers?.name === head.origin ? memory.signers! : yield* signersOf(head.origin)
  const { done, intent, next, records, ...taken } = yield* nextRecords(sql, head, memory, now.getTime())
  const result = (seen: Signed | null): Round => ({ ...taken, mark: next, seen, signers, taken: records.length })
  const { isBegun, seen } = memory
  const isIdle = records.length === 0 && isBegun && done === head.done && next.mark === head.mark
  if (isIdle && head.checkpoint === seen?.text) return result(seen)
  const { edge, signed } = yield* checkStored(sql, head, signers.believed, seen)
  remember({ seen: signed })
  if (memory.intent !== null && intent === null && !(yield* extendsTree(sql, signed, memory.intent))) {
    yield* tellTwo(memory.intent)
    remember({ intent: null })
  }
  if (isIdle) return result(signed)
  if (!isBegun) yield* publishKeys(sql, signers, now)
  const isSigned = records.length === 0 && isBegun
  const blinds = intent?.blinds ?? newBlinds(records)
  const text = isSigned ? signed!.text : yield* extend(sql, head.size, edge, records, blinds, signers)
  const tree = treeOf(text)
  if (intent !== null) yield* checkSame(intent, tree)
  if (!isSigned) remember({ intent: { ...tree, base: baseOf(head), seqs: records.map(({ seq }) => seq), blinds } })
  yield* sql`
    UPDATE public.log_head SET origin = ${signers.name}, size = ${head.size + records.length}::bigint, done = ${done}::bigint,
      mark = ${next.mark}::bigint, marked_at = CASE WHEN ${next.isNew} THEN clock_timestamp() ELSE marked_at END,
      writers = ${next.writers}::text[], checkpoint = ${text}`
  return result({ ...tree, text })
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { publicUrl } = yield* AppConfig
  const signersUnder = yield* makeSigners
  const rarelySecond = makeRarely()
  const inTurn = Semaphore.makeUnsafe(1).withPermits(1)
  const waiting = makeWaiting(sql, yield* makeVerifiedSize)
  let isWarned = false
  let memory = NOTHING
  const remember = (what: Partial<Memory>) => {
    memory = { ...memory, ...what }
  }
  const signersOf: SignersOf = (origin) => signersUnder(origin ?? originOf(publicUrl))

  const tell = Effect.fnUntraced(function* ({ missed, second }: Round) {
    const late = missed.filter((one) => !second.includes(one))
    if (late.length > 0) yield* tellMissed(late)
    const [first] = second
    if (first !== undefined) yield* rarelySecond("second", tellSecond({ count: second.length, first: first.answerId }))
  })

  /** A round, and what is to be told of it; null if another process is at it. New records alone, or late ones too. */
  const oneRound = Effect.fnUntraced(
    function* (late: Sweep | null) {
      const before = memory.seen
      const work = Effect.suspend(() => round(sql, { ...memory, late }, signersOf, remember))
      const most = late === null ? undefined : LATE_ROUND_MILLISECONDS
      const done = yield* sql.withTransaction(work).pipe(backgroundCall("sequence", most))
      if (done === null) {
        yield* waiting.again.pipe(backgroundCall("sequence"))
        return null
      }
      const { known, mark, reached, seen, signers, standing } = done
      yield* waiting.over(reached, seen?.size ?? 0, done.taken)
      yield* measureWhole(seen?.text !== before?.text)
      remember({ seen, isBegun: true, signers, standing, reached, mark, known, intent: null })
      yield* tell(done)
      return done
    },
    Effect.tapErrorTag("LogBroken", () => measureBroken),
    inTurn
  )

  const enterLate = (late: Sweep) =>
    Effect.map(oneRound(late), (done) => (done === null || done.isFull ? null : done.taken))
  const search = yield* makeSearch(sql, enterLate, rarelySecond)

  const sequence = Effect.fn("Sequencer.sequence")(function* () {
    if (!isWarned) yield* warnOfCache(sql).pipe(backgroundCall("sequence"))
    isWarned = true
    const done = yield* oneRound(null)
    if (done === null || done.isFull) return done?.taken ?? 0
    return done.taken + (yield* search(done.reached, done.seen))
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

/** What the sequencer tells the operator, and how often. What is wrong each second is told each minute. */
import { Clock, Effect, Metric } from "effect"
import type { SqlClient } from "effect/sql"
import type { Tree } from "../../proof/tree.ts"
import type { NewRecord } from "./backlog.ts"
import type { LogBroken } from "./continuity.ts"
import type { Strays } from "./sweep.ts"

const TOLD_MILLISECONDS = 60_000
const MILLISECONDS_PER_SECOND = 1000

const checkpointSeen = Metric.gauge("log_checkpoint_timestamp_seconds", {
  description: "When the newest checkpoint was first seen to be right, by any process of the service since its start."
})
const isBroken = Metric.gauge("log_broken", {
  description: "1 while nothing is signed, for the log is not what was signed; else 0."
})

export const measureBroken = Metric.update(isBroken, 1)

/** The log is what was signed; `isNew`: its checkpoint is another than this process saw before. */
export const measureWhole = Effect.fnUntraced(function* (isNew: boolean) {
  yield* Metric.update(isBroken, 0)
  if (isNew) yield* Metric.update(checkpointSeen, (yield* Clock.currentTimeMillis) / MILLISECONDS_PER_SECOND)
})

/** Says it, unless it has said the same less than a minute ago. */
export const makeRarely = () => {
  let last = { what: "", at: 0 }
  return Effect.fnUntraced(function* (what: string, line: Effect.Effect<void>) {
    const now = yield* Clock.currentTimeMillis
    if (what === last.what && Math.abs(now - last.at) < TOLD_MILLISECONDS) return
    last = { what, at: now }
    yield* line
  })
}

/** Numbers that a session holds back are found by the sweep alone, which takes its time. */
export const warnOfCache = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [numbers] = yield* sql<{ readonly cache: number }>`
    SELECT seqcache::float8 AS cache FROM pg_sequence
    WHERE seqrelid = pg_get_serial_sequence('answer', 'seq')::regclass`
  if (numbers!.cache === 1) return
  yield* Effect.logWarning(
    "Sessions hold back numbers of records, which delays the log: ALTER TABLE answer ALTER seq SET CACHE 1"
  )
})

export const tellMissed = (missed: ReadonlyArray<NewRecord>) =>
  Effect.logWarning("Records were entered late: the log had gone past them").pipe(
    Effect.annotateLogs({ records: missed.length, first: missed[0]!.answerId })
  )

export const tellHeldUp = (records: number) =>
  Effect.logError(
    "Records that the log had gone past are not entered, for the search for them fails again and again: see the errors before"
  ).pipe(Effect.annotateLogs({ records }))

export const tellStrays = ({ count, first }: Strays) =>
  Effect.logError(
    "Records below the end of the log are not in it, and too old or too incomplete to be entered: run repay audit"
  ).pipe(Effect.annotateLogs({ records: count, first }))

export const tellSecond = ({ count, first }: Strays) =>
  Effect.logError("Records are not entered, for the log has others under their answerIds: run repay audit").pipe(
    Effect.annotateLogs({ records: count, first })
  )

export const tellNotWhole = (reason: string) =>
  Effect.logError(
    `Records that the log had gone past are not entered, for they may be in it: ${reason}. Run repay audit`
  )

export const tellManyKeys = Effect.logError(
  "log_key holds more keys than a log has, and the newest of them are published behind those of this service: run repay audit"
)

export const tellTwo = ({ size }: Tree) =>
  Effect.logError(
    "This process signed a tree that was not stored, and the log has gone on without it: another process has signed meanwhile, or somebody has kept the signature. Run repay audit with checkpoints that others have kept"
  ).pipe(Effect.annotateLogs({ entries: size }))

export const tellBroken = ({ reason }: LogBroken) =>
  Effect.logError(`Nothing is signed, for the log of records is not what was signed: ${reason}. Run repay audit`)

/** What tests of the log over records do over and over: record, sequence, open what is served, damage what is stored. */
import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, Layer, Logger, type LogLevel, Metric, Option, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { openCheckpoint, openReceipt } from "../../src/proof/checkpoint.ts"
import { AnswerLedger } from "../../src/services/answers/AnswerLedger.ts"
import { IS_AWAITED } from "../../src/services/log/condition.ts"
import { Sequencer } from "../../src/services/log/Sequencer.ts"
import { TransparencyLog } from "../../src/services/log/TransparencyLog.ts"
import { openTiles } from "../../src/services/log/tiles.ts"
import { measureQueueDepths } from "../../src/services/queueDepths.ts"
import { copiesOf } from "./database.ts"
import { entry, servicesOn, testServices } from "./services.ts"
import { PATIENT } from "./settings.ts"

/** The services on a database of their own, and a sequencer that rests until it is asked. */
export const logServices = (variables: Readonly<Record<string, string>> = {}) =>
  Sequencer.layer.pipe(Layer.provideMerge(testServices(variables)))

/** Records answers one after the other and returns their ids. */
export const record = Effect.fnUntraced(function* (count: number) {
  const ledger = yield* AnswerLedger
  const ids = Array.from({ length: count }, () => randomUUID())
  yield* Effect.forEach(ids, (answerId) => ledger.recordOwn(entry({ answerId })))
  return ids
})

/** Records so many at once, without a word of who asked for them. */
export const recordMany = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* record(1)
  yield* sql`
    INSERT INTO answer (recorded_at, answer_id, tenant, key_id, kind, inputs_hash, answer_hash)
    SELECT recorded_at, gen_random_uuid(), tenant, key_id, kind, sha256(n::text::bytea), answer_hash
    FROM (SELECT * FROM answer ORDER BY seq DESC LIMIT 1) AS last, generate_series(2, ${count}::int) AS n`
})

export type LogServices = Layer.Success<ReturnType<typeof logServices>>

/** Rounds until nothing waits. Transactions of other tests on the same server keep records waiting for a moment. */
export const sequenceAll = Effect.gen(function* () {
  const { sequence } = yield* Sequencer
  const sql = yield* SqlClient.SqlClient
  const waiting = sql`SELECT FROM answer, log_head WHERE ${sql.literal(IS_AWAITED)} LIMIT 1`
  do {
    while ((yield* sequence) > 0);
    yield* Effect.promise(() => new Promise(setImmediate))
  } while ((yield* waiting).length > 0)
})

/**
 * Records answers of which the next round takes all. While a test beside this one has an older transaction open on the
 * same server, a round would take none of them.
 */
export const recordBelowHorizon = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  const above = sql`SELECT FROM answer WHERE xid >= pg_snapshot_xmin(pg_current_snapshot()) LIMIT 1`
  yield* record(count)
  while ((yield* above).length > 0) yield* Effect.promise(() => new Promise(setImmediate))
})

const logServicesOn = (url: Redacted.Redacted<string>, deadlines = PATIENT) =>
  Sequencer.layer.pipe(Layer.provideMerge(servicesOn(url, {}, deadlines)))

/** Databases by the number of their records. A log is built once for each number, and copied. */
const logs = new Map<number, ReturnType<typeof copiesOf>>()

const copyOfLog = (records: number) => {
  const known = logs.get(records)
  if (known !== undefined) return known
  const filled = copiesOf((url) =>
    recordMany(records).pipe(Effect.andThen(sequenceAll), Effect.provide(logServicesOn(url)))
  )
  logs.set(records, filled)
  return filled
}

/** The work on a log of its own, with so many records in it. The sequencer has seen it. */
export const onLog = <A, E>(records: number, work: Effect.Effect<A, E, LogServices>, deadlines = PATIENT) =>
  Effect.flatMap(copyOfLog(records), (url) =>
    Effect.provide(Effect.andThen(sequenceAll, work), logServicesOn(url, deadlines))
  ).pipe(Effect.scoped)

/** A statement as a superuser whom no trigger stops. */
export const tamper = Effect.fnUntraced(function* (...statements: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const all = ["SET LOCAL session_replication_role = replica", ...statements]
  yield* sql.withTransaction(Effect.forEach(all, (statement) => sql.unsafe(statement), { discard: true }))
})

const LOG = ["log_entry", "log_tile", "log_head"]

/** Keeps the log as it is now, for `restoreLog`. */
export const backUpLog = tamper(...LOG.map((table) => `CREATE TABLE backup_${table} AS TABLE ${table}`))

/** Puts the log back to where it was kept, and does more behind the service's back. */
export const restoreLog = (...more: ReadonlyArray<string>) =>
  tamper(
    ...more,
    ...LOG.flatMap((table) => [`DELETE FROM ${table}`, `INSERT INTO ${table} SELECT * FROM backup_${table}`])
  )

/**
 * The log as anybody can check it, and against the records: the checkpoint is signed, the tiles are its tree's, and each
 * record is one entry of it. Returns the size.
 */
export const checkLog = Effect.gen(function* () {
  const log = yield* TransparencyLog
  const sql = yield* SqlClient.SqlClient
  const keys = yield* log.keys
  const signed = yield* log.checkpoint
  const tree = yield* Effect.promise(() => openCheckpoint(signed, keys))
  const read = (tile: Parameters<typeof log.tile>[0]) =>
    Effect.runPromise(
      Effect.map(
        log.tile(tile),
        Option.getOrElse(() => new Uint8Array())
      )
    )
  const hashAt = yield* Effect.promise(() => openTiles(tree, read))
  for (let index = 0; index < tree.size; index += 256) yield* Effect.promise(async () => hashAt(0, index))
  const [counted] = yield* sql<{
    readonly answers: number
    readonly entries: number
    readonly matched: number
    readonly last: number
  }>`
    SELECT (SELECT count(*)::int FROM answer) AS answers, count(*)::int AS entries, count(answer.seq)::int AS matched,
      coalesce(max(index), -1)::int AS last FROM log_entry LEFT JOIN answer USING (seq)`
  const { size } = tree
  assert.deepStrictEqual(counted, { answers: size, entries: size, matched: size, last: size - 1 })
  return size
})

/** What operators are told of backlogs: gauges by their names, those with a label left out. */
export const gauges = Effect.gen(function* () {
  yield* measureQueueDepths
  const told = yield* Metric.snapshot
  return new Map(
    told.flatMap(({ attributes, id, state, type }) =>
      type === "Gauge" && attributes === undefined ? [[id, Number(state.value)]] : []
    )
  )
})

/** The receipt of an answer, opened with the keys that are published. */
export const receiptOf = Effect.fnUntraced(function* (answerId: string) {
  const log = yield* TransparencyLog
  const text = Option.getOrThrow(yield* log.receipt(answerId))
  const keys = yield* log.keys
  return { text, ...(yield* Effect.promise(() => openReceipt(text, keys))) }
})

/** What is told while the layer is provided. */
export const lines = () => {
  const told: Array<{ readonly level: LogLevel.LogLevel; readonly text: string }> = []
  const logger = Logger.make(({ logLevel, message }) => {
    told.push({ level: logLevel, text: [message].flat().map(String).join(" ") })
  })
  return { told, layer: Logger.layer([logger]) }
}

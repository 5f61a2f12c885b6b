/**
 * Helpers for tests of the log: record, sequence, open what is served, and tamper with what is
 * stored.
 */
import { randomUUID } from "node:crypto"
import { Effect, Layer, Logger, type LogLevel, Metric, Option, type Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { openCheckpoint, openReceipt } from "../../src/proof/checkpoint.ts"
import { AnswerLedger } from "../../src/services/answers/AnswerLedger.ts"
import { IS_NOT_LOGGED } from "../../src/services/log/condition.ts"
import { Sequencer } from "../../src/services/log/Sequencer.ts"
import { TransparencyLog } from "../../src/services/log/TransparencyLog.ts"
import { openTiles } from "../../src/services/log/tiles.ts"
import { measureQueueDepths } from "../../src/services/queueDepths.ts"
import { copiesOf } from "./database.ts"
import { assert, type Body, it } from "./effects.ts"
import { entry, servicesOn, testServices } from "./services.ts"
import { PATIENT } from "./settings.ts"

/** The services on a new database, with a sequencer that runs only when the test calls it. */
export const logServices = (variables: Readonly<Record<string, string>> = {}) =>
  Sequencer.layer.pipe(Layer.provideMerge(testServices(variables)))

/** Records answers one by one and returns their ids. */
export const record = Effect.fnUntraced(function* (count: number) {
  const ledger = yield* AnswerLedger
  const ids = Array.from({ length: count }, () => randomUUID())
  yield* Effect.forEach(ids, (answerId) => ledger.recordOwn([entry({ answerId })]))
  return ids
})

/** Inserts records in bulk, as copies of the last one. */
export const recordMany = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* record(1)
  yield* sql`
    INSERT INTO answer (recorded_at, answer_id, tenant, key_id, kind, inputs_hash, answer_hash)
    SELECT recorded_at, gen_random_uuid(), tenant, key_id, kind, sha256(n::text::bytea), answer_hash
    FROM (SELECT * FROM answer ORDER BY seq DESC LIMIT 1) AS last, generate_series(2, ${count}::int) AS n`
})

export type LogServices = Layer.Success<ReturnType<typeof logServices>>

/** Sequences until no record waits; other tests' transactions can hold records back briefly. */
export const sequenceAll = Effect.gen(function* () {
  const { sequence } = yield* Sequencer
  const sql = yield* SqlClient.SqlClient
  const waiting = sql`SELECT FROM answer, log_head WHERE ${sql.literal(IS_NOT_LOGGED)} LIMIT 1`
  do {
    while ((yield* sequence) > 0);
    yield* Effect.promise(() => new Promise(setImmediate))
  } while ((yield* waiting).length > 0)
})

/**
 * Records answers that the sequencer's next round can append. It waits until no older transaction
 * is open on the server, for example one of another test: a round skips records that are newer than
 * an open transaction.
 */
export const recordBelowHorizon = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  const above = sql`SELECT FROM answer WHERE xid >= pg_snapshot_xmin(pg_current_snapshot()) LIMIT 1`
  yield* record(count)
  while ((yield* above).length > 0) yield* Effect.promise(() => new Promise(setImmediate))
})

const logServicesOn = (url: Redacted.Redacted<string>, deadlines = PATIENT) =>
  Sequencer.layer.pipe(Layer.provideMerge(servicesOn(url, {}, deadlines)))

/** Template databases by number of records. Each log is built once and then copied. */
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

/** Tests that each run on a new copy of a log, after its sequencer has run once. */
export const testsOnLog =
  (records: number) =>
  (title: string, body: Body<LogServices | Scope.Scope>, deadlines = PATIENT) =>
    it(title, function* () {
      const url = yield* copyOfLog(records)
      yield* Effect.provide(Effect.andThen(sequenceAll, Effect.gen(body)), logServicesOn(url, deadlines))
    })

/** Runs statements as a superuser, with triggers disabled. */
export const tamper = Effect.fnUntraced(function* (...statements: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const all = ["SET LOCAL session_replication_role = replica", ...statements]
  yield* sql.withTransaction(Effect.forEach(all, (statement) => sql.unsafe(statement), { discard: true }))
})

const LOG = ["log_entry", "log_tile", "log_head"]

/** Copies the log's tables for `restoreLog`. */
export const backUpLog = tamper(...LOG.map((table) => `CREATE TABLE backup_${table} AS TABLE ${table}`))

/** Runs other statements, and then restores the log's tables. */
export const restoreLog = (...more: ReadonlyArray<string>) =>
  tamper(
    ...more,
    ...LOG.flatMap((table) => [`DELETE FROM ${table}`, `INSERT INTO ${table} SELECT * FROM backup_${table}`])
  )

/**
 * Checks the log as the public can, and against the records: the checkpoint is signed, the tiles
 * match its tree, and each record is exactly one entry. Returns the size.
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

/** The values of all gauges without labels, by name. */
export const gauges = Effect.gen(function* () {
  yield* measureQueueDepths
  const told = yield* Metric.snapshot
  return new Map(
    told.flatMap(({ attributes, id, state, type }) =>
      type === "Gauge" && attributes === undefined ? [[id, Number(state.value)]] : []
    )
  )
})

/** The receipt of an answer, verified with the published keys. */
export const receiptOf = Effect.fnUntraced(function* (answerId: string) {
  const log = yield* TransparencyLog
  const text = Option.getOrThrow(yield* log.receipt(answerId))
  const keys = yield* log.keys
  return { text, ...(yield* Effect.promise(() => openReceipt(text, keys))) }
})

/** Collects the log lines written while the layer is provided. */
export const lines = () => {
  const told: Array<{ readonly level: LogLevel.LogLevel; readonly text: string }> = []
  const logger = Logger.make(({ logLevel, message }) => {
    told.push({ level: logLevel, text: [message].flat().map(String).join(" ") })
  })
  return { told, layer: Logger.layer([logger]) }
}

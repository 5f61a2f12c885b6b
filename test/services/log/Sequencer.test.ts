/**
 * The sequencer: each record becomes exactly one entry, despite late commits, lost sessions and
 * rotated keys.
 */

import { PgClient } from "@effect/sql-pg"
import { Deferred, Effect, Fiber, Layer, Logger, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { clientLayer } from "../../../src/database/client.ts"
import { databaseAt } from "../../../src/database/postgres.ts"
import { openReceipt } from "../../../src/proof/checkpoint.ts"
import { Sequencer, SequencerRest, sequencerWorkerLayer } from "../../../src/services/log/Sequencer.ts"
import { TransparencyLog } from "../../../src/services/log/TransparencyLog.ts"
import { addressOf, migratedDatabase } from "../../support/database.ts"
import { assert, describe, it, layer } from "../../support/effects.ts"
import { checkLog, logServices, receiptOf, record, recordMany, sequenceAll, tamper } from "../../support/logs.ts"
import { runs } from "../../support/random.ts"
import { call, countOf, mint, servicesOn } from "../../support/services.ts"
import { TEST_SIGNING_KEY, testConfig } from "../../support/settings.ts"
import { until } from "../../support/until.ts"

const KILLS = runs(10, 50)
const LATE = "INSERT INTO answer (recorded_at, answer_id, tenant, key_id, kind, inputs_hash, answer_hash)"
const COPY = "SELECT recorded_at, gen_random_uuid(), tenant, key_id, kind, inputs_hash, answer_hash FROM answer LIMIT 1"

layer(logServices())("the log", (it) => {
  it("is signed while it is still empty", function* () {
    const log = yield* TransparencyLog
    assert.strictEqual((yield* Effect.flip(log.checkpoint))._tag, "NotYetLogged")
    yield* (yield* Sequencer).sequence
    assert.strictEqual(yield* checkLog, 0)
  })

  it("has one entry and a receipt for each record", function* () {
    const [first] = yield* record(3)
    yield* call((yield* mint()).secret)
    const log = yield* TransparencyLog
    assert.strictEqual((yield* Effect.flip(log.receipt(first!)))._tag, "NotYetLogged")
    yield* sequenceAll
    assert.strictEqual(yield* checkLog, 4)
    const { index, record: text } = yield* receiptOf(first!)
    assert.strictEqual(index, 0)
    const logged = JSON.parse(text)
    assert.deepInclude(logged, { answerId: first, source: "PublicApi", endpoint: "POST /v1/projection" })
    assert.strictEqual(text, JSON.stringify(Object.fromEntries(Object.entries(logged).sort())))
    assert.match(logged.answerHash, /^a2-[0-9a-f]{64}$/)
    assert.isTrue(Option.isNone(yield* log.receipt("00000000-0000-4000-8000-000000000000")))
    assert.isTrue(Option.isNone(yield* log.receipt("none")))
  })

  it("grows over many tiles, and earlier receipts stay valid", function* () {
    const [id] = yield* record(1)
    yield* sequenceAll
    const before = yield* receiptOf(id!)
    yield* recordMany(3000)
    yield* sequenceAll
    assert.strictEqual(yield* checkLog, 3005)
    const keys = yield* (yield* TransparencyLog).keys
    yield* Effect.promise(() => openReceipt(before.text, keys))
    const after = yield* receiptOf(id!)
    assert.strictEqual(after.index, before.index)
    assert.strictEqual(after.checkpoint.size, 3005)
  })

  it("rejects changes and deletions in its tables", function* () {
    const sql = yield* SqlClient.SqlClient
    for (const forbidden of [
      "UPDATE log_entry SET seq = seq + 1000000",
      "DELETE FROM log_entry",
      "TRUNCATE log_entry",
      "DELETE FROM log_tile",
      "TRUNCATE log_tile",
      "UPDATE log_tile SET hashes = sha256('x')",
      "UPDATE log_tile SET n = n + 100000",
      "DELETE FROM log_key"
    ]) {
      const { reason } = yield* Effect.flip(sql.unsafe(forbidden))
      assert.deepInclude(reason, { _tag: "AuthorizationError" }, forbidden)
    }
  })

  it("issues no receipt from damaged tiles", function* () {
    const [id] = yield* record(1)
    yield* sequenceAll
    yield* tamper("UPDATE log_tile SET hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1) WHERE level = 1")
    const log = yield* TransparencyLog
    const exit = yield* Effect.exit(log.receipt(id!))
    assert.strictEqual(exit._tag, "Failure")
    yield* tamper("UPDATE log_tile SET hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1) WHERE level = 1")
    yield* receiptOf(id!)
  })
})

describe("a record that is committed late", () => {
  it("is not missed: newer records wait for it, and all are logged in the order of their transactions", function* () {
    const url = yield* migratedDatabase
    const services = Sequencer.layer.pipe(Layer.provideMerge(servicesOn(url)))
    yield* Effect.gen(function* () {
      const { sequence } = yield* Sequencer
      yield* record(2)
      yield* sequenceAll
      const written = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const late = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const work = sql
          .unsafe(`${LATE} ${COPY}`)
          .pipe(Effect.andThen(Deferred.succeed(written, undefined)), Effect.andThen(Deferred.await(go)))
        yield* sql.withTransaction(work)
      }).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1 })))
      const fiber = yield* Effect.forkChild(late)
      yield* Deferred.await(written)
      for (let times = 0; times < 5; times++) {
        yield* record(2)
        assert.strictEqual(yield* sequence, 0)
      }
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(fiber)
      yield* sequenceAll
      assert.strictEqual(yield* checkLog, 13)
      const disorder = "SELECT lag(xid) OVER (ORDER BY index) > xid AS is_out FROM log_entry JOIN answer USING (seq)"
      assert.strictEqual(yield* countOf(`(${disorder}) AS entered`, "is_out"), 0)
    }).pipe(Effect.provide(services))
  })
})

describe("several sequencers", () => {
  it(`take turns and leave no gap and no duplicate, even if ${KILLS} of their sessions are killed [F25]`, function* () {
    const url = yield* migratedDatabase
    const killer = PgClient.layer({ url: Redacted.make(Redacted.value(url)), maxConnections: 1 })
    const sequencer = Layer.fresh(Sequencer.layer).pipe(
      Layer.provide(Layer.fresh(databaseAt(addressOf(url)))),
      Layer.provide(testConfig())
    )
    const sequencing = Effect.forever(
      Effect.flatMap(Sequencer, ({ sequence }) => Effect.ignoreCause(sequence)).pipe(Effect.andThen(Effect.sleep(1)))
    ).pipe(Effect.provide(sequencer), Effect.provide(Logger.layer([])))
    yield* Effect.gen(function* () {
      yield* record(1)
      const fibers = yield* Effect.forEach([1, 2], () => Effect.forkChild(sequencing))
      const killing = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        let kills = 0
        for (let attempt = 0; kills < KILLS && attempt < 100 * KILLS; attempt++) {
          const killed = yield* sql`
              SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
              WHERE pg_locks.locktype = 'advisory' AND datname = current_database()`
          kills += killed.length
          yield* Effect.sleep(Math.random() * 20)
        }
        return kills
      }).pipe(Effect.provide(killer))
      const recording = Effect.forever(recordMany(100).pipe(Effect.andThen(Effect.sleep(10))))
      const recorder = yield* Effect.forkChild(recording)
      const kills = yield* killing
      yield* Fiber.interrupt(recorder)
      yield* Effect.forEach(fibers, Fiber.interrupt)
      assert.isAtLeast(kills, KILLS)
      yield* sequenceAll
      assert.isAbove(yield* checkLog, 100)
    }).pipe(Effect.provide(Sequencer.layer.pipe(Layer.provideMerge(servicesOn(url)))))
  })
})

describe("keys of the log", () => {
  it("are rotated while both sign, and signatures of the old one stay valid", function* () {
    const url = yield* migratedDatabase
    const under = <A, E>(
      variables: Readonly<Record<string, string>>,
      work: Effect.Effect<
        A,
        E,
        Sequencer | TransparencyLog | SqlClient.SqlClient | Layer.Success<ReturnType<typeof servicesOn>>
      >
    ) => work.pipe(Effect.provide(Sequencer.layer.pipe(Layer.provideMerge(servicesOn(url, variables)))))
    const published = Effect.flatMap(TransparencyLog, ({ keys }) => keys)
    const checkpoint = Effect.flatMap(TransparencyLog, (log) => log.checkpoint)
    const [id] = yield* under(
      {},
      Effect.tap(record(1), () => sequenceAll)
    )
    const [old] = yield* under({}, published)
    const before = yield* under({}, receiptOf(id!))
    const NEW_KEY = "fedcba9876543210".repeat(4)
    const both = { LOG_SIGNING_KEY: NEW_KEY, LOG_SIGNING_KEY_PREVIOUS: TEST_SIGNING_KEY }
    const during = yield* under(both, Effect.andThen(sequenceAll, checkpoint))
    assert.strictEqual(during.split("— ").length, 3)
    const after = yield* under({ LOG_SIGNING_KEY: NEW_KEY }, Effect.andThen(sequenceAll, checkpoint))
    assert.strictEqual(after.split("— ").length, 2)
    const keys = yield* under({ LOG_SIGNING_KEY: NEW_KEY }, published)
    assert.strictEqual(keys.length, 2)
    assert.strictEqual(keys.at(-1), old)
    yield* Effect.promise(() => openReceipt(before.text, [old!]))
    const received = yield* under({ LOG_SIGNING_KEY: NEW_KEY }, receiptOf(id!))
    const refused = yield* Effect.promise(() =>
      openReceipt(received.text, [old!]).then(
        () => false,
        () => true
      )
    )
    assert.isTrue(refused)
    yield* Effect.promise(() => openReceipt(received.text, [keys[0]!]))
    const back = { LOG_SIGNING_KEY: TEST_SIGNING_KEY, LOG_SIGNING_KEY_PREVIOUS: NEW_KEY }
    assert.deepStrictEqual(yield* under(back, Effect.andThen(sequenceAll, published)), keys.toReversed())
  })
})

describe("a sequencer whose sessions are closed", () => {
  it("keeps retrying, even though each of its rounds is interrupted", function* () {
    const url = yield* migratedDatabase
    const closed = yield* Effect.scoped(Layer.build(clientLayer(addressOf(url))))
    const logLines: Array<string> = []
    const logger = Logger.make(({ message }) => logLines.push([message].flat().map(String)[0]!))
    const worker = sequencerWorkerLayer.pipe(
      Layer.provide(Layer.fresh(Sequencer.layer)),
      Layer.provide(Layer.succeedContext(closed)),
      Layer.provide(testConfig({ LOG_SIGNING_KEY: TEST_SIGNING_KEY })),
      Layer.provide(Logger.layer([logger])),
      Layer.provide(Layer.succeed(SequencerRest, "10 millis"))
    )
    yield* Layer.build(worker)
    yield* Effect.promise(() => until(async () => logLines.length > 1))
    for (const line of logLines) assert.strictEqual(line, "Appending to the transparency log failed; retrying")
  })
})

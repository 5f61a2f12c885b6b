/**
 * Metrics of the background queues: waiting mails and records, and nothing if the database does not
 * answer in time.
 */
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Sequencer } from "../../src/services/log/Sequencer.ts"
import { TransparencyLog } from "../../src/services/log/TransparencyLog.ts"
import { holdTransaction, migratedDatabase } from "../support/database.ts"
import { assert, it } from "../support/effects.ts"
import { gauges, lines, logServices, recordMany, sequenceAll, tamper } from "../support/logs.ts"
import { mint, servicesOn } from "../support/services.ts"

const MAIL_AGE_SECONDS = 7200
const MAX_SKEW_SECONDS = 60

it("the metrics report whether the log is intact, and when its checkpoint was first seen", function* () {
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const log = yield* TransparencyLog
    const { sequence } = yield* Sequencer
    yield* recordMany(1)
    yield* sequenceAll
    const first = yield* gauges
    assert.strictEqual(first.get("log_broken"), 0)
    const now = (yield* Clock.currentTimeMillis) / 1000
    assert.isTrue(Math.abs(now - first.get("log_checkpoint_timestamp_seconds")!) < MAX_SKEW_SECONDS)
    yield* sequenceAll
    const since = first.get("log_checkpoint_timestamp_seconds")!
    assert.strictEqual((yield* gauges).get("log_checkpoint_timestamp_seconds"), since)
    const signed = yield* log.checkpoint
    yield* tamper("UPDATE log_head SET checkpoint = 'none'")
    assert.strictEqual((yield* Effect.flip(sequence))._tag, "LogBroken")
    assert.strictEqual((yield* gauges).get("log_broken"), 1)
    yield* sql`UPDATE log_head SET checkpoint = ${signed}`
    yield* recordMany(1)
    yield* sequenceAll
    const mended = yield* gauges
    assert.strictEqual(mended.get("log_broken"), 0)
    assert.isTrue(mended.get("log_checkpoint_timestamp_seconds")! > since)
  }).pipe(Effect.provide(logServices()))
})

it("the metrics count waiting mails, with the age of the oldest, and records not logged yet", function* () {
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const empty = yield* gauges
    assert.deepStrictEqual([empty.get("outbox_waiting_mails"), empty.get("outbox_oldest_age_seconds")], [0, 0])
    yield* mint()
    yield* mint()
    yield* sql`UPDATE outbox SET created_at = clock_timestamp() - interval '1 second' * ${MAIL_AGE_SECONDS}::int
      WHERE id = (SELECT min(id) FROM outbox)`
    yield* recordMany(5)
    const waiting = yield* gauges
    assert.strictEqual(waiting.get("outbox_waiting_mails"), 2)
    const age = waiting.get("outbox_oldest_age_seconds")! - MAIL_AGE_SECONDS
    assert.isTrue(age >= 0 && age < MAX_SKEW_SECONDS, `off by ${age} s`)
    assert.deepStrictEqual([waiting.get("log_entries"), waiting.get("log_waiting_records")], [0, 5])
    yield* sequenceAll
    const entered = yield* gauges
    assert.deepStrictEqual([entered.get("log_entries"), entered.get("log_waiting_records")], [5, 0])
  }).pipe(Effect.provide(logServices()))
})

it("the metrics omit counts that the database returns too late, with one warning", function* () {
  const url = yield* migratedDatabase
  const { layer, told } = lines()
  yield* Effect.gen(function* () {
    const held = yield* Effect.promise(() => holdTransaction({ url }, "LOCK TABLE outbox"))
    assert.isFalse((yield* gauges).has("log_waiting_records"))
    assert.isFalse((yield* gauges).has("log_waiting_records"))
    yield* Effect.promise(held.release)
    assert.isTrue((yield* gauges).has("log_waiting_records"))
  }).pipe(Effect.provide(servicesOn(url)), Effect.provide(layer))
  assert.deepStrictEqual(
    told.map(({ level, text }) => [level, /took too long/.test(text)]),
    [["Warn", true]]
  )
})

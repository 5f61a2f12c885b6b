/**
 * Calls with an Idempotency-Key below HTTP: the identity derived from it, races of repeated calls,
 * and an answer that is computed again in another month.
 */
import { Deferred, Effect, Fiber, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ProjectionRequest } from "../../../schema/projection.ts"
import { Engine } from "../../../src/engine/Engine.ts"
import type { Caller } from "../../../src/services/accounts/Keys.ts"
import { AnswerLedger } from "../../../src/services/answers/AnswerLedger.ts"
import { Answers } from "../../../src/services/answers/Answers.ts"
import { Charging } from "../../../src/services/answers/Charging.ts"
import { IdempotencyKeys, isDerivedId, isRepeated } from "../../../src/services/answers/IdempotencyKeys.ts"
import { assert, layer } from "../../support/effects.ts"
import { projection } from "../../support/requests.ts"
import { countOf, entry, newCaller, tally, testServices, together } from "../../support/services.ts"

const PROJECTION = Schema.decodeUnknownSync(ProjectionRequest)(projection)

const services = Answers.layer.pipe(Layer.provide(Engine.layer), Layer.provideMerge(testServices()))

const find = (caller: Pick<Caller, "tenant">, key: string) =>
  Effect.flatMap(IdempotencyKeys, (keys) => keys.find(caller, key))

/** Another process: its own queues on the same database. */
const otherCharging = Effect.provide(Charging, Layer.fresh(Charging.layer))

/** Records what the caller's first record has under another id. */
const recordOf = (answerId: string, { keyId }: Caller) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      INSERT INTO answer (recorded_at, answer_id, tenant, key_id, kind, inputs_hash, answer_hash)
      SELECT recorded_at, ${answerId}, tenant, key_id, kind, inputs_hash, answer_hash
      FROM answer WHERE key_id = ${keyId} LIMIT 1`
  )

const accountOf = Effect.fnUntraced(function* ({ keyId }: Caller) {
  const records = yield* countOf("answer", `key_id = '${keyId}'`)
  const charges = yield* Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly used: number }>`SELECT used FROM usage WHERE key_id = ${keyId}`
  )
  return { records, charges: charges[0]?.used ?? 0 }
})

layer(services)("an Idempotency-Key", (it) => {
  it("gives each account and key its own id and salt, the same each time", function* () {
    const [one, other] = [yield* newCaller(), yield* newCaller()]
    const calls = [yield* find(one, "a"), yield* find(one, "b"), yield* find(other, "a")]
    assert.deepStrictEqual(yield* find(one, "a"), calls[0])
    for (const { answerId, answerSalt } of calls) {
      assert.isTrue(isDerivedId(answerId))
      assert.lengthOf(Buffer.from(answerSalt, "base64url"), 16)
    }
    assert.strictEqual(new Set(calls.flatMap(({ answerId, answerSalt }) => [answerId, answerSalt])).size, 6)
  })

  it("that several processes record at once is charged by one of them", function* () {
    const [caller, neighbor] = [yield* newCaller(), yield* newCaller()]
    const processes = yield* Effect.all(Array.from({ length: 4 }, () => otherCharging))
    for (let round = 1; round <= 10; round++) {
      const { answerId } = yield* find(caller, `round ${round}`)
      const doubles = together(8, (index) => processes[index % 4]!.record(caller, entry({ answerId })))
      const others = together(8, (index) => processes[index % 4]!.record(neighbor, entry()))
      const [sent, apart] = yield* Effect.all([doubles, others], { concurrency: "unbounded" })
      assert.deepStrictEqual(tally(sent), { ok: 1, AlreadyRecorded: 7 })
      assert.deepStrictEqual(tally(apart), { ok: 8 })
      assert.deepStrictEqual(yield* accountOf(caller), { records: round, charges: round })
    }
  })

  it("is not charged beside a call that another process is recording, unless that fails", function* () {
    const sql = yield* SqlClient.SqlClient
    const charging = yield* Charging
    const caller = yield* newCaller()
    yield* charging.record(caller, entry())
    /** Inserts the record elsewhere, without a lock on the key, and ends as `outcome` says. */
    const recordedElsewhere = Effect.fnUntraced(function* (answerId: string, outcome: Effect.Effect<void, "lost">) {
      const isInserted = yield* Deferred.make<void>()
      const mayEnd = yield* Deferred.make<void>()
      const elsewhere = recordOf(answerId, caller).pipe(
        Effect.andThen(Deferred.succeed(isInserted, undefined)),
        Effect.andThen(Deferred.await(mayEnd)),
        Effect.andThen(outcome)
      )
      const other = yield* Effect.forkChild(Effect.ignore(sql.withTransaction(elsewhere)))
      yield* Deferred.await(isInserted)
      const here = yield* Effect.forkChild(Effect.result(charging.record(caller, entry({ answerId }))))
      yield* Effect.sleep("50 millis")
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(other)
      return tally([yield* Fiber.join(here)])
    })
    const committed = (yield* find(caller, "committed")).answerId
    assert.deepStrictEqual(yield* recordedElsewhere(committed, Effect.void), { AlreadyRecorded: 1 })
    assert.deepStrictEqual(yield* accountOf(caller), { records: 2, charges: 1 })
    const lost = (yield* find(caller, "lost")).answerId
    assert.deepStrictEqual(yield* recordedElsewhere(lost, Effect.fail("lost" as const)), { ok: 1 })
    assert.deepStrictEqual(yield* accountOf(caller), { records: 3, charges: 2 })
  })

  it("that another process records with the last call of a month is answered from that record", function* () {
    const sql = yield* SqlClient.SqlClient
    const caller = yield* newCaller()
    yield* (yield* Charging).record(caller, entry())
    const call = yield* find(caller, "last of the month")
    const isLocked = yield* Deferred.make<void>()
    const mayEnd = yield* Deferred.make<void>()
    const elsewhere = Effect.gen(function* () {
      yield* sql`SELECT FROM api_key WHERE id = ${caller.keyId} FOR NO KEY UPDATE`
      yield* sql`UPDATE usage SET used = 100 WHERE key_id = ${caller.keyId}`
      yield* recordOf(call.answerId, caller)
      yield* Deferred.succeed(isLocked, undefined)
      yield* Deferred.await(mayEnd)
    })
    const other = yield* Effect.forkChild(sql.withTransaction(elsewhere))
    yield* Deferred.await(isLocked)
    const answers = yield* Answers
    const here = yield* Effect.forkChild(Effect.flip(answers.project(caller, "PublicApi", PROJECTION, call)))
    yield* Effect.sleep("50 millis")
    yield* Deferred.succeed(mayEnd, undefined)
    yield* Fiber.join(other)
    // That record is of other inputs, and not of a month that is used up.
    assert.strictEqual((yield* Fiber.join(here))._tag, "IdempotencyKeyReused")
    assert.deepStrictEqual(yield* accountOf(caller), { records: 2, charges: 100 })
  })

  it("in the last call of a month is charged, and the month is used up", function* () {
    const sql = yield* SqlClient.SqlClient
    const charging = yield* Charging
    const caller = yield* newCaller()
    yield* charging.charge(caller)
    yield* sql`UPDATE usage SET used = 99 WHERE key_id = ${caller.keyId}`
    const { answerId } = yield* find(caller, "last")
    const sent = yield* together(3, () => charging.record(caller, entry({ answerId })))
    assert.deepStrictEqual(tally(sent), { ok: 1, AlreadyRecorded: 2 })
    assert.strictEqual((yield* Effect.flip(charging.record(caller, entry())))._tag, "QuotaSpent")
  })
})

layer(services)("the answer of a call that is sent again in another month", (it) => {
  it.onTestClock("is that of its record's month", function* () {
    yield* TestClock.setTime(Date.UTC(2027, 0, 31, 23, 59, 59, 987))
    const answers = yield* Answers
    const caller = yield* newCaller()
    const first = yield* answers.project(caller, "PublicApi", PROJECTION, yield* find(caller, "k"))
    yield* TestClock.setTime(Date.UTC(2027, 2, 1))
    const call = yield* find(caller, "k")
    assert.isTrue(isRepeated(call))
    const again = yield* answers.project(caller, "McpServer", PROJECTION, call)
    assert.deepStrictEqual(again.bytes(), first.bytes())
    assert.strictEqual(again.value().provenance.computedAtUtc, "2027-01-31T23:59:59.987Z")
    assert.deepStrictEqual([first.usage?.used, again.usage], [1, null])
    const today = yield* answers.project(caller, "PublicApi", PROJECTION)
    assert.notStrictEqual(today.value().payoffOrForgivenessDate, again.value().payoffOrForgivenessDate)
    const ledger = yield* AnswerLedger
    const { rows } = yield* ledger.page({ tenant: caller.tenant, limit: 10 })
    assert.lengthOf(rows, 2)
  })
})

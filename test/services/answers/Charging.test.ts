/**
 * The monthly count: exact in any race, charged to one month only, and committed together with the
 * record.
 */
import { Clock, Deferred, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Keys } from "../../../src/services/accounts/Keys.ts"
import { AnswerLedger } from "../../../src/services/answers/AnswerLedger.ts"
import { Charging } from "../../../src/services/answers/Charging.ts"
import { assert, layer } from "../../support/effects.ts"
import { call, countOf, entry, mint, newCaller, tally, testServices, together } from "../../support/services.ts"

layer(testServices())("parallel calls", (it) => {
  it("pass exactly up to the limit, each with its record [F12]", function* () {
    const caller = yield* newCaller()
    const charging = yield* Charging
    const results = yield* together(200, () => charging.record(caller, entry()))
    assert.deepStrictEqual(tally(results), { ok: 100, QuotaSpent: 100 })
    assert.strictEqual(yield* countOf("answer", `key_id = '${caller.keyId}'`), 100)
    assert.strictEqual(yield* countOf("usage", `key_id = '${caller.keyId}' AND used = 100`), 1)
  })

  it("each get a distinct count", function* () {
    const caller = yield* newCaller()
    const charging = yield* Charging
    const seen = yield* Effect.all(
      Array.from({ length: 100 }, () => charging.charge(caller)),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(
      seen.map(({ used }) => used).sort((a, b) => a - b),
      Array.from({ length: 100 }, (_, index) => index + 1)
    )
  })

  it("share one count, with or without a record and across processes", function* () {
    const caller = yield* newCaller()
    // Each Charging has its own queues, like another process.
    const others = yield* Effect.all(
      Array.from({ length: 4 }, () => Effect.provide(Charging, Layer.fresh(Charging.layer)))
    )
    const results = yield* together(200, (index) =>
      index % 3 === 0 ? others[index % 4]!.charge(caller) : others[index % 4]!.record(caller, entry())
    )
    assert.strictEqual(tally(results)["ok"], 100)
    assert.strictEqual(yield* countOf("usage", `key_id = '${caller.keyId}' AND used = 100`), 1)
  })

  it("are refused beyond the limit, with the limit in the refusal", function* () {
    const caller = yield* newCaller()
    yield* together(100, () => Effect.flatMap(Charging, (charging) => charging.charge(caller)))
    const refused = yield* Effect.flip(Effect.flatMap(Charging, (charging) => charging.charge(caller)))
    assert.strictEqual(refused._tag, "QuotaSpent")
    if (refused._tag === "QuotaSpent") assert.deepInclude(refused.usage, { used: 100, limit: 100 })
  })

  it("of many keys share statements, and each passes or is refused independently", function* () {
    const sql = yield* SqlClient.SqlClient
    const charging = yield* Charging
    const callers = yield* Effect.forEach(Array.from({ length: 12 }), newCaller)
    const [spent, nearlySpent, revoked, ...others] = callers
    yield* Effect.forEach([spent!, nearlySpent!], (caller) => charging.charge(caller))
    yield* sql`UPDATE usage SET used = 100 WHERE key_id = ${spent!.keyId}`
    yield* sql`UPDATE usage SET used = 97 WHERE key_id = ${nearlySpent!.keyId}`
    yield* sql`UPDATE api_key SET revoked_at = now(), revoked_reason = 'operator' WHERE id = ${revoked!.keyId}`
    const results = yield* together(120, (index) => charging.record(callers[index % 12]!, entry()))
    const resultsOf = (caller: (typeof callers)[number]) =>
      tally(results.filter((_, index) => callers[index % 12] === caller))
    assert.deepStrictEqual(resultsOf(spent!), { QuotaSpent: 10 })
    assert.deepStrictEqual(resultsOf(nearlySpent!), { ok: 3, QuotaSpent: 7 })
    assert.deepStrictEqual(resultsOf(revoked!), { KeyRefused: 10 })
    for (const caller of others) {
      assert.deepStrictEqual(resultsOf(caller), { ok: 10 })
      assert.strictEqual(yield* countOf("answer", `key_id = '${caller.keyId}'`), 10)
      assert.strictEqual(yield* countOf("usage", `key_id = '${caller.keyId}' AND used = 10`), 1)
    }
    assert.strictEqual(yield* countOf("answer", `key_id = '${nearlySpent!.keyId}'`), 3)
  })

  it("wait for locked keys without delaying other keys", function* () {
    const sql = yield* SqlClient.SqlClient
    const charging = yield* Charging
    const free = yield* newCaller()
    const held = yield* Effect.forEach(Array.from({ length: 30 }), newCaller)
    const release = yield* Deferred.make<void>()
    const isHeld = yield* Deferred.make<void>()
    const holder = yield* sql
      .withTransaction(
        sql`UPDATE api_key SET email = email WHERE ${sql.in(
          "id",
          held.map(({ keyId }) => keyId)
        )}`.pipe(Effect.andThen(Deferred.succeed(isHeld, undefined)), Effect.andThen(Deferred.await(release)))
      )
      .pipe(Effect.forkChild)
    yield* Deferred.await(isHeld)
    const waiting = yield* Effect.forkChild(together(60, (index) => charging.record(held[index % 30]!, entry())))
    yield* Effect.sleep("50 millis")
    const passed = yield* together(50, () => charging.record(free, entry()))
    assert.deepStrictEqual(tally(passed), { ok: 50 })
    assert.strictEqual(yield* countOf("usage", `key_id = '${held[0]!.keyId}'`), 0)
    yield* Deferred.succeed(release, undefined)
    assert.deepStrictEqual(tally(yield* Fiber.join(waiting)), { ok: 60 })
    yield* Fiber.join(holder)
  })

  it("are not charged if their record fails", function* () {
    const caller = yield* newCaller()
    const charging = yield* Charging
    const first = entry()
    yield* charging.record(caller, first)
    const [again, other] = yield* Effect.all(
      [Effect.flip(charging.record(caller, first)), charging.record(yield* newCaller(), entry())],
      { concurrency: "unbounded" }
    )
    assert.strictEqual(again._tag, "LedgerUnavailable")
    assert.strictEqual(other.used, 1)
    assert.strictEqual(yield* countOf("usage", `key_id = '${caller.keyId}' AND used = 1`), 1)
  })

  it.onTestClock("of two months that are charged together each count for their own month [F10]", function* () {
    const keys = yield* Keys
    const charging = yield* Charging
    yield* TestClock.setTime(Date.UTC(2027, 0, 31, 23, 59, 59, 999))
    const { secret } = yield* mint()
    const january = yield* keys.authenticate(secret)
    yield* TestClock.adjust("1 millis")
    const february = yield* keys.authenticate(secret)
    const results = yield* together(12, (index) => charging.record(index % 2 === 0 ? january : february, entry()))
    assert.deepStrictEqual(tally(results), { ok: 12 })
    for (const month of ["2027-01-01", "2027-02-01"]) {
      assert.strictEqual(yield* countOf("usage", `key_id = '${january.keyId}' AND period = '${month}' AND used = 6`), 1)
    }
  })
})

layer(testServices({ SANDBOX_MONTHLY_CALLS: "0" }))("a limit of zero", (it) => {
  it("lets no call pass", function* () {
    assert.strictEqual((yield* Effect.flip(call((yield* mint()).secret)))._tag, "QuotaSpent")
  })
})

layer(testServices({ SANDBOX_MONTHLY_CALLS: "2" }))("the end of a month", (it) => {
  it.onTestClock("resets the count, and a call belongs to the month of its arrival [F10]", function* () {
    const keys = yield* Keys
    const charging = yield* Charging
    yield* TestClock.setTime(Date.UTC(2026, 10, 30, 23, 59, 59, 999))
    const { secret } = yield* mint()
    const before = yield* keys.authenticate(secret)
    assert.strictEqual(before.usage.periodResetsAt.toISOString(), "2026-12-01T00:00:00.000Z")
    assert.strictEqual(before.usage.periodResetsAt.getTime() - (yield* Clock.currentTimeMillis), 1)
    yield* TestClock.adjust("1 millis")

    const written = entry()
    const late = yield* charging.record(before, written)
    const row = Option.getOrThrow(yield* (yield* AnswerLedger).find(written.answerId))
    assert.strictEqual(row.recordedAtUtc.toISOString(), "2026-12-01T00:00:00.000Z")
    assert.strictEqual(late.periodStart.toISOString(), "2026-11-01T00:00:00.000Z")
    assert.strictEqual((yield* keys.authenticate(secret)).usage.used, 0)

    yield* call(secret)
    yield* call(secret)
    assert.strictEqual((yield* Effect.flip(call(secret)))._tag, "QuotaSpent")
    assert.strictEqual((yield* charging.record(before, entry())).used, 2)
  })

  it.onTestClock("leads from December to January [F10]", function* () {
    yield* TestClock.setTime(Date.UTC(2026, 11, 31, 12))
    const { usage } = yield* newCaller()
    assert.deepStrictEqual(
      [usage.periodStart.toISOString(), usage.periodResetsAt.toISOString()],
      ["2026-12-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"]
    )
  })
})

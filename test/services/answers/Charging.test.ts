/** The monthly count: exact under any race, charged to one month only, together with the record or not at all. */
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { AnswerLedger } from "../../../src/services/answers/AnswerLedger.ts"
import { Charging } from "../../../src/services/answers/Charging.ts"
import { Keys } from "../../../src/services/keys/Keys.ts"
import {
  call,
  countOf,
  entry,
  mint,
  newCaller,
  onTestClock,
  tally,
  testServices,
  together
} from "../../support/services.ts"

layer(testServices(), { excludeTestServices: true })("of parallel calls at the limit", (it) => {
  it.effect("exactly the remaining number pass, each with its record", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const charging = yield* Charging
      const results = yield* together(200, () => charging.record(caller, entry()))
      assert.deepStrictEqual(tally(results), { ok: 100, QuotaSpent: 100 })
      assert.strictEqual(yield* countOf("answer", `key_id = '${caller.keyId}'`), 100)
      assert.strictEqual(yield* countOf("usage", `key_id = '${caller.keyId}' AND used = 100`), 1)
    })
  )

  it.effect("each sees a count of its own", () =>
    Effect.gen(function* () {
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
  )

  it.effect("recorded and unrecorded ones share the count, from several processes too", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      // A Charging of its own queues on its own, as another process would.
      const others = yield* Effect.all(
        Array.from({ length: 4 }, () => Effect.provide(Charging, Layer.fresh(Charging.layer)))
      )
      const results = yield* together(200, (index) =>
        index % 3 === 0 ? others[index % 4]!.charge(caller) : others[index % 4]!.record(caller, entry())
      )
      assert.strictEqual(tally(results)["ok"], 100)
      assert.strictEqual(yield* countOf("usage", `key_id = '${caller.keyId}' AND used = 100`), 1)
    })
  )

  it.effect("a call that is refused says so with the limit", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      yield* together(100, () => Effect.flatMap(Charging, (charging) => charging.charge(caller)))
      const refused = yield* Effect.flip(Effect.flatMap(Charging, (charging) => charging.charge(caller)))
      assert.strictEqual(refused._tag, "QuotaSpent")
      if (refused._tag === "QuotaSpent") assert.deepInclude(refused.usage, { used: 100, limit: 100 })
    })
  )

  it.effect("a call whose record fails is not charged", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const charging = yield* Charging
      const first = entry()
      yield* charging.record(caller, first)
      assert.strictEqual((yield* Effect.flip(charging.record(caller, first)))._tag, "LedgerUnavailable")
      assert.strictEqual(yield* countOf("usage", `key_id = '${caller.keyId}' AND used = 1`), 1)
    })
  )

  it.effect("calls of both months that are charged together count each for its own", () =>
    Effect.gen(function* () {
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
        assert.strictEqual(
          yield* countOf("usage", `key_id = '${january.keyId}' AND period = '${month}' AND used = 6`),
          1
        )
      }
    }).pipe(onTestClock)
  )
})

layer(testServices({ SANDBOX_MONTHLY_CALLS: "0" }), { excludeTestServices: true })("a limit of none", (it) => {
  it.effect("lets no call pass", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(call((yield* mint()).secret)))._tag, "QuotaSpent")
    })
  )
})

layer(testServices({ SANDBOX_MONTHLY_CALLS: "2" }), { excludeTestServices: true })("at the end of the month", (it) => {
  it.effect("the count begins anew, and a call belongs to the month of its arrival", () =>
    Effect.gen(function* () {
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
    }).pipe(onTestClock)
  )

  it.effect("December gives way to January", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 11, 31, 12))
      const { usage } = yield* newCaller()
      assert.deepStrictEqual(
        [usage.periodStart.toISOString(), usage.periodResetsAt.toISOString()],
        ["2026-12-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"]
      )
    }).pipe(onTestClock)
  )
})

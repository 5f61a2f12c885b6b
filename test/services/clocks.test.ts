/**
 * Clocks that differ between processes or are set back: no quota is regained, and ids are unique.
 */
import { Clock, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { Keys } from "../../src/services/accounts/Keys.ts"
import { AnswerLedger } from "../../src/services/answers/AnswerLedger.ts"
import { newAnswerId } from "../../src/services/answers/Answers.ts"
import { Charging } from "../../src/services/answers/Charging.ts"
import { assert, layer } from "../support/effects.ts"
import { entry, mint, testServices } from "../support/services.ts"

const NEW_YEAR = Date.UTC(2027, 0, 1)

/** Makes a call on a process whose clock shows `millis`; returns its record id and its charge. */
const callAt = Effect.fnUntraced(function* (millis: number, secret: string) {
  yield* TestClock.setTime(millis)
  const caller = yield* (yield* Keys).authenticate(secret)
  const { periodResetsAt, periodStart } = caller.usage
  assert.isTrue(periodStart.getTime() <= millis && millis < periodResetsAt.getTime(), "the month of the call")
  const answerId = newAnswerId(new Date(yield* Clock.currentTimeMillis))
  const { used } = yield* (yield* Charging).record(caller, entry({ answerId }))
  return { answerId, month: periodStart.getUTCMonth() + 1, used }
})

layer(testServices({ SANDBOX_MONTHLY_CALLS: "3" }))("clocks [F11]", (it) => {
  it.onTestClock("that are set back by five seconds into the previous month continue its count", function* () {
    yield* TestClock.setTime(NEW_YEAR - 60_000)
    const { secret } = yield* mint()
    const charges = yield* Effect.forEach([-2000, 1000, -4000, 2000, -1], (off) => callAt(NEW_YEAR + off, secret))
    assert.deepStrictEqual(
      charges.map(({ month, used }) => [month, used]),
      [
        [12, 1],
        [1, 1],
        [12, 2],
        [1, 2],
        [12, 3]
      ]
    )
    assert.strictEqual((yield* Effect.flip(callAt(NEW_YEAR - 3000, secret)))._tag, "QuotaSpent")
    assert.strictEqual((yield* callAt(NEW_YEAR + 3000, secret)).used, 3)
  })

  it.onTestClock(
    "that differ by two seconds or stand still give each answer a unique id, and no answer is lost",
    function* () {
      yield* TestClock.setTime(NEW_YEAR + 60_000)
      const secrets = yield* Effect.forEach([1, 2, 3, 4], () => Effect.map(mint(), ({ secret }) => secret))
      const calls = secrets.flatMap((secret) => [2000, 0, 2000].map((skew) => callAt(NEW_YEAR + 60_000 + skew, secret)))
      const ids = (yield* Effect.all(calls)).map(({ answerId }) => answerId)
      assert.strictEqual(new Set(ids).size, ids.length)
      for (const id of ids) assert.isTrue(Option.isSome(yield* (yield* AnswerLedger).find(id)))
    }
  )
})

/**
 * Tests of transactions that the database rolls back: they are retried twice, then unavailable,
 * with one record at most.
 */
import { Effect, Exit, Option } from "effect"
import { afterAll, beforeAll } from "vitest"
import { Keys } from "../../src/services/accounts/Keys.ts"
import { AnswerLedger } from "../../src/services/answers/AnswerLedger.ts"
import { Charging } from "../../src/services/answers/Charging.ts"
import { accountOf, useDatabase } from "../support/database.ts"
import { assert, describe, it } from "../support/effects.ts"
import { Mortal } from "../support/mortal.ts"
import { entry, mint, servicesOn } from "../support/services.ts"

const database = useDatabase()
let mortal: Mortal

beforeAll(async () => {
  const { url } = database()
  await Effect.runPromise(Effect.provide(Effect.void, servicesOn(url)))
  mortal = await Mortal.begin({ url, send: () => Effect.void })
  // The first record of a kind runs the statement twice, so make one before the tests.
  await Effect.runPromise(mortal.run(Effect.flatMap(AnswerLedger, (ledger) => ledger.recordOwn([entry()]))))
})
afterAll(() => mortal.end())

/** A call whose charging statement fails `times` times; returns charges, records and retries. */
const charge = Effect.fnUntraced(function* (kind: "serialization" | "deadlock", times: number) {
  const { secret } = yield* mint()
  const caller = yield* (yield* Keys).authenticate(secret)
  const written = entry()
  mortal.faults.set({ kind, at: 2, times })
  const exit = yield* Effect.exit((yield* Charging).record(caller, written))
  const { hits } = mortal.faults
  mortal.faults.set(null)
  const found = yield* (yield* AnswerLedger).find(written.answerId)
  const account = yield* Effect.promise(() => accountOf(database(), secret))
  return { account, exit, hits, isFound: Option.isSome(found) }
})

describe.each(["serialization", "deadlock"] as const)("a charge that fails with a %s error [F9]", (kind) => {
  it("twice succeeds on the third attempt, once, under the id of its answer", function* () {
    const { account, exit, hits, isFound } = yield* mortal.run(charge(kind, 2))
    assert.deepStrictEqual([Exit.isSuccess(exit), hits, isFound], [true, 2, true])
    assert.deepStrictEqual(account, { rows: 1, used: 1 })
  })

  it("three times is unavailable and not charged", function* () {
    const { account, exit, hits, isFound } = yield* mortal.run(charge(kind, 3))
    assert.deepStrictEqual([Exit.isSuccess(exit), hits, isFound], [false, 3, false])
    assert.deepStrictEqual(account, { rows: 0, used: 0 })
  })
})

/** What the database undoes itself is done again twice, and told as unavailable the third time: one record, or none. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { afterAll, beforeAll } from "vitest"
import { Keys } from "../../src/services/accounts/Keys.ts"
import { AnswerLedger } from "../../src/services/answers/AnswerLedger.ts"
import { Charging } from "../../src/services/answers/Charging.ts"
import { accountOf, useDatabase } from "../support/database.ts"
import { Mortal } from "../support/mortal.ts"
import { entry, mint, servicesOn } from "../support/services.ts"

const database = useDatabase()
let mortal: Mortal

beforeAll(async () => {
  const { url } = database()
  await Effect.runPromise(Effect.provide(Effect.void, servicesOn(url)))
  mortal = await Mortal.begin({ url, send: () => Effect.void })
  // Of the first record of a kind the statement comes twice.
  await Effect.runPromise(mortal.run(Effect.flatMap(AnswerLedger, (ledger) => ledger.recordOwn(entry()))))
})
afterAll(() => mortal.end())

/** A call whose charging statement fails so often; with the record that it was to make. */
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

describe.each(["serialization", "deadlock"] as const)("a charge that ends in a failure of %s [F9]", (kind) => {
  it.live("twice is done the third time, once, under the id that the answer has", () =>
    Effect.gen(function* () {
      const { account, exit, hits, isFound } = yield* mortal.run(charge(kind, 2))
      assert.deepStrictEqual([Exit.isSuccess(exit), hits, isFound], [true, 2, true])
      assert.deepStrictEqual(account, { rows: 1, used: 1 })
    })
  )

  it.live("three times is unavailable, and charged to nobody", () =>
    Effect.gen(function* () {
      const { account, exit, hits, isFound } = yield* mortal.run(charge(kind, 3))
      assert.deepStrictEqual([Exit.isSuccess(exit), hits, isFound], [false, 3, false])
      assert.deepStrictEqual(account, { rows: 0, used: 0 })
    })
  )
})

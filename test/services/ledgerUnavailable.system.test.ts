/**
 * The production deadlines in real time: a call ends in time if the database is silent or has no
 * free connection.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Deadlines } from "../../src/database/deadline.ts"
import { assert, layer } from "../support/effects.ts"
import { call, mint, tally, together } from "../support/services.ts"
import { behindProxy, expectAllUnavailable, ways } from "../support/unavailable.ts"

layer(Layer.empty)("every operation", (it) => {
  it("fails within 2.5 s while the database is silent, and then works with no connection lost [F6]", function* () {
    const { context, proxy } = yield* behindProxy(yield* Deadlines)
    yield* Effect.gen(function* () {
      const { secret } = yield* mint()
      const operations = yield* ways(secret)
      for (let round = 0; round < 2; round++) {
        proxy.hold()
        yield* expectAllUnavailable(operations, 2500)
        proxy.release()
        yield* Effect.sleep("200 millis")
      }
      assert.deepStrictEqual(tally(yield* together(50, () => call(secret))), { ok: 50 })
    }).pipe(Effect.provideContext(context))
  })

  it("fails within 1.2 s while all connections are taken, and works as soon as one is free [F7]", function* () {
    const { context } = yield* behindProxy(yield* Deadlines)
    yield* Effect.gen(function* () {
      const { secret } = yield* mint()
      const operations = yield* ways(secret)
      const sql = yield* SqlClient.SqlClient
      yield* Effect.scoped(
        Effect.gen(function* () {
          for (let index = 0; index < 24; index++) yield* sql.reserve
          yield* expectAllUnavailable(operations, 1200)
        })
      )
      yield* call(secret)
    }).pipe(Effect.provideContext(context))
  })
})

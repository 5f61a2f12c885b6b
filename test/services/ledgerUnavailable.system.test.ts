/** The deadlines of the product, in real time: a call behind a silent or full database ends within its bound. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Deadlines } from "../../src/database/deadline.ts"
import { call, mint, tally, together } from "../support/services.ts"
import { behindProxy, expectAllUnavailable, ways } from "../support/unavailable.ts"

layer(Layer.empty, { excludeTestServices: true })("the database", (it) => {
  it.effect("silent: unavailable within 2.5 s, and usable again with no connection lost [F6]", () =>
    Effect.gen(function* () {
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
  )

  it.effect("with all connections taken: unavailable within 1.2 s, and usable the moment one is free [F7]", () =>
    Effect.gen(function* () {
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
  )
})

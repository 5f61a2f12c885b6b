/**
 * Commits that wait for an unreachable synchronous standby: none is confirmed, and none waits
 * forever.
 */
import { Effect, Exit, Logger, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { clientLayer } from "../../src/database/client.ts"
import { embeddedDatabase } from "../../src/database/embedded/embedded.ts"
import { ledgerCall } from "../../src/services/ledgerUnavailable.ts"
import { query } from "../support/database.ts"
import { assert, type Body, describe, it } from "../support/effects.ts"
import { useStarted } from "../support/runningService.ts"

const server = Effect.gen(function* () {
  const { socketPath } = yield* embeddedDatabase({})
  const execute = (statement: string) => query({ path: socketPath }, statement)
  yield* Effect.promise(async () => {
    await execute("CREATE TABLE kept (by text)")
    await execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    await execute("SELECT pg_reload_conf()")
  })
  return { socketPath, execute }
})

const started = useStarted(async () => {
  const scope = Scope.makeUnsafe()
  const found = await Effect.runPromise(Scope.provide(server, scope))
  return { ...found, stop: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
})

describe.concurrent.each(["session", "transaction"] as const)(
  "a commit that waits for a standby, with pooling by %s,",
  (pooling) => {
    const connected = (body: Body<SqlClient.SqlClient>) =>
      Effect.gen(body).pipe(
        Effect.provide(clientLayer({ socketPath: started().socketPath }, pooling)),
        Effect.provide(Logger.layer([]))
      )

    it("is not confirmed, and its caller gets LedgerUnavailable in time", function* () {
      yield* connected(function* () {
        const sql = yield* SqlClient.SqlClient
        const startedAt = performance.now()
        const failure = yield* Effect.flip(ledgerCall("charge")(sql`INSERT INTO kept VALUES ('a charge')`))
        assert.strictEqual(failure._tag, "LedgerUnavailable")
        assert.isBelow(performance.now() - startedAt, 4000)
      })
    })

    it("fails after ten seconds, and leaves a usable session", function* () {
      yield* connected(function* () {
        const sql = yield* SqlClient.SqlClient
        const startedAt = performance.now()
        const { reason } = yield* Effect.flip(sql.withTransaction(sql`INSERT INTO kept VALUES ('a transaction')`))
        assert.strictEqual(reason.message, "The database did not commit in time")
        const millis = performance.now() - startedAt
        assert.isTrue(millis > 9900 && millis < 15_000, `${millis}`)
        assert.lengthOf(yield* sql`SELECT 1`, 1)
      })
    })
  }
)

/** Of several hosts the one that takes writes is used, in their order, and all sessions follow when it is another. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Logger, Redacted, Schedule, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { clientLayer } from "../../src/database/client.ts"
import { embeddedDatabase } from "../../src/database/embedded/embedded.ts"
import { databaseObstacle } from "../../src/database/postgres.ts"
import { query } from "../support/database.ts"
import { useStarted } from "../support/runningService.ts"
import { dataFolder, overNetwork, standby } from "../support/standby.ts"

const servers = Effect.gen(function* () {
  const following = yield* overNetwork(yield* standby(yield* dataFolder))
  const { socketPath } = yield* embeddedDatabase({})
  const primary = yield* overNetwork(socketPath)
  yield* Effect.tryPromise(() => query(following, "SELECT 1")).pipe(
    Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 100 })
  )
  return { following, primary }
})

const started = useStarted(async () => {
  const scope = Scope.makeUnsafe()
  const both = await Effect.runPromise(Scope.provide(servers, scope))
  return { ...both, stop: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
})

const clientOf = (...hosts: ReadonlyArray<{ readonly host: string }>) =>
  clientLayer({
    url: Redacted.make(
      `postgres://postgres@${hosts.map(({ host }) => host).join(",")}/postgres?target_session_attrs=read-write`
    )
  })

/** Which server answers. */
const nameOfServer = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly name: string }>`SELECT system_identifier::text AS name FROM pg_control_system()`
)

/** More than there are sessions. */
const CALLERS = 100

const NOBODY = { host: "127.0.0.1:1" }

describe("of several hosts", () => {
  it.live("a standby is passed over, and one that cannot be reached", () =>
    Effect.gen(function* () {
      const { following, primary } = started()
      const obstacle = yield* Effect.provide(databaseObstacle, clientOf(NOBODY, following, primary))
      assert.strictEqual(obstacle, "the role of the database may not record answers")
    })
  )

  it.live("none that takes writes is told at the start, within the time that each may take", () =>
    Effect.gen(function* () {
      const begun = performance.now()
      const { message } = yield* Effect.flip(Effect.provide(databaseObstacle, clientOf(started().following, NOBODY)))
      assert.strictEqual(message, "The database cannot be used: None of the hosts takes writes")
      assert.isBelow(performance.now() - begun, 4000)
    })
  )

  it.live(
    "sessions leave the one that became read-only for the one that was promoted, also those that are waited for",
    () =>
      Effect.gen(function* () {
        const { following, primary } = started()
        const ends: Array<Exit.Exit<unknown, unknown>> = []
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const [before] = yield* nameOfServer
          const call = Effect.map(Effect.exit(sql`SELECT pg_sleep(0.02)`), (end) => ends.push(end))
          const callers = yield* Effect.forkChild(
            Effect.forEach(Array.from({ length: CALLERS }), () => Effect.forever(call), { concurrency: "unbounded" })
          )
          yield* Effect.promise(() => query(primary, "ALTER SYSTEM SET default_transaction_read_only = on"))
          yield* Effect.promise(() => query(primary, "SELECT pg_reload_conf()"))
          yield* databaseObstacle.pipe(
            Effect.filterOrFail((obstacle) => obstacle === "the database is read-only"),
            Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 100 })
          )
          yield* Effect.promise(() => query(following, "SELECT pg_promote()"))
          yield* nameOfServer.pipe(
            Effect.filterOrFail(([now]) => now!.name !== before!.name),
            Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 100 })
          )
          yield* sql`CREATE TABLE made_there ()`
          yield* Fiber.interrupt(callers)
        }).pipe(Effect.provide(clientOf(primary, following)), Effect.provide(Logger.layer([])))
        const made = yield* Effect.promise(() =>
          query(following, "SELECT FROM pg_tables WHERE tablename = 'made_there'")
        )
        assert.lengthOf(made, 1)
        assert.lengthOf(
          ends.filter((end) => Exit.hasInterrupts(end)),
          0,
          "of a session that is waited for nobody is told that he himself was interrupted"
        )
      })
  )
})

/**
 * A database address with several hosts: the first one that takes writes is used, and all sessions
 * follow a failover.
 */
import { Effect, Exit, Fiber, Logger, Redacted, Schedule, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { clientLayer } from "../../src/database/client.ts"
import { embeddedDatabase } from "../../src/database/embedded/embedded.ts"
import { databaseObstacle } from "../../src/database/postgres.ts"
import { query } from "../support/database.ts"
import { assert, describe, it } from "../support/effects.ts"
import { useStarted } from "../support/runningService.ts"
import { dataFolder, overNetwork, standby } from "../support/standby.ts"

const servers = Effect.gen(function* () {
  const replica = yield* overNetwork(yield* standby(yield* dataFolder))
  const { socketPath } = yield* embeddedDatabase({})
  const primary = yield* overNetwork(socketPath)
  yield* Effect.tryPromise(() => query(replica, "SELECT 1")).pipe(
    Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 100 })
  )
  return { replica, primary }
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

/** Identifies the server that answers. */
const connectedServer = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly name: string }>`SELECT system_identifier::text AS name FROM pg_control_system()`
)

/** More than the pool has sessions, so that some callers wait. */
const CALLERS = 100

const UNREACHABLE = { host: "127.0.0.1:1" }

describe("a database address with several hosts", () => {
  it("skips a standby and a host that cannot be reached", function* () {
    const { replica, primary } = started()
    const obstacle = yield* Effect.provide(databaseObstacle, clientOf(UNREACHABLE, replica, primary))
    assert.strictEqual(obstacle, "the role of the database may not record answers")
  })

  it("is refused within 4 seconds when none of them takes writes", function* () {
    const startedAt = performance.now()
    const { message } = yield* Effect.flip(Effect.provide(databaseObstacle, clientOf(started().replica, UNREACHABLE)))
    assert.strictEqual(message, "The database cannot be used: None of the hosts accepts writes")
    assert.isBelow(performance.now() - startedAt, 4000)
  })

  it("moves all sessions from a read-only host to the promoted one, and interrupts no caller", function* () {
    const { replica, primary } = started()
    const ends: Array<Exit.Exit<unknown, unknown>> = []
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [before] = yield* connectedServer
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
      yield* Effect.promise(() => query(replica, "SELECT pg_promote()"))
      yield* connectedServer.pipe(
        Effect.filterOrFail(([now]) => now!.name !== before!.name),
        Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 100 })
      )
      yield* sql`CREATE TABLE made_there ()`
      yield* Fiber.interrupt(callers)
    }).pipe(Effect.provide(clientOf(primary, replica)), Effect.provide(Logger.layer([])))
    const made = yield* Effect.promise(() => query(replica, "SELECT FROM pg_tables WHERE tablename = 'made_there'"))
    assert.lengthOf(made, 1)
    assert.lengthOf(
      ends.filter((end) => Exit.hasInterrupts(end)),
      0,
      "of a session that is waited for nobody is told that he himself was interrupted"
    )
  })
})

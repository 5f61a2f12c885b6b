/** The embedded server: kept between runs, restarted when killed, shared by two, taken over by the one that stays. */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schedule, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { embeddedDatabase } from "../../../src/database/embedded/embedded.ts"

const dataFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "repayment-data-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const ask = (socketPath: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly marks: number }>`SELECT count(*)::int AS marks FROM mark`
  ).pipe(
    Effect.provide(PgClient.layer({ path: socketPath, username: "postgres", database: "postgres" })),
    Effect.map(([row]) => row!.marks)
  )

const run = (socketPath: string, statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(
    Effect.provide(PgClient.layer({ path: socketPath, username: "postgres", database: "postgres" }))
  )

const askSoon = (socketPath: string) =>
  ask(socketPath).pipe(Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 100 }))

const postmaster = (dataDir: string) =>
  Number(readFileSync(join(dataDir, "postgres", "data", "postmaster.pid"), "utf8").split("\n")[0])

describe("the embedded database", () => {
  it.live("keeps what it was given, whoever of its users dies first", () =>
    Effect.gen(function* () {
      const dataDir = yield* dataFolder
      const [first, second] = [yield* Scope.make(), yield* Scope.make()]
      const { socketPath } = yield* Scope.provide(embeddedDatabase({ dataDir }), first)
      yield* run(socketPath, "CREATE TABLE mark AS SELECT 1 AS one")

      const guest = yield* Scope.provide(embeddedDatabase({ dataDir }), second)
      assert.strictEqual(guest.socketPath, socketPath)

      const killed = postmaster(dataDir)
      process.kill(killed, "SIGKILL")
      assert.strictEqual(yield* askSoon(socketPath), 1)
      assert.notStrictEqual(postmaster(dataDir), killed)

      yield* Scope.close(first, Exit.void)
      assert.strictEqual(yield* askSoon(socketPath), 1)
      yield* Scope.close(second, Exit.void)
      assert.strictEqual((yield* Effect.flip(ask(socketPath))).reason._tag, "ConnectionError")

      const again = yield* embeddedDatabase({ dataDir })
      assert.strictEqual(yield* ask(again.socketPath), 1)
      assert.strictEqual(statSync(join(dataDir, "postgres", "data")).mode & 0o077, 0)
    })
  )
})

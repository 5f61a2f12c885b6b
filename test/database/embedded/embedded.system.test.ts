/**
 * The embedded server: kept between runs, restarted when killed, shared by two, taken over by the one that stays, not
 * kept from its folder by a pid that others have now; and what is said when it cannot be made.
 */
import { spawn } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schedule, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { databaseAccount, databasePrograms } from "../../../src/database/embedded/binaries.ts"
import { openCluster } from "../../../src/database/embedded/cluster.ts"
import { embeddedDatabase } from "../../../src/database/embedded/embedded.ts"
import { isAlive } from "../../../src/database/embedded/serverState.ts"
import { CONTENTS, EARLIER_SCHEMA } from "../../support/earlierSchema.ts"
import { repay } from "../../support/repay.ts"
import { TEST_PEPPER, TEST_SERVER } from "../../support/settings.ts"

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

const pidFileOf = (dataDir: string) => join(dataDir, "postgres", "data", "postmaster.pid")

/** Makes a database and ends its server, as if it had been killed and `pid` had its pid now. */
const leftBehind = Effect.fnUntraced(function* (dataDir: string, pid: number) {
  const first = yield* Scope.make()
  const { socketPath } = yield* Scope.provide(embeddedDatabase({ dataDir }), first)
  yield* run(socketPath, "CREATE TABLE mark AS SELECT 1 AS one")
  const [, ...rest] = readFileSync(pidFileOf(dataDir), "utf8").split("\n")
  yield* Scope.close(first, Exit.void)
  writeFileSync(pidFileOf(dataDir), [pid, ...rest].join("\n"))
})

/** A process of the account of the database that is no database. */
const stranger = Effect.acquireRelease(
  Effect.sync(() => spawn("sleep", ["120"], { ...databaseAccount, stdio: "ignore" })),
  (child) => Effect.sync(() => child.kill("SIGKILL"))
)

describe("a pid file that was left behind [F66]", () => {
  it.live("does not keep the server from its folder when another program has the pid", () =>
    Effect.gen(function* () {
      const dataDir = yield* dataFolder
      yield* leftBehind(dataDir, (yield* stranger).pid!)
      const { socketPath } = yield* embeddedDatabase({ dataDir })
      assert.strictEqual(yield* ask(socketPath), 1)
    })
  )

  it.live("nor when the server of another folder has it", () =>
    Effect.gen(function* () {
      const [dataDir, otherDir] = [yield* dataFolder, yield* dataFolder]
      const other = yield* embeddedDatabase({ dataDir: otherDir })
      yield* leftBehind(dataDir, postmaster(otherDir))
      const { socketPath } = yield* embeddedDatabase({ dataDir })
      assert.strictEqual(yield* ask(socketPath), 1)
      assert.strictEqual((yield* Effect.flip(ask(other.socketPath)))._tag, "SqlError")
      assert.isTrue(isAlive(postmaster(otherDir)))
    })
  )

  it.live("is obeyed while the server of this folder runs, even when nothing answers on the socket", () =>
    Effect.gen(function* () {
      const dataDir = yield* dataFolder
      const { socketPath } = yield* embeddedDatabase({ dataDir })
      const running = postmaster(dataDir)
      rmSync(socketPath)
      const second = yield* Effect.scoped(embeddedDatabase({ dataDir })).pipe(Effect.timeoutOption("2 seconds"))
      assert.strictEqual(second._tag, "None")
      assert.strictEqual(postmaster(dataDir), running)
      assert.isTrue(isAlive(running))
    })
  )
})

describe("a database that cannot be made", () => {
  it.live("says why, in the words of initdb [F66]", () =>
    Effect.gen(function* () {
      const home = yield* dataFolder
      const { initdb } = yield* databasePrograms(home)
      // Files of at most 400 KiB: the first segment of the write-ahead log does not fit, as on a full disk.
      const cramped = join(home, "initdb")
      writeFileSync(cramped, `#!/bin/sh\ntrap '' XFSZ\nulimit -f 800\nexec ${initdb} "$@"\n`)
      for (const path of [home, cramped]) chmodSync(path, 0o755)
      const { message } = yield* Effect.flip(openCluster(join(home, "postgres"), cramped, false))
      assert.match(message, /^The embedded database cannot start: .*could not write to file .*: File too large$/)
    })
  )
})

describe("a data folder that an earlier version made", () => {
  it.live("is refused at the start in one line with what to do, and nothing in it changes", () =>
    Effect.gen(function* () {
      const dataDir = yield* dataFolder
      const { socketPath } = yield* embeddedDatabase({ dataDir })
      yield* run(socketPath, EARLIER_SCHEMA)
      const before = yield* run(socketPath, CONTENTS)
      const ended = yield* Effect.promise(() =>
        repay(["serve"], { env: { ...TEST_SERVER, SECRET_PEPPER: TEST_PEPPER, DATA_DIR: dataDir } })
      )
      assert.deepStrictEqual([ended.code, ended.stdout], [3, ""])
      assert.match(
        ended.stderr,
        /^The database cannot be used: it has the schema of an earlier version.*: an empty DATA_DIR\);.*\n$/
      )
      assert.deepStrictEqual(yield* run(socketPath, CONTENTS), before)
    })
  )
})

/**
 * The embedded server: it keeps its data between runs, restarts when killed, and serves two users
 * until the last one stops. A reused pid does not block it, and a failed creation is explained.
 */
import { execFile, spawn, spawnSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Schedule, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { databaseAccount, databasePrograms } from "../../../src/database/embedded/binaries.ts"
import { openCluster } from "../../../src/database/embedded/cluster.ts"
import { embeddedDatabase } from "../../../src/database/embedded/embedded.ts"
import { isAlive } from "../../../src/database/embedded/serverState.ts"
import { CONTENTS, EARLIER_SCHEMA } from "../../support/earlierSchema.ts"
import { assert, describe, it } from "../../support/effects.ts"
import { repay } from "../../support/repay.ts"
import { TEST_PEPPER, TEST_SERVER } from "../../support/settings.ts"
import { dataFolder } from "../../support/standby.ts"

const run = <Row extends object>(socketPath: string, statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Row>(statement)).pipe(
    Effect.provide(PgClient.layer({ path: socketPath, username: "postgres", database: "postgres" }))
  )

const countMarks = (socketPath: string) =>
  Effect.map(
    run<{ readonly marks: number }>(socketPath, "SELECT count(*)::int AS marks FROM mark"),
    ([row]) => row!.marks
  )

const countMarksWithRetry = (socketPath: string) =>
  countMarks(socketPath).pipe(Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 100 }))

const pidFileOf = (dataDir: string) => join(dataDir, "postgres", "data", "postmaster.pid")
const postmaster = (dataDir: string) => Number(readFileSync(pidFileOf(dataDir), "utf8").split("\n")[0])

/** Starts the server on a folder whose database has one mark, and expects to find it. */
const expectMark = Effect.fnUntraced(function* (dataDir: string) {
  const { socketPath } = yield* embeddedDatabase({ dataDir })
  assert.strictEqual(yield* countMarks(socketPath), 1)
})

describe("the embedded database", () => {
  it("keeps its data when its server is killed and when its users stop one after the other", function* () {
    const dataDir = yield* dataFolder
    const [first, second] = [yield* Scope.make(), yield* Scope.make()]
    const { socketPath } = yield* Scope.provide(embeddedDatabase({ dataDir }), first)
    yield* run(socketPath, "CREATE TABLE mark AS SELECT 1 AS one")

    const shared = yield* Scope.provide(embeddedDatabase({ dataDir }), second)
    assert.strictEqual(shared.socketPath, socketPath)

    const killed = postmaster(dataDir)
    process.kill(killed, "SIGKILL")
    assert.strictEqual(yield* countMarksWithRetry(socketPath), 1)
    assert.notStrictEqual(postmaster(dataDir), killed)

    yield* Scope.close(first, Exit.void)
    assert.strictEqual(yield* countMarksWithRetry(socketPath), 1)
    yield* Scope.close(second, Exit.void)
    assert.strictEqual((yield* Effect.flip(countMarks(socketPath))).reason._tag, "ConnectionError")

    yield* expectMark(dataDir)
    assert.strictEqual(statSync(join(dataDir, "postgres", "data")).mode & 0o077, 0)
  })
})

/** Creates a database and stops its server, but leaves a pid file with `pid`, as after a kill. */
const leaveStalePidFile = Effect.fnUntraced(function* (dataDir: string, pid: number) {
  const first = yield* Scope.make()
  const { socketPath } = yield* Scope.provide(embeddedDatabase({ dataDir }), first)
  yield* run(socketPath, "CREATE TABLE mark AS SELECT 1 AS one")
  const [, ...rest] = readFileSync(pidFileOf(dataDir), "utf8").split("\n")
  yield* Scope.close(first, Exit.void)
  writeFileSync(pidFileOf(dataDir), [pid, ...rest].join("\n"))
})

/** A process of the database's OS account that is no database. */
const otherProcess = Effect.acquireRelease(
  Effect.sync(() => spawn("sleep", ["120"], { ...databaseAccount, stdio: "ignore" })),
  (child) => Effect.sync(() => child.kill("SIGKILL"))
)

describe("the pid file of a data folder [F66]", () => {
  it("does not block the server when another program has the pid now", function* () {
    const dataDir = yield* dataFolder
    yield* leaveStalePidFile(dataDir, (yield* otherProcess).pid!)
    yield* expectMark(dataDir)
  })

  it("does not block the server when the server of another folder has the pid now", function* () {
    const [dataDir, otherDir] = [yield* dataFolder, yield* dataFolder]
    const other = yield* embeddedDatabase({ dataDir: otherDir })
    yield* leaveStalePidFile(dataDir, postmaster(otherDir))
    yield* expectMark(dataDir)
    assert.strictEqual((yield* Effect.flip(countMarks(other.socketPath)))._tag, "SqlError")
    assert.isTrue(isAlive(postmaster(otherDir)))
  })

  it("blocks a second server while the first runs, even when nothing answers on its socket", function* () {
    const dataDir = yield* dataFolder
    const { socketPath } = yield* embeddedDatabase({ dataDir })
    const running = postmaster(dataDir)
    rmSync(socketPath)
    const second = yield* Effect.scoped(embeddedDatabase({ dataDir })).pipe(Effect.timeoutOption("2 seconds"))
    assert.strictEqual(second._tag, "None")
    assert.strictEqual(postmaster(dataDir), running)
    assert.isTrue(isAlive(running))
  })
})

describe("lock files that a power cut emptied or filled with zeroes", () => {
  const CONTENTS_AFTER = [
    { what: "emptied", contents: "" },
    { what: "zeroes", contents: "\0".repeat(100) }
  ]
  const damage = (dataDir: string, contents: string) => {
    const folder = join(dataDir, "postgres", "data")
    for (const name of ["postmaster.pid", ".s.PGSQL.5432.lock"]) {
      writeFileSync(join(folder, name), contents)
      if (databaseAccount !== undefined) chownSync(join(folder, name), databaseAccount.uid, databaseAccount.gid)
    }
  }

  it.each(CONTENTS_AFTER)("do not block the server: $what", function* ({ contents }) {
    const dataDir = yield* dataFolder
    yield* leaveStalePidFile(dataDir, 1)
    damage(dataDir, contents)
    yield* expectMark(dataDir)
  })

  it.each([...CONTENTS_AFTER, { what: "cut short", contents: "1" }, { what: "missing", contents: null }])(
    "do not block the server when another program has the pid of the socket's lock: $what",
    function* ({ contents }) {
      const dataDir = yield* dataFolder
      yield* leaveStalePidFile(dataDir, 1)
      damage(dataDir, `${(yield* otherProcess).pid}\n`)
      if (contents === null) rmSync(pidFileOf(dataDir))
      else writeFileSync(pidFileOf(dataDir), contents)
      const { socketPath } = yield* embeddedDatabase({ dataDir })
      assert.strictEqual(yield* countMarks(socketPath), 1)
    }
  )

  it("do not block the server when two other programs have the pids of both", function* () {
    const dataDir = yield* dataFolder
    yield* leaveStalePidFile(dataDir, 1)
    damage(dataDir, `${(yield* otherProcess).pid}\n`)
    writeFileSync(pidFileOf(dataDir), `${(yield* otherProcess).pid}\n`)
    yield* expectMark(dataDir)
  })

  it("leave a running server's socket lock in place when nothing answers on its socket", function* () {
    const dataDir = yield* dataFolder
    const { socketPath } = yield* embeddedDatabase({ dataDir })
    const running = postmaster(dataDir)
    for (const path of [socketPath, pidFileOf(dataDir)]) rmSync(path)
    const { message } = yield* Effect.flip(Effect.scoped(embeddedDatabase({ dataDir })))
    assert.match(message, /pre-existing shared memory block/)
    assert.strictEqual(Number(readFileSync(`${socketPath}.lock`, "utf8").split("\n")[0]), running)
    assert.isTrue(isAlive(running))
  })

  it.each(CONTENTS_AFTER)(
    "block a second server while the first runs, with the remedy: $what",
    function* ({ contents }) {
      const dataDir = yield* dataFolder
      const { socketPath } = yield* embeddedDatabase({ dataDir })
      yield* run(socketPath, "CREATE TABLE mark AS SELECT 1 AS one")
      const running = postmaster(dataDir)
      damage(dataDir, contents)
      const { message } = yield* Effect.flip(Effect.scoped(embeddedDatabase({ dataDir })))
      assert.match(message, /^The embedded database cannot start: .*postmaster\.pid is damaged; end the service/)
      assert.isTrue(isAlive(running))
      // Nor does a second server start when the socket is away, too.
      rmSync(socketPath)
      const refused = yield* Effect.flip(Effect.scoped(embeddedDatabase({ dataDir })))
      assert.match(refused.message, /pre-existing shared memory block/)
      assert.isTrue(isAlive(running))
    }
  )
})

describe("a data folder", () => {
  it("may have every character in its name, whatever the account", function* () {
    const parent = yield* dataFolder
    const open = (folder: string) => {
      mkdirSync(folder)
      chmodSync(folder, 0o777)
    }
    chmodSync(parent, 0o755)
    const dataDir = join(parent, `-a,b "c" 'd'  \\e $HOME \`f\` %p ü€`)
    open(dataDir)
    // Under root the server would be started in the folder, without its name.
    const user = databaseAccount ?? {}
    const source = `import { Effect } from "effect"
      import { embeddedDatabase } from "./src/database/embedded/embedded.ts"
      const { socketPath } = await Effect.runPromise(Effect.scoped(embeddedDatabase({ dataDir: process.argv[1] })))
      process.stdout.write(socketPath)`
    const socketPath = yield* Effect.promise(
      () =>
        new Promise<string>((resolve, reject) => {
          const options = { ...user, env: { PATH: process.env["PATH"] } }
          execFile(process.execPath, ["--input-type=module", "-e", source, dataDir], options, (error, out) =>
            // The last line, after what a start logs.
            error === null ? resolve(out.split("\n").at(-1)!) : reject(error)
          )
        })
    )
    assert.strictEqual(socketPath, join(dataDir, "postgres", "data", ".s.PGSQL.5432"))
    const { socketPath: again } = yield* embeddedDatabase({ dataDir: join(dataDir, "a,b") })
    yield* run(again, "SELECT 1")
  })
})

describe("a database that was moved aside", () => {
  it("is kept, and the start refused with the remedy, until it is moved back or away", function* () {
    const dataDir = yield* dataFolder
    const home = join(dataDir, "postgres")
    const first = yield* Scope.make()
    const { socketPath } = yield* Scope.provide(embeddedDatabase({ dataDir }), first)
    yield* run(socketPath, "CREATE TABLE mark AS SELECT 1 AS one")
    yield* Scope.close(first, Exit.void)
    for (const name of ["data.20260128", "old"]) {
      renameSync(join(home, "data"), join(home, name))
      const { message } = yield* Effect.flip(Effect.scoped(embeddedDatabase({ dataDir })))
      assert.match(message, new RegExp(`^[^\n]* has no database, but ${name} beside it has one; rename that to data`))
      renameSync(join(home, name), join(home, "data"))
    }
    yield* expectMark(dataDir)
  })
})

describe("a database that cannot be created", () => {
  it("leaves a draft, which the next start removes, and nothing else", function* () {
    const dataDir = yield* dataFolder
    const home = join(dataDir, "postgres")
    const dead = spawnSync("true").pid
    const others = [`data.${dead}`, `draft.${dead}`, `draft.${process.ppid}.${crypto.randomUUID()}`]
    const draft = `draft.${dead}.${crypto.randomUUID()}`
    for (const name of [draft, ...others]) mkdirSync(join(home, name), { recursive: true })
    yield* embeddedDatabase({ dataDir })
    assert.deepStrictEqual(readdirSync(home).sort(), ["data", ...others].sort())
  })

  it("reports the error message of initdb [F66]", function* () {
    const home = yield* dataFolder
    const { initdb } = yield* databasePrograms(home)
    // Files are limited to 400 KiB: the first WAL segment does not fit, as on a full disk.
    const limitedInitdb = join(home, "initdb")
    writeFileSync(limitedInitdb, `#!/bin/sh\ntrap '' XFSZ\nulimit -f 800\nexec ${initdb} "$@"\n`)
    for (const path of [home, limitedInitdb]) chmodSync(path, 0o755)
    const { message } = yield* Effect.flip(openCluster(join(home, "postgres"), limitedInitdb, false))
    assert.match(message, /^The embedded database cannot start: .*could not write to file .*: File too large$/)
  })
})

describe("a data folder of an earlier version", () => {
  it("is refused at the start in one line with the remedy, and stays unchanged", function* () {
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
})

/** Where a run and its workers meet: a database that is there later, and one that an administrator has prepared. */
import { describe, expect, it } from "vitest"
import { linesOfBorrowers } from "../support/borrowers.ts"
import { query, useDatabase } from "../support/database.ts"
import { openDatabaseProxy } from "../support/databaseProxy.ts"
import { RUN, WORKER } from "../support/meetings.ts"
import { filesOf } from "../support/repay.ts"
import { start } from "../support/repayProcess.ts"
import { pause, until } from "../support/until.ts"

const database = useDatabase()
const { file, folder } = filesOf("meeting")

const spawned = (args: ReadonlyArray<string>, address: string) => {
  const child = start(args, { DATABASE_URL: address }, folder)
  let said = ""
  child.stderr.setEncoding("utf8").on("data", (more: string) => {
    said += more
  })
  child.stdout.resume()
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
  return { child, ended, said: () => said }
}

describe("a database that is away when a run and a worker start", () => {
  it("is waited for, and both say so", async () => {
    file("few.ndjson", linesOfBorrowers(3))
    const proxy = await openDatabaseProxy(database().address)
    proxy.cut()
    const worker = spawned(WORKER, proxy.url)
    const run = spawned([...RUN, "--out", "late.csv"], proxy.url)
    for (const { said } of [worker, run])
      await until(() => said().includes("Waits: the database does not answer. The database cannot be used:"), 60)
    await pause(5000)
    proxy.mend()
    expect(await run.ended).toBe(0)
    worker.child.kill("SIGTERM")
    expect(await worker.ended).toBe(0)
    proxy.close()
  }, 120_000)
})

describe("a schema that an administrator has made for an ordinary role", () => {
  it("is used by that role, also when its tables are there", async () => {
    file("few.ndjson", linesOfBorrowers(3))
    const other = `other_${crypto.randomUUID().replaceAll("-", "")}`
    const address = new URL(database().address)
    address.username = other
    address.password = other
    await query(database(), `CREATE ROLE ${other} LOGIN PASSWORD '${other}'`)
    await query(database(), "DROP SCHEMA IF EXISTS portfolio CASCADE")
    await query(database(), `CREATE SCHEMA portfolio AUTHORIZATION ${other}`)
    const worker = spawned(WORKER, address.href)
    for (const out of ["first.csv", "second.csv"])
      expect(await spawned([...RUN, "--out", out], address.href).ended).toBe(0)
    worker.child.kill("SIGTERM")
    expect(await worker.ended).toBe(0)
    await query(database(), "DROP SCHEMA portfolio CASCADE")
    await query(database(), `DROP ROLE ${other}`)
  }, 60_000)
})

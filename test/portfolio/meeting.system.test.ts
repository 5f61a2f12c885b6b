/** The database shared by a run and its workers: late, or prepared by an administrator. */
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

const startProcess = (args: ReadonlyArray<string>, address: string) => {
  const child = start(args, { DATABASE_URL: address }, folder)
  let output = ""
  child.stderr.setEncoding("utf8").on("data", (more: string) => {
    output += more
  })
  child.stdout.resume()
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
  return { child, ended, output: () => output }
}

describe("a run and a worker that start without a database", () => {
  it("wait for it and report that", async () => {
    file("few.ndjson", linesOfBorrowers(3))
    const proxy = await openDatabaseProxy(database().address)
    proxy.cut()
    const worker = startProcess(WORKER, proxy.url)
    const run = startProcess([...RUN, "--out", "late.csv"], proxy.url)
    for (const { output } of [worker, run])
      await until(() => output().includes("Waiting: the database does not answer. The database cannot be used:"), 60)
    await pause(5000)
    proxy.mend()
    expect(await run.ended).toBe(0)
    worker.child.kill("SIGTERM")
    expect(await worker.ended).toBe(0)
    proxy.close()
  }, 120_000)
})

describe("a schema that an administrator has created for an ordinary role", () => {
  it("is used by that role, with or without existing tables", async () => {
    file("few.ndjson", linesOfBorrowers(3))
    const other = `other_${crypto.randomUUID().replaceAll("-", "")}`
    const address = new URL(database().address)
    address.username = other
    address.password = other
    await query(database(), `CREATE ROLE ${other} LOGIN PASSWORD '${other}'`)
    await query(database(), "DROP SCHEMA IF EXISTS portfolio CASCADE")
    await query(database(), `CREATE SCHEMA portfolio AUTHORIZATION ${other}`)
    const worker = startProcess(WORKER, address.href)
    for (const out of ["first.csv", "second.csv"])
      expect(await startProcess([...RUN, "--out", out], address.href).ended).toBe(0)
    worker.child.kill("SIGTERM")
    expect(await worker.ended).toBe(0)
    await query(database(), "DROP SCHEMA portfolio CASCADE")
    await query(database(), `DROP ROLE ${other}`)
  }, 60_000)
})

/** The database shared by a run and its workers: late, or prepared by an administrator. */
import { describe, expect, it } from "vitest"
import { linesOfBorrowers } from "../support/borrowers.ts"
import { query, useDatabase } from "../support/database.ts"
import { openDatabaseProxy } from "../support/databaseProxy.ts"
import { RUN, WORKER } from "../support/meetings.ts"
import { filesOf } from "../support/repay.ts"
import { pause, until } from "../support/until.ts"
import { startProcess } from "./processes.ts"

const database = useDatabase()
const { file, folder } = filesOf("meeting")

const startAt = (address: string, [, ...args]: ReadonlyArray<string>) =>
  startProcess(args, { DATABASE_URL: address }, folder)

describe("a run and a worker that start without a database", () => {
  it("wait for it and report that", async () => {
    file("few.ndjson", linesOfBorrowers(3))
    const proxy = await openDatabaseProxy(database().address)
    proxy.cut()
    const worker = startAt(proxy.url, WORKER)
    const run = startAt(proxy.url, [...RUN, "--out", "late.csv"])
    for (const { output } of [worker, run])
      await until(() => output().includes("Waiting: the database does not answer. The database cannot be used:"), 60)
    await pause(5000)
    proxy.mend()
    expect(await run.ended).toBe(0)
    worker.child.kill("SIGTERM")
    expect(await worker.ended).toBe(0)
    proxy.close()
  })
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
    const worker = startAt(address.href, WORKER)
    for (const out of ["first.csv", "second.csv"])
      expect(await startAt(address.href, [...RUN, "--out", out]).ended).toBe(0)
    worker.child.kill("SIGTERM")
    expect(await worker.ended).toBe(0)
    await query(database(), "DROP SCHEMA portfolio CASCADE")
    await query(database(), `DROP ROLE ${other}`)
  })
})

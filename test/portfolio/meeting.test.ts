/** Where a run and its workers meet: a database that is there later, and one in which others own what they would use. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { packResult, packTask, unpackResult, unpackTask } from "../../src/portfolio/cluster/chunkEntity.ts"
import { linesOfBorrowers } from "../support/borrowers.ts"
import { query, useDatabase } from "../support/database.ts"
import { openDatabaseProxy } from "../support/databaseProxy.ts"
import { filesOf, repay, start } from "../support/repay.ts"
import { pause, until } from "../support/until.ts"

const database = useDatabase()
const { file, folder } = filesOf("meeting")

const WORKER = ["portfolio", "worker", "--threads", "1"]
const RUN = ["portfolio", "run", "few.ndjson", "--plans", "standard", "--start", "2027-01", "--cluster"]

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

describe("a schema in which something belongs to another role", () => {
  it.each([
    ["ALTER SCHEMA portfolio OWNER TO", "the schema portfolio"],
    ["ALTER TABLE portfolio.cluster_messages OWNER TO", "the table cluster_messages"]
  ])(
    "takes no borrower's data: %s",
    async (give, what) => {
      file("few.ndjson", linesOfBorrowers(3))
      const other = `other_${crypto.randomUUID().replaceAll("-", "")}`
      await query(database(), `CREATE ROLE ${other}`)
      await query(database(), "CREATE SCHEMA IF NOT EXISTS portfolio")
      await query(database(), "CREATE TABLE IF NOT EXISTS portfolio.cluster_messages ()")
      await query(database(), `${give} ${other}`)
      const env = { DATABASE_URL: database().address }
      const run = await repay([...RUN, "--out", `${other}.csv`], { folder, env })
      const computing = await repay(WORKER, { folder, env })
      expect([run.code, computing.code]).toEqual([2, 3])
      for (const { stderr } of [run, computing]) expect(stderr).toContain(`${what} belongs to the role ${other}`)
      await query(database(), `REASSIGN OWNED BY ${other} TO CURRENT_USER`)
      await query(database(), `DROP ROLE ${other}`)
    },
    60_000
  )
})

describe("a result", () => {
  it("is taken for what was sent and for nothing else", async () => {
    const portfolio = { baseline: "STANDARD", format: "csv", ignore: [], recordAt: null, plans: ["STANDARD"] } as const
    const of = (lines: string) => ({
      portfolio: { ...portfolio, start: { year: 2027, month: 1 } },
      chunk: { index: 0, file: "few.ndjson", firstRow: 1, lines, isTable: false, repeated: new Set<bigint>() }
    })
    const { one, other } = await Effect.runPromise(
      Effect.all({ one: packTask(of(linesOfBorrowers(1))), other: packTask(of(linesOfBorrowers(2))) })
    )
    const { key } = await Effect.runPromise(unpackTask(one.task))
    expect(key).toBe(one.key)
    const result = { rows: "", rejected: "", summary: { rows: 0 } as never, ids: new BigUint64Array([7n]) }
    const packed = await Effect.runPromise(packResult(key, result))
    expect(await Effect.runPromise(unpackResult(one.key, packed))).toEqual(result)
    await expect(Effect.runPromise(unpackResult(other.key, packed))).rejects.toThrow("is not of what was sent")
  })
})

/**
 * Portfolios on several machines: runs and workers as processes that share only a database.
 * Whichever process dies at any time, the results equal those of a single undisturbed process.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Fiber } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import type { PlanType } from "../../../schema/scenario.ts"
import { workersElsewhere } from "../../../src/portfolio/compute/cluster/sender.ts"
import { portfolioWorker } from "../../../src/portfolio/compute/cluster/worker.ts"
import { releaseHere } from "../../../src/portfolio/compute/release.ts"
import { times } from "../../fault/scale.ts"
import { linesOfBorrowers } from "../../support/borrowers.ts"
import { query, useDatabase } from "../../support/database.ts"
import { openDatabaseProxy } from "../../support/databaseProxy.ts"
import { filesOf, linesOf, repay } from "../../support/repay.ts"
import { pause, until } from "../../support/until.ts"
import { startProcess } from "../processes.ts"

const database = useDatabase()
const { file, folder } = filesOf("cluster")

const text = (name: string): string => readFileSync(join(folder, name), "utf8")

const worker = (address = database().address) =>
  startProcess(["worker", "--threads", "1"], { DATABASE_URL: address }, folder)

const INPUT = "many.ndjson"
const PLANS = ["--plans", "standard,RAP", "--start", "2027-01"]

const run = (out: string, address = database().address) =>
  startProcess(["run", INPUT, ...PLANS, "--out", out, "--cluster"], { DATABASE_URL: address }, folder)

const [MESSAGES, REPLIES] = ["portfolio.cluster_messages", "portfolio.cluster_replies"]
const rowsOf = async (table: string, where = "true"): Promise<number> => {
  const [found] = await query<{ readonly rows: number }>(
    database(),
    `SELECT count(*)::int AS rows FROM ${table} WHERE ${where}`
  )
  return found!.rows
}

const expectSameAsAlone = (out: string) => {
  expect(text(`${out}.csv`) === text("whole.csv")).toBe(true)
  expect(text(`${out}.csv.rejected.ndjson`)).toBe(text("whole.csv.rejected.ndjson"))
  expect(JSON.parse(text(`${out}.csv.summary.json`)).summary).toEqual(
    JSON.parse(text("whole.csv.summary.json")).summary
  )
}

const expectTablesEmpty = async () => expect([await rowsOf(MESSAGES), await rowsOf(REPLIES)]).toEqual([0, 0])

/** Several chunks of borrowers: some unreadable, and one id in both the first and last chunk. */
beforeAll(async () => {
  const lines = linesOf(linesOfBorrowers(times(4200), 20)).map((line, index) => (index % 500 === 3 ? "{" : line))
  file(INPUT, lines.concat(lines[7]!).join("\n"))
  const { code } = await repay(["portfolio", "run", INPUT, ...PLANS, "--out", "whole.csv"], { folder })
  expect(code).toBe(0)
})

describe("a run without workers", () => {
  it("waits and reports that; killed, it leaves messages that no later run uses", async () => {
    const other = Effect.runFork(
      portfolioWorker({ url: database().url, release: "rl0-another/0.1.0", threads: 1, say: () => Effect.void })
    )
    const killed = run("again.csv")
    await until(() => killed.output().includes("rl0-another"), 60)
    expect(killed.output()).toContain(
      `Waiting: no worker of release ${await Effect.runPromise(releaseHere)} is running`
    )
    await until(async () => (await rowsOf(MESSAGES)) > 3, 60)
    killed.child.kill("SIGKILL")
    await killed.ended
    const sent = await rowsOf(MESSAGES)
    expect([await rowsOf(MESSAGES, "last_read IS NOT NULL"), await rowsOf(REPLIES)]).toEqual([0, 0])
    await Effect.runPromise(Fiber.interrupt(other))

    // The duplicate id is found at the end: its two chunks are computed again without it.
    const [again, one] = [run("again.csv"), worker()]
    expect(await again.ended).toBe(0)
    one.child.kill("SIGTERM")
    expect(await one.ended).toBe(0)
    expect(await rowsOf("portfolio.cluster_runners")).toBe(0)
    expectSameAsAlone("again")
    expect(await rowsOf(MESSAGES)).toBe(sent)
    await query(database(), `TRUNCATE ${MESSAGES}, ${REPLIES}`)
  })
})

describe("a chunk that no worker can compute", () => {
  it("ends the run with the reason and is deleted", async () => {
    const request = { url: database().url, release: "rl0-broken/0.1.0", threads: 1, say: () => Effect.void }
    const other = Effect.runFork(portfolioWorker(request))
    const portfolio = {
      baseline: "STANDARD",
      format: "csv",
      ignore: [],
      carry: [],
      recordAt: null,
      start: { year: 2027, month: 1 }
    } as const
    const chunk = {
      index: 0,
      file: INPUT,
      firstRow: 1,
      isTable: false,
      lines: new TextEncoder().encode(linesOfBorrowers(1)),
      duplicateIds: new Set<bigint>()
    }
    const computed = Effect.flatMap(
      workersElsewhere(request)({ ...portfolio, plans: ["NO PLAN" as PlanType] }),
      ({ compute }) => compute(chunk)
    )
    const problem = await Effect.runPromise(Effect.flip(Effect.scoped(computed)))
    expect(problem.lines.join(" ")).toMatch(/^A worker could not compute a chunk: .*A thread that computes has ended/)
    await Effect.runPromise(Fiber.interrupt(other))
    await expectTablesEmpty()
  })
})

const KILLS = times(3)

/**
 * A database trigger that blocks the storing of results beyond a number, so that the work lasts as
 * long as the test needs. The server drops the session of a worker killed while blocked.
 */
const gate = async () => {
  const { pathname } = new URL(database().address)
  await query(database(), `ALTER DATABASE ${pathname.slice(1)} SET client_connection_check_interval = 100`)
  await query(database(), "CREATE TABLE let_pass AS SELECT 0 AS results")
  await query(database(), "CREATE SEQUENCE come")
  await query(
    database(),
    `CREATE FUNCTION stand() RETURNS trigger LANGUAGE plpgsql AS $$
     DECLARE mine bigint := nextval('public.come');
     BEGIN
       WHILE mine > (SELECT results FROM public.let_pass) LOOP PERFORM pg_sleep(0.01); END LOOP;
       RETURN NEW;
     END $$`
  )
  await query(database(), `CREATE TRIGGER gate BEFORE INSERT ON ${REPLIES} FOR EACH ROW EXECUTE FUNCTION stand()`)
  const come = async () => {
    const [found] = await query<{ readonly come: number }>(
      database(),
      "SELECT CASE WHEN is_called THEN last_value ELSE 0 END::int AS come FROM come"
    )
    return found!.come
  }
  let passed = 0
  const allow = (results: number) => query(database(), `UPDATE let_pass SET results = ${results}`)
  return {
    /** Lets one more result pass, and waits until the next one is blocked. */
    allowOne: async () => {
      await allow(++passed)
      await until(async () => (await come()) > passed, 60)
    },
    open: () => allow(1_000_000)
  }
}

describe("killed workers", () => {
  it("leave their chunks to others, and every row is written once", async () => {
    const slow = run("killed.csv")
    await until(() => slow.output().includes("Waiting: no worker"), 60)
    const { allowOne, open } = await gate()
    const workers = [worker(), worker(), worker()]
    let isOver = false
    void slow.ended.then(() => {
      isOver = true
    })
    let kills = 0
    while (!isOver && kills < KILLS) {
      await allowOne()
      const [first] = workers
      await until(() => isOver || /^[23] workers/.test(slow.output().split("Computing: ").at(-1)!), 60)
      workers.shift()!.child.kill("SIGKILL")
      await first!.ended
      workers.push(worker())
      kills++
    }
    expect(kills).toBeGreaterThan(1)
    await open()
    expect(await slow.ended).toBe(0)
    for (const { child } of workers) child.kill("SIGTERM")
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0, 0])
    expectSameAsAlone("killed")
    await expectTablesEmpty()
  })
})

describe("a database outage of some seconds", () => {
  it("costs only time", async () => {
    const proxy = await openDatabaseProxy(database().address)
    const workers = [worker(proxy.url), worker(proxy.url)]
    const cut = run("cut.csv", proxy.url)
    await until(async () => (await rowsOf(REPLIES)) > 0, 60)
    proxy.cut()
    await pause(4000)
    proxy.mend()
    expect(await cut.ended).toBe(0)
    expect(cut.output()).toContain("Waiting: the database does not answer.")
    for (const { child } of workers) child.kill("SIGTERM")
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0])
    proxy.close()
    expectSameAsAlone("cut")
    await expectTablesEmpty()
  })
})

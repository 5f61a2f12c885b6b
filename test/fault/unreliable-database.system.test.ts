/**
 * System tests of a database that is slow, hangs at the worst moment, or is unreachable, as seen by
 * clients of a service process. There is no answer and no charge without a record, and no caller
 * gets another's reply.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { expectProblem } from "../support/answers.ts"
import { accountOf, query, useDatabase, wayTo } from "../support/database.ts"
import { type DatabaseProxy, openDatabaseProxy, type Trap } from "../support/databaseProxy.ts"
import { ranMillis } from "../support/procfs.ts"
import { calculator, comparison } from "../support/requests.ts"
import { type ServiceProcess, searchedLogs, startServiceProcess } from "../support/serviceProcess.ts"
import { pause, until } from "../support/until.ts"
import { marked, unverified } from "./load.ts"
import { AGAIN, LOADED_MACHINE_MILLIS, report, SHARED_CACHES } from "./scale.ts"

const ANSWER_MILLIS = 2500 + LOADED_MACHINE_MILLIS
const database = useDatabase()
let proxy: DatabaseProxy
let node: ServiceProcess

beforeAll(async () => {
  proxy = await openDatabaseProxy(wayTo(database().address))
  node = await startServiceProcess({ DATABASE_URL: proxy.url, SANDBOX_MONTHLY_CALLS: "10000", LOG_LEVEL: "debug" })
})
afterAll(async () => {
  await node.kill("SIGTERM")
  proxy.close()
})

const project = async (key: string) => node.call("POST", "/v1/projection", { json: marked, key })
const answerIdOf = async (response: Response) =>
  ((await response.json()) as { provenance: { answerId: string } }).provenance.answerId

/** Number of the service's connections, as the server counts them. */
const connections = async () => {
  const [row] = await query<{ n: number }>(
    database(),
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'repayment-of-record'`
  )
  return row!.n
}

/** A projection whose statement hits the trap; returns its response and duration. */
const intoTrap = async (key: string, trap: Trap) => {
  const sprung = proxy.trap("POST /v1/projection", trap)
  const begun = performance.now()
  const response = await project(key)
  const millis = performance.now() - begun
  await sprung
  return { response, millis }
}

describe("a projection", () => {
  it.each([
    ["is withheld and not charged if its record never reaches the database [F5]", "lose-statement", 0],
    ["is withheld, and charged once per record, if its commit is never confirmed [F5]", "lose-reply", 1],
    ["is withheld, and charged once per record, if its commit is confirmed too late [F5]", "delay-reply", 1]
  ] as const)("%s", AGAIN, async (_, trap, recorded) => {
    const key = await node.mint()
    const before = await answerIdOf(await project(key))
    const { millis, response } = await intoTrap(key, trap)
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0)
    await expectProblem(response, 503, "ledger-unavailable")
    expect(millis).toBeLessThan(ANSWER_MILLIS)
    expect(await accountOf(database(), key)).toEqual({ rows: 1 + recorded, used: 1 + recorded })
    const retried = await project(key)
    expect(retried.status).toBe(200)
    expect(await unverified(node, [before, await answerIdOf(retried)])).toEqual([])
    expect(await accountOf(database(), key)).toEqual({ rows: 2 + recorded, used: 2 + recorded })
  })

  it("never gets the reply to another call [F5]", AGAIN, async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, async () => node.mint()))
    const sprung = proxy.trap("POST /v1/projection", "delay-reply")
    const trapped = project(keys[0]!)
    // Wait, because a call at the same moment would share the statement and lose its reply too.
    await sprung
    const tenants = new Map<string, string>()
    for (let round = 0; round < 12; round++) {
      const replies = keys.slice(1).map(async (key) => {
        const me = (await (await node.call("GET", "/v1/me", { key })).json()) as { keyPrefix: string; tenant: string }
        expect(me.keyPrefix).toBe(key.slice(0, 14))
        expect(tenants.get(key) ?? me.tenant).toBe(me.tenant)
        tenants.set(key, me.tenant)
      })
      await Promise.all(replies)
      await pause(300)
    }
    await trapped
    expect(new Set(tenants.values()).size).toBe(7)
  })
})

describe("a mint", () => {
  it("whose commit is never confirmed returns no key, and the next one works [F5]", AGAIN, async () => {
    const json = { email: `${crypto.randomUUID()}@example.org` }
    const sprung = proxy.trap("COMMIT", "lose-reply")
    const lost = await node.call("POST", "/v1/keys/sandbox", { json })
    await sprung
    expect(JSON.stringify(await expectProblem(lost, 503, "ledger-unavailable"))).not.toContain("slr_")
    const { apiKey: key } = (await (await node.call("POST", "/v1/keys/sandbox", { json })).json()) as { apiKey: string }
    expect((await project(key)).status).toBe(200)
  })
})

describe("while every reply of the database takes five seconds", () => {
  it("calculations are withheld in time, /health stays fast, and no connection is lost [F6]", async () => {
    const key = await node.mint()
    await project(key)
    proxy.slow(5000)
    const waiting = Array.from({ length: 40 }, async () => {
      const begun = performance.now()
      await expectProblem(await project(key), 503, "ledger-unavailable")
      return performance.now() - begun
    })
    const health: Array<number> = []
    const ran: Array<number> = []
    while (health.length < 60) {
      const [begun, ranBefore] = [performance.now(), ranMillis(node.pid)]
      expect((await node.call("GET", "/health")).status).toBe(200)
      health.push(performance.now() - begun)
      ran.push(ranMillis(node.pid) - ranBefore)
      await pause(20)
    }
    const slowest = Math.max(...(await Promise.all(waiting)))
    proxy.slow(0)
    health.sort((first, second) => first - second)
    report(`slow database: withheld within ${Math.round(slowest)} ms, /health ${Math.round(health.at(-2)!)} ms`)
    expect(slowest).toBeLessThan(ANSWER_MILLIS)
    expect(ran.toSorted((first, second) => first - second).at(-2)).toBeLessThan(50 * SHARED_CACHES)
    expect(health.at(-2)).toBeLessThan(50 + LOADED_MACHINE_MILLIS)
    await until(async () => (await project(key)).status === 200)
    const answers = await Promise.all(Array.from({ length: 50 }, async () => project(key)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(await connections()).toBeLessThanOrEqual(24)
    const { rows, used } = await accountOf(database(), key)
    expect(rows).toBe(used)
    expect(rows).toBeGreaterThan(50)
  })
})

describe("while the database is unreachable", () => {
  it(
    "calls that need it get 503, all others are answered, and the service recovers by itself [F3]",
    AGAIN,
    async () => {
      const key = await node.mint()
      const id = await answerIdOf(await project(key))
      proxy.cut()
      for (const [method, path, json] of [
        ["POST", "/v1/projection", marked],
        ["POST", "/v1/comparison", comparison],
        ["GET", "/v1/me", undefined],
        ["GET", `/v1/verify/${id}`, undefined],
        ["GET", "/v1/reference", undefined]
      ] as const) {
        const response = await node.call(method, path, { json, key })
        expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0)
        const problem = await expectProblem(response, 503, "ledger-unavailable")
        expect(Object.keys(problem)).not.toContain("projections")
      }
      for (const path of ["/health", "/v1/rules"]) expect((await node.call("GET", path)).status).toBe(200)
      expect((await node.call("POST", "/v1/calculators/loan", { json: calculator })).status).toBe(200)
      proxy.mend()
      expect((await project(key)).status).toBe(200)
      expect(await unverified(node, [id])).toEqual([])
    }
  )
})

describe("the logs", () => {
  it("contain no key, email address or dollar amount [F50]", () => {
    const { characters, leaked } = searchedLogs()
    expect(characters).toBeGreaterThan(1000)
    expect(leaked).toEqual([])
  })
})

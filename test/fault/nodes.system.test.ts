/**
 * System tests of two service processes on one database: they start together and share an exact
 * monthly quota. One may stop, run out of connections, or lose its clients without harm to charges
 * and records.
 */
import { connect } from "node:net"
import { afterAll, describe, expect, it } from "vitest"
import { expectProblem } from "../support/answers.ts"
import {
  accountOf,
  freshDatabase,
  holdRecords,
  holdTransaction,
  MIGRATION_IDS,
  query,
  sessionsWaiting,
  useDatabase
} from "../support/database.ts"
import { type ServiceProcess, searchedLogs, spawnService, startServiceProcess } from "../support/serviceProcess.ts"
import { until } from "../support/until.ts"
import { marked, unverified } from "./load.ts"
import { AGAIN, LOADED_MACHINE_MILLIS } from "./scale.ts"

const MONTH = 100
const database = useDatabase(freshDatabase)
let first: ServiceProcess
let second: ServiceProcess

const settings = () => ({ DATABASE_URL: database().address, SANDBOX_MONTHLY_CALLS: String(MONTH) })

const waiting = () => sessionsWaiting(database())

/** Blocks a migration halfway: another session's open transaction creates one of its tables. */
const obstructMigration = () => holdTransaction(database(), "CREATE TABLE usage (obstacle int)")

afterAll(() => Promise.all([first, second].map((node) => node.kill("SIGKILL"))))

describe("a start", () => {
  it("killed during the migration leaves nothing behind, and two simultaneous starts then migrate [F24]", async () => {
    const obstacle = await obstructMigration()
    const killed = spawnService(settings())
    await until(async () => (await waiting()) > 0)
    await killed.kill("SIGKILL")
    const both = Promise.all([startServiceProcess(settings()), startServiceProcess(settings())])
    await until(async () => (await waiting()) > 0)
    await obstacle.release()
    ;[first, second] = (await both) as [ServiceProcess, ServiceProcess]
    const migrations = await query<{ migration_id: number }>(
      database(),
      "SELECT migration_id FROM schema_migration ORDER BY migration_id"
    )
    expect(migrations.map((row) => row.migration_id)).toEqual(MIGRATION_IDS)
  })
})

describe(`${2 * MONTH} parallel calls on a monthly quota of ${MONTH}`, () => {
  it("pass exactly as often as the quota allows, over two nodes, REST and tools [F12]", AGAIN, async () => {
    const key = await first.mint()
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "run_projection", arguments: marked } }
    const accept = { accept: "application/json" }
    const callOnce = async (index: number): Promise<{ status: number; text: string }> => {
      const node = index % 2 === 0 ? first : second
      const path = index % 4 < 2 ? "/mcp" : "/v1/projection"
      const response = await node.call("POST", path, { key, json: path === "/mcp" ? call : marked, headers: accept })
      return { status: response.status, text: await response.text() }
    }
    const responses = await Promise.all(Array.from({ length: 2 * MONTH }, async (_, index) => callOnce(index)))
    const passed = responses.filter(({ status }) => status === 200)
    expect(passed).toHaveLength(MONTH)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(MONTH)
    expect(await accountOf(database(), key)).toEqual({ rows: MONTH, used: MONTH })
    const ids = passed.map(({ text }) => /"answerId\\?":\\?"([0-9a-f-]{36})/.exec(text)![1]!)
    expect(new Set(ids).size).toBe(MONTH)
    expect(await unverified(second, ids)).toEqual([])
  })
})

describe("200 simultaneous calls with 40 keys", () => {
  it("are all answered", AGAIN, async () => {
    const keys = await Promise.all(Array.from({ length: 40 }, async () => first.mint()))
    const calls = Array.from({ length: 200 }, async (_, index) =>
      first.call("POST", "/v1/projection", { key: keys[index % keys.length]!, json: marked })
    )
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  })
})

describe("clients that disconnect during their calls", () => {
  it("are charged once per record, and do not affect later calls [F23]", AGAIN, async () => {
    const key = await first.mint()
    const body = JSON.stringify(marked)
    const held = await holdRecords(database())
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(first.port, "127.0.0.1")
      socket.on("error", () => undefined)
      socket.write(
        `POST /v1/projection HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
      )
      return socket
    })
    await until(async () => (await waiting()) > 0)
    for (const socket of sockets) socket.destroy()
    await held.release()
    const answers = await Promise.all(
      Array.from({ length: 30 }, async () => first.call("POST", "/v1/projection", { key, json: marked }))
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200))
    const { rows, used } = await accountOf(database(), key)
    expect(rows).toBe(used)
    expect(rows).toBeGreaterThan(30)
    expect(rows).toBeLessThanOrEqual(50)
    expect(first.log()).not.toContain("request failed")
  })
})

describe("a node whose database connections are all in use", () => {
  it("answers 503 within 1.2 seconds, and at once when a connection is free [F7]", AGAIN, async () => {
    const keys = await Promise.all(Array.from({ length: 6 }, async () => second.mint()))
    const timed = async (key: string) => {
      const begun = performance.now()
      const response = await second.call("GET", "/v1/me", { key })
      return { response, millis: performance.now() - begun }
    }
    const reader = await second.mint()
    const held = await holdRecords(database())
    // Lookups of keys and of single records are batched, so use pages of records: each takes a
    // connection. There are more calls than connections, because the log's round waits too.
    const holding = Array.from({ length: 30 }, async () => second.call("GET", "/v1/records", { key: reader }))
    await until(async () => (await waiting()) >= 24)
    const refused = await Promise.all(keys.map(timed))
    for (const { millis, response } of refused) {
      expect(millis).toBeLessThan(1200 + LOADED_MACHINE_MILLIS)
      await expectProblem(response, 503, "ledger-unavailable")
    }
    await Promise.all(holding)
    await held.release()
    const { millis, response } = await timed(keys[0]!)
    expect(response.status).toBe(200)
    expect(millis).toBeLessThan(LOADED_MACHINE_MILLIS)
  })
})

describe("a node that stops with 20 calls in flight", () => {
  it("answers all of them, and the other node confirms every record [F21]", async () => {
    const key = await first.mint()
    const held = await holdRecords(database())
    const inFlight = Array.from({ length: 20 }, async () => first.call("POST", "/v1/projection", { key, json: marked }))
    await until(async () => (await waiting()) > 0)
    const ended = first.kill("SIGTERM")
    await until(async () =>
      first.call("GET", "/health").then(
        () => false,
        () => true
      )
    )
    await held.release()
    const answers = await Promise.all(inFlight)
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    const ids = await Promise.all(
      answers.map(async (answer) => ((await answer.json()) as { provenance: { answerId: string } }).provenance.answerId)
    )
    expect(await unverified(second, ids)).toEqual([])
    expect(await accountOf(database(), key)).toEqual({ rows: 20, used: 20 })
    expect(await ended).toBe(0)
  })
})

describe("the logs", () => {
  it("contain no key, email address or dollar amount [F50]", () => expect(searchedLogs().leaked).toEqual([]))
})

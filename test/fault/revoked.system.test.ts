/**
 * System tests of a key that ends under load on two nodes that both cache it. Every call made after
 * the change is acknowledged must be refused on both nodes, and nothing more is charged.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { query, useDatabase } from "../support/database.ts"
import { type ServiceProcess, searchedLogs, startServiceProcess } from "../support/serviceProcess.ts"
import { until } from "../support/until.ts"
import { marked } from "./load.ts"
import { AGAIN } from "./scale.ts"

const CALLERS = 24
const database = useDatabase()
let nodes: ReadonlyArray<ServiceProcess> = []

beforeAll(async () => {
  const settings = { DATABASE_URL: database().address, SANDBOX_MONTHLY_CALLS: "1000000" }
  const first = await startServiceProcess(settings)
  nodes = [first, await startServiceProcess(settings)]
})
afterAll(() => Promise.all(nodes.map((node) => node.kill("SIGKILL"))))

const tool = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "run_projection", arguments: marked } }
const list = { jsonrpc: "2.0", id: 1, method: "tools/list" }

/** Uses of a key: charged or free, with or without a body, valid or invalid. */
const USES: ReadonlyArray<(node: ServiceProcess, key: string) => Promise<Response>> = [
  (node, key) => node.call("POST", "/v1/projection", { key, json: marked }),
  (node, key) => node.call("POST", "/v1/projection", { key, json: {} }),
  (node, key) => node.call("POST", "/v1/plan-eligibility", { key, json: { loans: marked.loans } }),
  (node, key) => node.call("POST", "/mcp", { key, json: tool, headers: { accept: "application/json" } }),
  (node, key) => node.call("POST", "/mcp", { key, json: list, headers: { accept: "application/json" } }),
  (node, key) => node.call("GET", "/v1/me", { key }),
  (node, key) => node.call("GET", "/v1/records?limit=1", { key })
]

interface Statuses {
  readonly before: Array<number>
  readonly after: Array<number>
}

/** Callers of both nodes, with the statuses of calls made before and after the key ended. */
const startCallers = (key: string) => {
  const statuses: Statuses = { before: [], after: [] }
  const state = { hasEnded: false, isOn: true }
  const caller = async (_: unknown, index: number) => {
    for (let turn = index; state.isOn; turn++) {
      const list = state.hasEnded ? statuses.after : statuses.before
      const response = await USES[turn % USES.length]!(nodes[turn % 2]!, key)
      await response.arrayBuffer()
      list.push(response.status)
    }
  }
  return { statuses, state, ended: Promise.all(Array.from({ length: CALLERS }, caller)) }
}

const keyRow = (key: string): string => `prefix = '${key.slice(0, 14)}'`
const usedBy = async (key: string): Promise<number> => {
  const [row] = await query<{ used: number }>(
    database(),
    `SELECT used::int FROM usage JOIN api_key ON id = key_id WHERE ${keyRow(key)}`
  )
  return row!.used
}

/** Changes that end a key; each resolves when acknowledged. */
const CHANGES: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
  "is revoked by the operator": (key) =>
    query(database(), `UPDATE api_key SET revoked_at = now(), revoked_reason = 'operator' WHERE ${keyRow(key)}`),
  expires: (key) => query(database(), `UPDATE api_key SET expires_at = now() WHERE ${keyRow(key)}`),
  "is replaced by a new key for its address": async (key) => {
    const [row] = await query<{ email: string }>(database(), `SELECT email FROM api_key WHERE ${keyRow(key)}`)
    expect((await nodes[1]!.call("POST", "/v1/keys/sandbox", { json: row! })).status).toBe(200)
  }
}

describe.each(Object.entries(CHANGES))("a key that %s under load [F59]", (name, change) => {
  const isByTheClock = name === "expires"

  it("is refused from then on, and not charged", AGAIN, async () => {
    const key = await nodes[0]!.mint()
    const { ended, state, statuses } = startCallers(key)
    await until(async () => statuses.before.length > 10 * CALLERS)
    await change(key)
    state.hasEnded = true
    // Calls that arrived before the expiry may still be charged, so wait until they are done.
    if (isByTheClock) await until(async () => statuses.after.length > 2 * CALLERS)
    const used = await usedBy(key)
    await until(async () => statuses.after.length > 10 * CALLERS)
    state.isOn = false
    await ended
    expect(statuses.before.filter((status) => status === 200).length).toBeGreaterThan(CALLERS)
    expect(new Set(statuses.after)).toEqual(new Set([401]))
    expect(await usedBy(key)).toBe(used)
  })
})

describe("the logs [F59]", () => {
  it("contain no key, email address or dollar amount [F50]", () => expect(searchedLogs().leaked).toEqual([]))
})

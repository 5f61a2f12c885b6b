/** Parallel clients on one key: the month is exact across REST and tools, and answers agree. */
import { describe, expect, it } from "vitest"
import { projection, TOOLS } from "../support/requests.ts"
import { useToolServer } from "../support/toolServer.ts"

const MONTH = 40
const CLIENTS = 64

describe(`${CLIENTS} parallel clients on a month of ${MONTH} calls`, () => {
  const service = useToolServer({ SANDBOX_MONTHLY_CALLS: String(MONTH) })

  it("get exactly the month in total, over REST and tools [F12]", async () => {
    const key = await service().mint()
    const calls = Array.from({ length: CLIENTS }, async (_, index) =>
      index % 2 === 0
        ? service().rpc(key, "tools/call", { name: "run_projection", arguments: projection })
        : service().post("/v1/projection", key, projection)
    )
    const responses = await Promise.all(calls)
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(MONTH)
    expect(statuses.filter((status) => status === 429)).toHaveLength(CLIENTS - MONTH)
    const answers = await Promise.all(
      responses.map(async (response, index) => {
        const body = await response.json()
        if (response.status === 429) return body.type.endsWith("/problems/quota-exceeded")
        return index % 2 === 0 ? body.result.isError === undefined : body.provenance.answerId !== null
      })
    )
    expect(answers.every(Boolean)).toBe(true)
    const rows = await service().query<{ source: string }>(
      `SELECT source FROM recorded_answer WHERE key_prefix = '${key.slice(0, 14)}'`
    )
    expect(rows).toHaveLength(MONTH)
    const tools = rows.filter(({ source }) => source === "McpServer")
    expect(tools).toHaveLength(statuses.filter((status, index) => status === 200 && index % 2 === 0).length)
    expect(await service().used(key)).toBe(MONTH)
  })

  it("are refused over HTTP once it is spent, for every method", async () => {
    const key = await service().mint()
    await Promise.all(
      Array.from({ length: MONTH }, async () => service().rpc(key, "tools/call", { name: "get_plan_types" }))
    )
    for (const method of ["tools/call", "tools/list", "initialize"]) {
      const response = await service().rpc(key, method, { name: "get_plan_types" })
      expect([response.status, (await response.json()).detail]).toEqual([
        429,
        expect.stringContaining(`${MONTH} of ${MONTH} calls used. Wait until `)
      ])
      expect(response.headers.get("ratelimit-remaining")).toBe("0")
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0)
    }
  })

  it("can all connect and list at once, without a charge", async () => {
    const key = await service().mint()
    const clients = await Promise.all(Array.from({ length: CLIENTS }, async () => service().connect(key)))
    const lists = await Promise.all(clients.map(async (client) => client.listTools()))
    expect(lists.every(({ tools }) => tools.length === TOOLS.length)).toBe(true)
    expect(await service().used(key)).toBe(0)
    await Promise.all(clients.map(async (client) => client.close()))
  })
})

describe("a key limited to 3 requests an hour", () => {
  const service = useToolServer({ RATE_LIMIT_KEY: "3/h" })

  it("is refused like on the REST routes", async () => {
    const key = await service().mint()
    for (let call = 0; call < 3; call++) expect((await service().rpc(key, "ping")).status).toBe(200)
    const response = await service().rpc(key, "ping")
    expect(response.status).toBe(429)
    expect(response.headers.get("content-type")).toBe("application/problem+json")
    expect((await response.json()).type).toMatch(/\/problems\/rate-limited$/)
    expect(response.headers.get("ratelimit-limit")).toBe("100")
  })
})

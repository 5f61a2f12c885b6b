/** The revision 2026-07-28, which has no handshake, and the clients of the SDK's second line in both revisions. */
import { describe, expect, it } from "vitest"
import { FIRST_PAYMENT, projection, TOOLS } from "../support/requests.ts"
import { answerOf, problemOf, STATELESS, stateless, useToolServer } from "../support/toolServer.ts"

const service = useToolServer()

const HOUR = { ttlMs: 3_600_000, cacheScope: "public" }

describe("a request without a handshake", () => {
  it("discovers the server, its revision and its instructions", async () => {
    const response = await service().ask(await service().mint(), "server/discover")
    const { result } = await response.json()
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"])
    expect(result).toMatchObject({ ...HOUR, resultType: "complete", supportedVersions: [STATELESS] })
    expect(result.instructions).toContain("never assume an income")
    expect(result._meta["io.modelcontextprotocol/serverInfo"]).toMatchObject({ name: "repayment-of-record" })
  })

  it.each(["tools/list", "resources/list", "resources/templates/list", "prompts/list"])(
    "gets a list that may be kept for an hour: %s",
    async (method) => {
      const { result } = await (await service().ask(await service().mint(), method)).json()
      expect(result).toMatchObject(HOUR)
    }
  )

  it("reads rules that may be kept for a minute", async () => {
    const { result } = await (
      await service().ask(await service().mint(), "resources/read", { uri: "rules://omissions" })
    ).json()
    expect(result).toMatchObject({ ttlMs: 60_000, cacheScope: "public" })
  })

  it.each(TOOLS)("calls $tool, for the same charge and record", async ({ args, calls, endpoint, tool }) => {
    const key = await service().mint()
    const response = await service().ask(key, "tools/call", { name: tool, arguments: args })
    const { result } = await response.json()
    expect(response.headers.get("ratelimit-remaining")).toBe(String(100 - calls))
    expect(result.resultType).toBe("complete")
    const { provenance } = answerOf(result) as { provenance?: { answerId?: string } }
    const rows = await service().query<{ answer_id: string; endpoint: string }>(
      `SELECT answer_id, endpoint FROM recorded_answer WHERE key_prefix = '${key.slice(0, 14)}'`
    )
    expect(rows).toEqual(endpoint === null ? [] : [{ answer_id: provenance?.answerId, endpoint }])
  })

  it("gets a refusal of arguments as a result of the tool", async () => {
    const key = await service().mint()
    const { result } = await (await service().ask(key, "tools/call", { name: "run_projection", arguments: {} })).json()
    expect(problemOf(result)).toMatchObject({ status: 400, errors: { scenario: expect.anything() } })
    expect(await service().used(key)).toBe(0)
  })
})

describe("a month of one call", () => {
  const spent = useToolServer({ SANDBOX_MONTHLY_CALLS: "1" })

  it("is used up for both revisions, over HTTP", async () => {
    const key = await spent().mint()
    expect((await spent().ask(key, "tools/call", { name: "get_plan_types" })).status).toBe(200)
    const explain = { name: "explain_payment", arguments: projection }
    for (const refused of [
      await spent().ask(key, "tools/list"),
      await spent().rpc(key, "tools/list"),
      await spent().ask(key, "tools/call", explain),
      await spent().rpc(key, "tools/call", explain)
    ]) {
      const { detail } = await refused.json()
      expect([refused.status, detail]).toEqual([429, expect.stringMatching(/^1 of 1 calls used. Wait until /)])
    }
  })
})

describe("a message without a handshake", () => {
  const discover = stateless("server/discover")
  const headersOf = (method: string, params = {}) => stateless(method, params).headers as Record<string, string>
  const { "mcp-method": method, "mcp-protocol-version": version } = headersOf("server/discover")
  const LATER = { "io.modelcontextprotocol/protocolVersion": "2099-01-01" }
  const later = { _meta: { ...discover.params._meta, ...LATER } }
  const laterHeaders = { ...discover.headers, "mcp-protocol-version": "2099-01-01" }
  const icons = Array.from({ length: 600 }, () => ({ src: 1 }))
  const tool = { name: "get_plan_types" }
  const crowded = { ...tool, _meta: { ...discover.params._meta, "io.modelcontextprotocol/clientInfo": { icons } } }
  const listen = { ...discover.params, notifications: {} }

  it.each([
    [
      "without its method's header",
      "server/discover",
      discover.params,
      { "mcp-protocol-version": version },
      400,
      -32020
    ],
    ["without its revision's header", "server/discover", discover.params, { "mcp-method": method }, 400, -32020],
    ["with another method's header", "tools/list", discover.params, discover.headers, 400, -32020],
    ["with headers alone", "tools/list", {}, headersOf("tools/list"), 400, -32602],
    ["of a later revision", "server/discover", later, laterHeaders, 400, -32022],
    ["for a stream of changes", "subscriptions/listen", listen, headersOf("subscriptions/listen"), 404, -32601],
    ["of an unknown method", "tools/zap", discover.params, headersOf("tools/zap"), 404, -32601],
    ["for the handshake, which it has not", "initialize", discover.params, headersOf("initialize"), 404, -32601],
    ["for a ping, which it has not", "ping", discover.params, headersOf("ping"), 404, -32601],
    ["with countless members beside its arguments", "tools/call", crowded, headersOf("tools/call", tool), 400, -32600]
  ])("%s is refused", async (_, asked, params, headers, status, code) => {
    const body = { jsonrpc: "2.0", id: 1, method: asked, params }
    const response = await service().post("/mcp", await service().mint(), body, headers as Record<string, string>)
    expect([response.status, (await response.json()).error.code]).toEqual([status, code])
    expect(response.headers.get("content-type")).toMatch(/^application\/json/)
  })

  it.each([
    ["an unknown resource", "resources/read", { uri: "rules://zap" }, { uri: "rules://zap" }],
    ["an unknown tool", "tools/call", { name: "zap" }, undefined],
    ["an unknown prompt", "prompts/get", { name: "zap" }, undefined],
    ["a prompt without its argument", "prompts/get", { name: "explain-this-answer" }, undefined]
  ])("for %s is answered with -32602", async (_, asked, params, data) => {
    const { error } = await (await service().ask(await service().mint(), asked, params)).json()
    expect([error.code, error.data]).toEqual([-32602, data])
  })

  it("that expects no answer gets none", async () => {
    const { headers, params } = stateless("notifications/cancelled")
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { ...params, requestId: 1 } }
    const response = await service().post("/mcp", await service().mint(), cancel, headers)
    expect([response.status, await response.text()]).toEqual([202, ""])
  })
})

describe.each(["auto", "legacy"] as const)("a client of the second line, %s", (mode) => {
  it("agrees on the newest revision that it asks for, lists and calls every tool", async () => {
    const key = await service().mint()
    const client = await service().connectCurrent(key, mode)
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === "auto" ? STATELESS : "2025-11-25")
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(TOOLS.map(({ tool }) => tool))
    for (const { args, tool } of TOOLS) answerOf(await client.callTool({ name: tool, arguments: args }))
    const answer = answerOf(await client.callTool({ name: "run_projection", arguments: projection }))
    expect(answer["year1MonthlyPayment"]).toBe(FIRST_PAYMENT)
    problemOf(await client.callTool({ name: "run_projection", arguments: {} }))
    await expect(client.readResource({ uri: "rules://zap" })).rejects.toMatchObject({ code: -32602 })
    await client.close()
  })
})

/** The tools without a key: the same answers as the keyless routes, in their limit by address, and no record. */
import { describe, expect, it } from "vitest"
import { loan, OPEN_TOOLS, plans, projection, scenario } from "../support/requests.ts"
import { answerOf, problemOf, stateless, type ToolServer, useToolServer } from "../support/toolServer.ts"

const service = useToolServer({ PUBLIC_URL: "https://api.repayment.example" })

/** A request to /mcp/open, in revision 2025-11-25 or without a handshake. */
const asking = async (
  to: ToolServer,
  method: string,
  sent: Readonly<Record<string, unknown>> = {},
  isStateless = false
) => {
  const { headers, params } = isStateless ? stateless(method, sent) : { headers: {}, params: sent }
  return to.post("/mcp/open", "", { jsonrpc: "2.0", id: 1, method, params }, headers as Record<string, string>)
}
const call = async (name: string, args: object, isStateless = false) => {
  const response = await asking(service(), "tools/call", { name, arguments: args }, isStateless)
  return (await response.json()).result
}
const route = async (path: string, body: object) => (await service().post(path, "", body)).json()

describe("the tools without a key", () => {
  it.each([false, true])("are two, listed in less than 12 KB (stateless: %s)", async (isStateless) => {
    const response = await asking(service(), "tools/list", {}, isStateless)
    const text = await response.text()
    expect(Buffer.byteLength(text)).toBeLessThan(12 * 1024)
    const { tools } = JSON.parse(text).result as { tools: ReadonlyArray<{ name: string; description: string }> }
    expect(tools.map(({ name }) => name)).toEqual(OPEN_TOOLS.map(({ tool }) => tool))
    for (const { description } of tools) expect(description).toMatch(/needs no key and ignores one/i)
  })

  it.each(OPEN_TOOLS)("answer in both revisions: $tool", async ({ args, tool }) => {
    for (const isStateless of [false, true]) answerOf(await call(tool, args, isStateless))
    expect(await service().query("SELECT 1 FROM recorded_answer")).toEqual([])
  })

  it("compare plans as POST /v1/calculators/plans does, in brief", async () => {
    const result = await call("compare_plans", plans)
    const ids = (rules: ReadonlyArray<{ id: string }>) => rules.map(({ id }) => id)
    const { citations, knownOmissions, ...whole } = await route("/v1/calculators/plans", plans)
    const unnamed = (all: ReadonlyArray<{ label: string }>) => all.map(({ label: _, ...others }) => others)
    const { excludedPlans, plans: open } = whole
    const byType = { ...whole, plans: unnamed(open), excludedPlans: unnamed(excludedPlans) }
    const brief = { ...byType, citations: ids(citations), knownOmissions: ids(knownOmissions) }
    expect(result.structuredContent).toEqual(brief)
    const { text } = result.content[0]
    expect(text).toContain("REPAYMENT ASSISTANCE: $260.00 a month at first; ")
    expect(text).toContain("Lowest first payment, which may rise: INCOME BASED. Lowest total with tax: INCOME BASED.")
    expect(text).toContain("Not available: SAVE cannot be elected since 10 March 2026.")
    expect(text).toContain("the figures of single loans do not add up to these")
    const searched = await call("compare_plans", { ...plans, bestPath: true, currentPlan: "PAY AS YOU EARN" })
    expect(searched.content[0].text).toContain(
      "Lowest cost of the paths tried: PAY AS YOU EARN ($246.17 at first), then INCOME BASED from "
    )
    for (const answer of [result, searched]) expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(8 * 1024)
  })

  it("explain a payment as POST /v1/explain does", async () => {
    const {
      computedAtUtc: _,
      knownOmissions,
      rules,
      ...whole
    } = await route("/v1/explain", { ...projection, month: 2 })
    const { computedAtUtc: __, ...brief } = (await call("explain_payment", { ...projection, month: 2 }))
      .structuredContent
    const ids = (texts: ReadonlyArray<{ id: string }>) => texts.map(({ id }) => id)
    expect(brief).toEqual({ ...whole, knownOmissions: ids(knownOmissions), rules: ids(rules) })
    const full = await call("explain_payment", { ...projection, month: 2, detail: "full" })
    expect(JSON.parse(full.content[0].text)).toMatchObject({ ...whole, knownOmissions, rules })
  })

  it("refuse as the routes do, and name what is wrong", async () => {
    const withPlan = { ...plans, scenario: { ...plans.scenario, planType: "RAP" } }
    const { instance: _, ...problem } = problemOf(await call("compare_plans", withPlan))
    const { instance: __, ...refused } = await route("/v1/calculators/plans", withPlan)
    expect(problem).toEqual(refused)
    expect(problem["errors"]).toEqual({
      "scenario.planType": [
        "is not sent here: every plan is computed. Send the plan that the borrower is in as currentPlan"
      ]
    })
    const loans = [{ ...loan, loanType: "DIRECT PLUS PARENT" }]
    expect(problemOf(await call("explain_payment", { scenario, loans }))).toMatchObject({ status: 400 })
  })

  it("say that answers of several loans are never added up", async () => {
    const { result } = await (await asking(service(), "tools/list")).json()
    expect(result.tools[0].description).toMatch(
      /Send ALL loans in one call and never add up answers: an income-driven payment counts once for all loans\./
    )
  })

  it("are no others, and the view of an answer is the only resource", async () => {
    const { error } = await (
      await asking(service(), "tools/call", { name: "run_projection", arguments: projection })
    ).json()
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining("compare_plans, explain_payment")
    })
    expect((await (await asking(service(), "prompts/list")).json()).error.code).toBe(-32601)
    const { resources } = (await (await asking(service(), "resources/list")).json()).result
    expect(resources.map(({ uri }: { readonly uri: string }) => uri)).toEqual(["ui://repayment-of-record/answer"])
    const rules = await asking(service(), "resources/read", { uri: "rules://ledger" })
    expect((await rules.json()).error.code).toBe(-32602)
    const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } }
    const { result } = await (await asking(service(), "initialize", hello)).json()
    expect(result.capabilities).toEqual({ tools: {}, resources: {} })
    expect(result.instructions).toContain("No key is needed, and one that is sent is ignored")
  })

  it("ignore a key, even one that is refused", async () => {
    const message = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "explain_payment", arguments: projection }
    }
    const key = await service().mint()
    for (const sent of [key, "slr_sbx_nonsense"]) {
      const response = await service().post("/mcp/open", sent, message)
      expect(response.status).toBe(200)
      expect(response.headers.get("ratelimit-limit")).toBeNull()
    }
    expect(await service().used(key)).toBe(0)
  })
})

describe("the address without a key", () => {
  it("refuses pages of other sites", async () => {
    for (const [origin, status] of [
      ["https://evil.example", 403],
      ["https://api.repayment.example", 200]
    ] as const) {
      const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
      expect((await service().post("/mcp/open", "", ping, { origin })).status).toBe(status)
    }
  })

  it.each(["GET", "DELETE", "PUT"])("has no %s", async (method) => {
    const response = await fetch(`${service().mcpUrl}/open`, { method, headers: { accept: "text/event-stream" } })
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"])
  })

  it("takes bodies like POST /v1/explain, and no longer ones", async () => {
    const large = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { text: "x".repeat(128 * 1024) } })
    expect((await service().post("/mcp/open", "", large)).status).toBe(413)
    expect((await service().post("/mcp/open", "", "[".repeat(50))).status).toBe(400)
  })
})

describe("the limit of an address", () => {
  const limited = useToolServer({ RATE_LIMIT_KEYLESS: "3/h" })
  const explain = { name: "explain_payment", arguments: projection }

  it("is that of the keyless routes; only calls take from it", async () => {
    for (let time = 0; time < 5; time++) expect((await asking(limited(), "tools/list")).status).toBe(200)
    expect((await asking(limited(), "tools/call", explain)).status).toBe(200)
    expect((await asking(limited(), "tools/call", explain, true)).status).toBe(200)
    expect((await limited().post("/v1/explain", "", projection)).status).toBe(200)
    for (const isStateless of [false, true]) {
      const refused = await asking(limited(), "tools/call", explain, isStateless)
      expect([refused.status, refused.headers.get("content-type")]).toEqual([429, "application/problem+json"])
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    }
    expect((await asking(limited(), "tools/list")).status).toBe(200)
    expect((await asking(limited(), "ping", { text: "x".repeat(5_000) })).status).toBe(429)
  })
})

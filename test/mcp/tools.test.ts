/** The six tools through the SDK's client over HTTP: descriptions, answers, refusals, costs. */
import { describe, expect, it, onTestFinished } from "vitest"
import { LOAN_TYPES } from "../../schema/loan.ts"
import { startMonthOf } from "../../src/library/index.ts"
import { ANSWERED, outcomeIn, outcomeOf, refusedFrom, requestOf } from "../cases/additions.ts"
import { comparison, loan, projection, scenario, TOOLS } from "../support/requests.ts"
import { answerOf, problemOf, useToolServer } from "../support/toolServer.ts"

const service = useToolServer()
const START = startMonthOf(new Date())

/** A client that is closed at the end of the test. */
const connected = async () => {
  const key = await service().mint()
  const client = await service().connect(key)
  onTestFinished(() => client.close())
  return { key, client }
}

describe("the list of tools", () => {
  it("has five, with schemas, titles and hints", async () => {
    const { client, key } = await connected()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ tool }) => tool))
    for (const { annotations, description, inputSchema, outputSchema, title } of tools) {
      expect(title).toBeTruthy()
      expect(description!.length).toBeGreaterThan(200)
      expect(annotations).toEqual({ readOnlyHint: true, openWorldHint: false })
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false, properties: expect.anything() })
      expect(outputSchema).toMatchObject({ type: "object", properties: expect.anything() })
      expect(JSON.stringify([inputSchema, outputSchema])).not.toMatch(/\$ref|"format":"(?:double|int32|int64)"/)
    }
    expect(await service().used(key)).toBe(0)
  })

  it("states units, defaults and loan types, but no default for a household fact", async () => {
    const { client } = await connected()
    const { tools } = await client.listTools()
    const schemaOf = (name: string) => tools.find((tool) => tool.name === name)!.inputSchema
    const { properties } = schemaOf("run_projection") as unknown as {
      properties: Record<string, { properties: Record<string, object>; required: unknown; items: object }>
    }
    const household = properties["scenario"]!
    expect(household.required).toEqual(Object.keys(scenario))
    for (const name of Object.keys(scenario)) expect(household.properties[name]).not.toHaveProperty("default")
    expect(properties["loans"]!.items).toMatchObject({
      properties: {
        interestRate: { description: expect.stringContaining("0.0654 means 6.54%"), minimum: 0, maximum: 1 },
        interestBalance: { default: 0, description: expect.stringContaining("US dollars") }
      }
    })
    for (const name of ["get_eligible_plans", "run_projection"])
      expect(schemaOf(name).properties!["loans"]).toMatchObject({
        items: { properties: { loanType: { enum: LOAN_TYPES } } }
      })
  })

  it("names another tool and a limit in each description", async () => {
    const { client } = await connected()
    for (const { description, name } of (await client.listTools()).tools) {
      const siblings = TOOLS.map(({ tool }) => tool).filter((tool) => tool !== name)
      expect(siblings.some((tool) => description!.includes(tool))).toBe(true)
      expect(description).toMatch(/does not|says nothing/)
    }
  })
})

describe("a tool call", () => {
  it.each(TOOLS)(
    "of $tool answers, in structured form and as text, for $calls calls of the month",
    async ({ args, calls, endpoint, tool }) => {
      const { client, key } = await connected()
      await client.listTools()
      const answer = answerOf(await client.callTool({ name: tool, arguments: args }))
      expect(await service().used(key)).toBe(calls)
      const rows = await service().query<{ source: string; endpoint: string; answer_id: string }>(
        `SELECT source, endpoint, answer_id FROM recorded_answer WHERE key_prefix = '${key.slice(0, 14)}'`
      )
      if (endpoint === null) expect(rows).toEqual([])
      else {
        const { provenance } = answer as { provenance: { answerId: string } }
        expect(rows).toEqual([{ source: "McpServer", endpoint, answer_id: provenance.answerId }])
      }
    }
  )

  it("that names an idempotency key again is answered from its record, and charged once", async () => {
    const { client, key } = await connected()
    for (const [name, args] of [
      ["run_projection", projection],
      ["compare_scenarios", comparison]
    ] as const) {
      const before = await service().used(key)
      const send = (more: object) => client.callTool({ name, arguments: { ...args, ...more } })
      const idempotencyKey = `call-of-${name}`
      const [first, second] = [await send({ idempotencyKey }), await send({ idempotencyKey })]
      expect(answerOf(second)).toEqual(answerOf(first))
      expect(await service().used(key)).toBe(before + 1)
      expect(problemOf(await send({ idempotencyKey, includeYearly: true }))).toMatchObject({ status: 422 })
      expect(problemOf(await send({ idempotencyKey: "two words" }))).toMatchObject({
        status: 400,
        errors: { idempotencyKey: [expect.stringContaining("visible ASCII")] }
      })
    }
  })

  it.each([...ANSWERED, ...refusedFrom(START)])("has the library's outcome: $name", async (row) => {
    const params = { name: "run_projection", arguments: { ...requestOf(row), detail: "full" } }
    const { result } = await (await service().rpc(await service().mint(), "tools/call", params)).json()
    expect(outcomeIn(JSON.parse(result.content[0].text))).toEqual(outcomeOf(row, START))
  })

  it("leaves a record that the REST API shows and verifies [F55]", async () => {
    const { client, key } = await connected()
    const answer = answerOf(await client.callTool({ name: "compare_scenarios", arguments: comparison }))
    const { provenance } = answer as { provenance: { answerId: string; verifyUrl: string } }
    const verified = await (await fetch(provenance.verifyUrl)).json()
    expect(verified).toMatchObject({ answerId: provenance.answerId, source: "McpServer", recorded: true })
    const { records } = await (await service().get("/v1/records", key)).json()
    expect(records).toMatchObject([{ answerId: provenance.answerId, endpoint: "POST /v1/comparison" }])
  })

  it("accepts the key as a bearer value, too, and reports usage in headers", async () => {
    const key = await service().mint()
    const headers = { authorization: `bearer ${key}` }
    const response = await service().rpc("", "tools/call", { name: "get_plan_types" }, headers)
    expect(response.status).toBe(200)
    expect(response.headers.get("ratelimit-limit")).toBe("100")
    expect(response.headers.get("ratelimit-remaining")).toBe("99")
    expect(Number(response.headers.get("ratelimit-reset"))).toBeGreaterThan(0)
  })
})

const percent = { scenario, loans: [{ ...loan, interestRate: 6.8 }] }
const { adjustedGrossIncome: _, ...withoutIncome } = scenario
const ineligible = { scenario, loans: [{ ...loan, loanType: "DIRECT PLUS PARENT" }] }
const artifact = {
  arms: comparison.arms.map((arm) => ({ ...arm, loans: [{ ...loan, idrMonthsInRepayment: 600 }] }))
}

const REFUSED = [
  ["a rate sent as a percentage", "run_projection", "/v1/projection", percent],
  ["an income left out", "run_projection", "/v1/projection", { scenario: withoutIncome, loans: [loan] }],
  ["no arguments", "run_projection", "/v1/projection", {}],
  ["an unknown property", "run_projection", "/v1/projection", { ...projection, agi: 5 }],
  ["one arm", "compare_scenarios", "/v1/comparison", { arms: comparison.arms.slice(-1) }],
  ["a loan in an arm", "compare_scenarios", "/v1/comparison", { arms: [comparison.arms[0], percent] }],
  ["no loans", "get_eligible_plans", "/v1/plan-eligibility", { loans: [] }],
  ["a plan that no loan can take", "run_projection", "/v1/projection", ineligible],
  ["a plan that would be an artifact", "compare_scenarios", "/v1/comparison", artifact]
] as const

describe("refused arguments [F55]", () => {
  it.each(REFUSED)("are refused without a charge: %s, by %s as by POST %s", async (_, tool, path, args) => {
    const { client, key } = await connected()
    const { instance, ...problem } = problemOf(await client.callTool({ name: tool, arguments: args }))
    const response = await service().post(path, key, args)
    const { instance: __, ...expected } = await response.json()
    expect(problem).toEqual(expected)
    expect([problem["status"], response.status]).toEqual([400, 400])
    expect(instance).toMatch(/^urn:uuid:/)
    expect(Object.keys(problem["errors"] as object).length).toBeGreaterThan(0)
    expect(await service().used(key)).toBe(0)
  })

  it("for a plan that no loan can take are refused with the tool that lists the plans", async () => {
    const { client } = await connected()
    const { detail } = problemOf(await client.callTool({ name: "run_projection", arguments: ineligible }))
    expect(detail).toContain("the tool is get_eligible_plans")
  })
})

describe("a ledger that cannot be written", () => {
  it("withholds the answer: the result is a 503 with the time to retry, without a charge", async () => {
    const { client, key } = await connected()
    await service().query("ALTER TABLE answer RENAME TO answer_elsewhere")
    const result = await client.callTool({ name: "run_projection", arguments: projection })
    await service().query("ALTER TABLE answer_elsewhere RENAME TO answer")
    expect(problemOf(result)).toMatchObject({ status: 503, retryAfterSeconds: expect.any(Number) })
    expect(result).not.toHaveProperty("structuredContent")
    expect(await service().used(key)).toBe(0)
  })
})

describe("a member that no tool has [F45]", () => {
  it.each(["__proto__", "constructor", "toString", "unknown"])("named %s is refused by its name", async (name) => {
    const key = await service().mint()
    const json = JSON.stringify(projection).replace("{", `{"${name}":{"polluted":true},`)
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_projection","arguments":${json}}}`
    const { result } = (await (await service().post("/mcp", key, call)).json()) as { result: never }
    expect(problemOf(result).errors).toEqual({ [name]: ["is not a known property; remove it"] })
    expect(Object.prototype).not.toHaveProperty("polluted")
  })
})

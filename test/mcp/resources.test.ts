/** Free features of the tool server: rules as resources, completion of ids, and two prompts. */
import { describe, expect, it, onTestFinished } from "vitest"
import { constants, publishedOmissions, ruleVersion } from "../../ledger/index.ts"
import { useToolServer } from "../support/toolServer.ts"

const service = useToolServer()

/** A client that is closed at the end of the test. */
const connected = async () => {
  const client = await service().connect(await service().mint())
  onTestFinished(() => client.close())
  return client
}

const readJson = async (uri: string) => {
  const client = await connected()
  const { contents } = await client.readResource({ uri })
  const [content] = contents as Array<{ uri: string; mimeType: string; text: string }>
  expect(content).toMatchObject({ uri, mimeType: "application/json" })
  return JSON.parse(content!.text)
}

describe("resources", () => {
  it("are the ledger, the omissions, the view of an answer, and a template for one constant", async () => {
    const client = await connected()
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual([
      "rules://ledger",
      "rules://omissions",
      "ui://repayment-of-record/answer"
    ])
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["rules://constants/{id}"])
  })

  it("contain the ledger as in GET /v1/rules", async () => {
    expect(await readJson("rules://ledger")).toEqual(await (await service().get("/v1/rules", "")).json())
  })

  it("contain the omissions, and every constant by its id, with the version", async () => {
    const { knownOmissions, version } = await readJson("rules://omissions")
    expect(version).toBe(ruleVersion)
    expect(knownOmissions).toHaveLength(publishedOmissions.length)
    const client = await connected()
    for (const { id } of constants) {
      const { contents } = await client.readResource({ uri: `rules://constants/${id}` })
      expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ version, constant: { id } })
    }
  })

  it.each(["rules://constants/zap", "rules://constants/", "rules://zap", "file:///etc/passwd", "constructor"])(
    "do not include %s",
    async (uri) => {
      const body = await (await service().rpc(await service().mint(), "resources/read", { uri })).json()
      expect(body.error).toMatchObject({ code: -32602, data: { uri } })
    }
  )

  it("repeat at most 40 characters of an unknown address", async () => {
    const uri = `rules://${"x".repeat(900_000)}`
    const response = await service().rpc(await service().mint(), "resources/read", { uri })
    const { error } = await response.json()
    expect(error).toMatchObject({ code: -32602, data: { uri: `${uri.slice(0, 37)}...` } })
  })

  it("complete a partly typed id", async () => {
    const client = await connected()
    const ref = { type: "ref/resource" as const, uri: "rules://constants/{id}" }
    const { completion } = await client.complete({ ref, argument: { name: "id", value: "RAP-" } })
    expect(completion.values).toContain("rap-base-payment-bands")
    const all = await client.complete({ ref, argument: { name: "id", value: "" } })
    expect(all.completion.total).toBe(constants.length)
    expect(all.completion.values.length).toBeLessThanOrEqual(100)
  })
})

describe("prompts", () => {
  it("are compare-my-plans and explain-this-answer", async () => {
    const client = await connected()
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(["compare-my-plans", "explain-this-answer"])
  })

  it("contain the given arguments, lead through the tools, and name the one that explains a payment", async () => {
    const client = await connected()
    const textOf = async (name: string, given: Record<string, string>) => {
      const { messages } = await client.getPrompt({ name, arguments: given })
      return (messages[0]!.content as { text: string }).text
    }
    const text = await textOf("compare-my-plans", { loans: "40k unsubsidized at 6%" })
    expect(text).toContain("40k unsubsidized at 6%")
    expect(text).toMatch(/firstBorrowedOn[\s\S]*compare_plans[\s\S]*compare_scenarios/)
    expect(text).not.toContain("undefined")
    expect(await textOf("explain-this-answer", { answer: "{}" })).toContain("explain_payment")
  })

  it.each([
    ["an unknown one", { name: "zap" }],
    ["a missing argument", { name: "explain-this-answer" }],
    ["a blank argument", { name: "explain-this-answer", arguments: { answer: " " } }],
    ["too long an argument", { name: "explain-this-answer", arguments: { answer: "x".repeat(20_001) } }]
  ])("refuse %s", async (_, params) => {
    const body = await (await service().rpc(await service().mint(), "prompts/get", params)).json()
    expect(body.error.code).toBe(-32602)
  })
})

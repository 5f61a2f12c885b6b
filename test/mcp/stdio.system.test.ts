/** `repay mcp` on standard input and output. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { describe, expect, it } from "vitest"
import { repayProcess } from "../support/repayProcess.ts"
import { FIRST_PAYMENT, projection, scenario, TOOLS } from "../support/requests.ts"
import { answerOf, problemOf, STATELESS, stateless } from "../support/toolServer.ts"

const PROGRAM = ["src/cli/main.ts", "mcp"]

const withClient = async <A>(env: Record<string, string>, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client({ name: "test", version: "1" })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: PROGRAM, env, stderr: "ignore" }) as never
  )
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}

/** Writes lines, closes the input, and returns the answers. */
const converse = async (env: Record<string, string>, lines: ReadonlyArray<string>) => {
  const input = lines.map((line) => `${line}\n`).join("")
  const { code, stderr, stdout } = await repayProcess(["mcp"], { env, input })
  const answers = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  return { code, stderr, answers, answerTo: (id: unknown) => answers.find((answer) => answer.id === id) }
}

const request = (id: number, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params })

describe("the local engine", () => {
  it("lists and answers every tool without a key, and states that nothing is recorded", async () => {
    await withClient({}, async (client) => {
      expect(client.getInstructions()).toContain("nothing is recorded")
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(TOOLS.map(({ tool }) => tool))
      for (const { args, endpoint, tool } of TOOLS) {
        const result = await client.callTool({ name: tool, arguments: args })
        const { provenance } = answerOf(result)
        if (endpoint !== null) expect(provenance).toMatchObject({ answerId: null, verifyUrl: null })
        const notices = (result.content as Array<{ text: string }>).slice(1)
        expect(notices.map(({ text }) => text.includes("not recorded"))).toEqual(endpoint === null ? [] : [true])
      }
      const answer = answerOf(await client.callTool({ name: "run_projection", arguments: projection }))
      expect(answer["year1MonthlyPayment"]).toBe(FIRST_PAYMENT)
    })
  })

  it("speaks the revision without a handshake, too", async () => {
    const ask = (id: number, method: string, params: Record<string, unknown> = {}) =>
      request(id, method, stateless(method, params).params)
    const { answerTo } = await converse({}, [
      ask(1, "server/discover"),
      ask(2, "tools/call", { name: "explain_payment", arguments: projection }),
      ask(3, "subscriptions/listen", { notifications: {} })
    ])
    expect(answerTo(1).result.supportedVersions).toEqual([STATELESS])
    expect(answerTo(2).result).toMatchObject({ resultType: "complete", structuredContent: { payment: FIRST_PAYMENT } })
    expect(answerTo(3).error.code).toBe(-32601)
  })

  it("refuses calls like the service", async () => {
    await withClient({}, async (client) => {
      const missing = problemOf(await client.callTool({ name: "run_projection", arguments: { scenario, loans: [{}] } }))
      expect(missing["errors"]).toHaveProperty(["loans[0].loanType"])
      const loans = [{ ...projection.loans[0], loanType: "DIRECT PLUS PARENT" }]
      const ineligible = problemOf(await client.callTool({ name: "run_projection", arguments: { scenario, loans } }))
      expect(ineligible).toMatchObject({ status: 400, errors: { "scenario.planType": expect.anything() } })
    })
  })

  it("provides resources and prompts", async () => {
    await withClient({}, async (client) => {
      expect((await client.listResources()).resources).toHaveLength(3)
      expect((await client.readResource({ uri: "rules://ledger" })).contents).toHaveLength(1)
      expect((await client.listPrompts()).prompts).toHaveLength(2)
    })
  })

  it("answers every line before the input ends, invalid ones included, and then exits", async () => {
    const { answers, answerTo, code } = await converse({}, [
      request(1, "tools/call", { name: "run_projection", arguments: projection }),
      "{bad",
      "",
      "[]",
      request(2, "tools/call", {}),
      request(3, "tools/zap"),
      JSON.stringify({ jsonrpc: "2.0", id: 4, method: "ping", params: { text: "x".repeat(2 * 1024 * 1024) } }),
      request(5, "ping")
    ])
    expect(code).toBe(0)
    expect(answerTo(1).result.structuredContent.year1MonthlyPayment).toBe(FIRST_PAYMENT)
    expect(answerTo(2).error.code).toBe(-32602)
    expect(answerTo(3).error.code).toBe(-32601)
    expect(answerTo(5).result).toEqual({})
    const unnamed = answers.filter(({ id }) => id === null).map(({ error }) => error.code)
    expect(unnamed).toEqual([-32700, -32600, -32600])
  })
})

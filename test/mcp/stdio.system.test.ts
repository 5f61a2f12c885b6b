/** `repay mcp` on standard input and output, with the local engine and with a remote service. */
import { once } from "node:events"
import { createServer } from "node:http"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { describe, expect, it } from "vitest"
import { repayProcess } from "../support/repayProcess.ts"
import { FIRST_PAYMENT, projection, scenario, TOOLS } from "../support/requests.ts"
import { answerOf, problemOf, useToolServer } from "../support/toolServer.ts"

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
      expect((await client.listResources()).resources).toHaveLength(2)
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

describe("a remote service", () => {
  const service = useToolServer({ SANDBOX_MONTHLY_CALLS: "5" })
  const environment = async () => ({ REPAY_URL: service().publicUrl, REPAY_API_KEY: await service().mint() })

  it("lists and answers every tool, charged and recorded there", async () => {
    const env = await environment()
    await withClient(env, async (client) => {
      expect(client.getInstructions()).toContain("recorded")
      expect((await client.listTools()).tools).toHaveLength(TOOLS.length)
      for (const { args, tool } of TOOLS) answerOf(await client.callTool({ name: tool, arguments: args }))
      expect((await client.readResource({ uri: "rules://omissions" })).contents).toHaveLength(1)
    })
    expect(await service().used(env.REPAY_API_KEY)).toBe(TOOLS.length)
    const rows = await service().query<{ source: string }>(
      `SELECT source FROM recorded_answer WHERE key_prefix = '${env.REPAY_API_KEY.slice(0, 14)}'`
    )
    expect(rows).toEqual([{ source: "McpServer" }, { source: "McpServer" }])
  })

  it("reports a spent month as the result of a tool", async () => {
    const env = await environment()
    await withClient(env, async (client) => {
      for (let call = 0; call < 5; call++) await client.callTool({ name: "get_plan_types", arguments: {} })
      const problem = problemOf(await client.callTool({ name: "get_plan_types", arguments: {} }))
      expect(problem).toMatchObject({
        status: 429,
        detail: expect.stringMatching(/^5 of 5 calls used until /),
        upgradeUrl: expect.any(String)
      })
    })
  })

  it("reports a bad key, also at the address of a tool server", async () => {
    const env = { REPAY_URL: `${service().mcpUrl}/`, REPAY_API_KEY: "slr_sbx_nonsense" }
    const { answerTo } = await converse(env, [
      request(1, "initialize"),
      request(2, "tools/call", { name: "get_plan_types" })
    ])
    expect(answerTo(1).error.message).toContain("A valid API key is required.")
    expect(answerTo(2).result.isError).toBe(true)
  })

  it("is reported if it cannot be reached", async () => {
    const { answerTo, code } = await converse({ REPAY_URL: "http://127.0.0.1:9", REPAY_API_KEY: "k" }, [
      request(1, "tools/list"),
      request(2, "tools/call", { name: "get_plan_types" })
    ])
    expect(answerTo(1).error.message).toContain("cannot be reached")
    expect(problemOf(answerTo(2).result)["detail"]).toContain("http://127.0.0.1:9/mcp")
    expect(code).toBe(0)
  })

  it("does not receive the key through a redirect", async () => {
    const seen: Array<string | undefined> = []
    const other = createServer((incoming, response) => {
      seen.push(incoming.headers["x-api-key"] as string | undefined)
      response.writeHead(307, { location: service().mcpUrl }).end()
    }).listen(0, "127.0.0.1")
    await once(other, "listening")
    const { port } = other.address() as { port: number }
    const env = { REPAY_URL: `http://127.0.0.1:${port}`, REPAY_API_KEY: await service().mint() }
    const { answerTo } = await converse(env, [request(1, "tools/list")])
    expect(answerTo(1).error.message).toContain("cannot be reached")
    expect(seen).toHaveLength(1)
    other.close()
  })

  it.each([
    [{ REPAY_URL: "http://127.0.0.1:9" }, "REPAY_API_KEY"],
    [{ REPAY_API_KEY: "k" }, "REPAY_URL"],
    [{ REPAY_URL: "ftp://x", REPAY_API_KEY: "k" }, "REPAY_URL"]
  ])("named incompletely by %o is refused, with the missing variable", async (env, variable) => {
    const { answers, code, stderr } = await converse(env as Record<string, string>, [request(1, "ping")])
    expect(answers).toEqual([])
    expect(code).toBe(2)
    expect(stderr).toContain(variable)
  })
})

/** The service on a loopback port and a database of its own, and the ways in that the tests of the tool server use. */
import { createServer } from "node:net"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll } from "vitest"
import { Engine } from "../../src/engine/Engine.ts"
import { httpServer } from "../../src/http/server.ts"
import { McpSurface } from "../../src/mcp/route.ts"
import { Answers } from "../../src/services/answers/Answers.ts"
import { Keys } from "../../src/services/keys/Keys.ts"
import { testServices } from "./database.ts"

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const service = (variables: Readonly<Record<string, string>>) =>
  httpServer(McpSurface).pipe(
    Layer.provide(Answers.layer.pipe(Layer.provideMerge(Engine.layer))),
    Layer.provideMerge(testServices(variables))
  )

const start = async (variables: Readonly<Record<string, string>>) => {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const scope = Scope.makeUnsafe()
  const layer = service({ PORT: String(port), RATE_LIMIT_KEY: "off", RATE_LIMIT_MINT: "off", ...variables })
  const context = await Effect.runPromise(Scope.provide(Layer.build(layer), scope))
  const keys = Context.get(context, Keys)
  const sql = Context.get(context, SqlClient.SqlClient)
  const mcpUrl = `${publicUrl}/mcp`

  const post = async (path: string, key: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${publicUrl}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", "x-api-key": key, ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body)
    })

  return {
    publicUrl,
    mcpUrl,
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void)),
    /** A new sandbox key. */
    mint: async (): Promise<string> => {
      const { apiKey } = await Effect.runPromise(keys.mintSandbox(`${crypto.randomUUID()}@example.test`))
      return Redacted.value(apiKey)
    },
    /** Calls used in this month, as the database counts them. */
    used: async (key: string): Promise<number> => {
      const caller = await Effect.runPromise(keys.authenticate(key))
      return caller.usage.used
    },
    query: <Row extends object>(statement: string) => Effect.runPromise(sql.unsafe<Row>(statement)),
    post,
    get: async (path: string, key: string, headers: Record<string, string> = {}) =>
      fetch(`${publicUrl}${path}`, { headers: { "x-api-key": key, ...headers } }),
    /** One JSON-RPC request, by hand. */
    rpc: async (key: string, method: string, params: object = {}, headers: Record<string, string> = {}) =>
      post("/mcp", key, { jsonrpc: "2.0", id: 1, method, params }, headers),
    /** The SDK's own client, connected. */
    connect: async (key: string): Promise<Client> => {
      const client = new Client({ name: "test", version: "1" })
      const requestInit = { headers: { "x-api-key": key } }
      await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit }) as never)
      return client
    }
  }
}

export type RunningService = Awaited<ReturnType<typeof start>>

/** Starts the service for a test file or a group of tests. */
export const useToolServer = (variables: Readonly<Record<string, string>> = {}) => {
  let running: RunningService | undefined
  beforeAll(async () => {
    running = await start(variables)
  })
  afterAll(async () => running?.stop())
  return (): RunningService => {
    if (running === undefined) throw new Error("the service runs only inside tests")
    return running
  }
}

/** The answer of a tool, checked to be the same in both forms. */
export const answerOf = (result: unknown): Record<string, unknown> => {
  const { content, isError, structuredContent } = result as CallToolResult
  const [first] = content
  if (isError === true || first?.type !== "text") throw new Error(`refused: ${JSON.stringify(content)}`)
  const stated: unknown = JSON.parse(first.text)
  if (JSON.stringify(stated) !== JSON.stringify(structuredContent)) throw new Error("the two forms differ")
  return structuredContent as Record<string, unknown>
}

/** The problem document of a refused tool call. */
export const problemOf = (result: unknown): Record<string, unknown> => {
  const { content, isError } = result as CallToolResult
  const [first] = content
  if (isError !== true || first?.type !== "text") throw new Error("not refused")
  return JSON.parse(first.text)
}

/**
 * A running service for tests of the MCP server: its public links lead to itself, and helpers act
 * as MCP clients.
 */
import {
  Client as CurrentClient,
  StreamableHTTPClientTransport as CurrentTransport
} from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"
import { freePort } from "./freePort.ts"
import { startService, useStarted } from "./runningService.ts"

/** The revision without a handshake. */
export const STATELESS = "2026-07-28"
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri"
}

/** The members of `_meta` and the headers that the stateless revision requires. */
export const stateless = (method: string, params: Readonly<Record<string, unknown>> = {}) => {
  const name = params[NAMED_BY[method] ?? ""]
  return {
    params: {
      ...params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {}
      }
    },
    headers: {
      "mcp-protocol-version": STATELESS,
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {})
    }
  }
}

const startToolServer = async (variables: Readonly<Record<string, string>>) => {
  const port = await freePort()
  const PUBLIC_URL = `http://127.0.0.1:${port}`
  const service = await startService({
    PORT: String(port),
    PUBLIC_URL,
    RATE_LIMIT_KEY: "off",
    RATE_LIMIT_REFUSED: "off",
    ...variables
  })
  const { base, call } = service
  const mcpUrl = `${base}/mcp`

  const post = async (path: string, key: string, message: unknown, headers: Record<string, string> = {}) =>
    call("POST", path, {
      key,
      body: typeof message === "string" ? message : JSON.stringify(message),
      headers: { "content-type": "application/json", accept: "application/json", ...headers }
    })

  return {
    ...service,
    mcpUrl,
    post,
    get: async (path: string, key: string, headers: Record<string, string> = {}) => call("GET", path, { key, headers }),
    /** One hand-written JSON-RPC request. */
    rpc: async (key: string, method: string, params: object = {}, headers: Record<string, string> = {}) =>
      post("/mcp", key, { jsonrpc: "2.0", id: 1, method, params }, headers),
    /** The same in the stateless revision. */
    ask: async (key: string, method: string, sent: Readonly<Record<string, unknown>> = {}) => {
      const { headers, params } = stateless(method, sent)
      return post("/mcp", key, { jsonrpc: "2.0", id: 1, method, params }, headers)
    },
    /** The client of the SDK's second line; `auto` has it ask for the stateless revision first. */
    connectCurrent: async (key: string, mode: "auto" | "legacy", path = "/mcp"): Promise<CurrentClient> => {
      const client = new CurrentClient({ name: "test", version: "1" }, { versionNegotiation: { mode } })
      const requestInit = { headers: { "x-api-key": key } }
      await client.connect(new CurrentTransport(new URL(`${base}${path}`), { requestInit }))
      return client
    },
    connect: async (key: string): Promise<Client> => {
      const client = new Client({ name: "test", version: "1" })
      const requestInit = { headers: { "x-api-key": key } }
      await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit }) as never)
      return client
    }
  }
}

export type ToolServer = Awaited<ReturnType<typeof startToolServer>>

export const useToolServer = (variables: Readonly<Record<string, string>> = {}): (() => ToolServer) =>
  useStarted(() => startToolServer(variables))

/** The structured content of a tool's result, which must also have text in words. */
export const answerOf = (result: unknown): Record<string, unknown> => {
  const { content, isError, structuredContent } = result as CallToolResult
  const [first] = content
  if (isError === true || first?.type !== "text") throw new Error(`refused: ${JSON.stringify(content)}`)
  if (first.text === "" || first.text.startsWith("{")) throw new Error(`no words: ${first.text}`)
  return structuredContent as Record<string, unknown>
}

export const problemOf = (result: unknown): Record<string, unknown> => {
  const { content, isError } = result as CallToolResult
  const [first] = content
  if (isError !== true || first?.type !== "text") throw new Error("not refused")
  return JSON.parse(first.text)
}

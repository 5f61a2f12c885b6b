/**
 * A program for one MCP client library, so that it has its own dependencies: `node library.mjs NAME
 * TARGET KEY`. TARGET is a URL, or the command of a stdio server as a JSON array. It reads calls as
 * JSON from standard input, and writes the listed tools and the model's view of each result.
 */
import { text } from "node:stream/consumers"
import { createMCPClient } from "@ai-sdk/mcp"
import { MultiServerMCPClient } from "@langchain/mcp-adapters"
import { Client as CurrentClient, StreamableHTTPClientTransport as CurrentHttp } from "@modelcontextprotocol/client"
import { StdioClientTransport as CurrentStdio } from "@modelcontextprotocol/client/stdio"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"

/** A client of the official SDK, and the revision that it must have agreed on. */
const connected = async (client, transport, revision = () => undefined) => {
  await client.connect(transport)
  const { tools } = await client.listTools()
  return {
    names: tools.map(({ name }) => name),
    revision: revision(),
    call: (name, input) => client.callTool({ name, arguments: input }),
    close: () => client.close()
  }
}

const transportOf = (target, headers, Http, Stdio) => {
  if (!target.startsWith("[")) return new Http(new URL(target), { requestInit: { headers } })
  const [command, ...args] = JSON.parse(target)
  return new Stdio({ command, args, stderr: "inherit" })
}

const current = (mode) => (target, headers) => {
  const client = new CurrentClient({ name: "gate", version: "1" }, { versionNegotiation: { mode } })
  const transport = transportOf(target, headers, CurrentHttp, CurrentStdio)
  return connected(client, transport, () => client.getNegotiatedProtocolVersion())
}

const LIBRARIES = {
  "ai-sdk": async (url, headers) => {
    const client = await createMCPClient({ transport: { type: "http", url, headers } })
    const tools = await client.tools()
    return {
      names: Object.keys(tools),
      call: async (name, input) => {
        const output = await tools[name].execute(input, { toolCallId: "1", messages: [] })
        return tools[name].toModelOutput({ toolCallId: "1", input, output })
      },
      close: () => client.close()
    }
  },
  langchain: async (url, headers) => {
    const client = new MultiServerMCPClient({ mcpServers: { repayment: { url, transport: "http", headers } } })
    const tools = await client.getTools()
    return {
      names: tools.map(({ name }) => name),
      call: (name, input) => tools.find((tool) => tool.name === name).invoke(input),
      close: () => client.close()
    }
  },
  sdk: (target, headers) =>
    connected(
      new Client({ name: "gate", version: "1" }),
      transportOf(target, headers, StreamableHTTPClientTransport, StdioClientTransport)
    ),
  stateless: current("auto"),
  handshake: current("legacy")
}

const [name, target, key] = process.argv.slice(2)
const { call, close, names, revision } = await LIBRARIES[name](target, key === undefined ? {} : { "x-api-key": key })
const answers = []
for (const { args, tool } of JSON.parse(await text(process.stdin))) {
  // A library may return a refusal as a result or throw it.
  answers.push(await call(tool, args).then(JSON.stringify, (error) => `${error.message}`))
}
await close()
process.stdout.write(JSON.stringify({ names, answers, revision }))

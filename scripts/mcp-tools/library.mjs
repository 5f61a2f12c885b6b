/**
 * A program for one MCP client library, so that it has its own dependencies: `node library.mjs NAME
 * URL KEY`. It reads calls as JSON from standard input, and writes the listed tools and the model's
 * view of each result.
 */
import { text } from "node:stream/consumers"
import { createMCPClient } from "@ai-sdk/mcp"
import { MultiServerMCPClient } from "@langchain/mcp-adapters"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"

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
  sdk: async (url, headers) => {
    const client = new Client({ name: "gate", version: "1" })
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
    const { tools } = await client.listTools()
    return {
      names: tools.map(({ name }) => name),
      call: (name, input) => client.callTool({ name, arguments: input }),
      close: () => client.close()
    }
  }
}

const [name, url, key] = process.argv.slice(2)
const { call, close, names } = await LIBRARIES[name](url, { "x-api-key": key })
const answers = []
for (const { args, tool } of JSON.parse(await text(process.stdin))) {
  // A library may return a refusal as a result or throw it.
  answers.push(await call(tool, args).then(JSON.stringify, (error) => `${error.message}`))
}
await close()
process.stdout.write(JSON.stringify({ names, answers }))

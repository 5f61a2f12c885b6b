/**
 * The Model Context Protocol, implemented with the official SDK; no other file imports it, and
 * docs/decisions/0009-the-official-mcp-sdk.md says why it is used. Registers tools, resources and prompts with a
 * low-level server, which answers one message over HTTP, or a stream of messages over another transport. Decides
 * nothing about keys, figures or texts.
 */
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import {
  CallToolRequestSchema,
  type CallToolResult,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Tool
} from "@modelcontextprotocol/sdk/types.js"
import { Effect } from "effect"
import packageJson from "../../package.json" with { type: "json" }
import { isToolName, TOOL_NAMES, TOOLS, type ToolName } from "../../schema/tools.ts"
import { fieldPath } from "../request/fieldPath.ts"
import { RPC_CODES, type RpcError, type RpcId, type RpcMessage, rpcError } from "./message.ts"
import { fillPrompt, PROMPT_LIST } from "./prompts.ts"
import {
  CONSTANT_URI_TEMPLATE,
  completeConstantId,
  JSON_MEDIA_TYPE,
  RESOURCE_TEMPLATES,
  RESOURCES,
  resourceText
} from "./resources.ts"
import type { ToolAnswer } from "./toolAnswers.ts"

/** What differs between the server over HTTP and the local one. */
export interface ToolServer {
  readonly instructions: string
  readonly call: (tool: ToolName, args: unknown) => Effect.Effect<ToolAnswer>
  /** Runs a call as the promise that the SDK awaits, and interrupts it when the request is canceled. */
  readonly run: <A>(effect: Effect.Effect<A>, signal: AbortSignal) => Promise<A>
}

const SERVER_INFO = { name: packageJson.name, title: "Repayment of Record", version: packageJson.version }
const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} }
const TOOL_LIST = { tools: TOOLS as unknown as Array<Tool> }

/** Only elicitation validates, and it is not used here. The default would compile a validator for every server. */
const NO_VALIDATOR = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "not validated here" })
}

const textBlock = (text: string) => ({ type: "text" as const, text })

const contentOf = ({ notice, text }: ToolAnswer) => [
  textBlock(text),
  ...(notice === undefined ? [] : [textBlock(notice)])
]

const toolResult = (answer: ToolAnswer): CallToolResult => {
  const { structured } = answer
  const content = contentOf(answer)
  return structured === undefined ? { content, isError: true } : { content, structuredContent: { ...structured } }
}

/** A JSON-RPC error: the SDK answers with its code, message and data. */
class ProtocolError extends Error {
  readonly code: number
  readonly data: object | undefined
  constructor(code: number, message: string, data?: object) {
    super(message)
    this.code = code
    this.data = data
  }
}

const unknownTool = (name: string) =>
  new ProtocolError(RPC_CODES.invalidParams, `Unknown tool ${fieldPath([name])}: send one of ${TOOL_NAMES.join(", ")}`)

const readResource = (uri: string) => {
  const text = resourceText(uri)
  if (text === undefined)
    throw new ProtocolError(RPC_CODES.resourceNotFound, "Resource not found", { uri: fieldPath([uri]) })
  return { contents: [{ uri, mimeType: JSON_MEDIA_TYPE, text }] }
}

const getPrompt = (name: string, given: Readonly<Record<string, string>> | undefined) => {
  const prompt = fillPrompt(name, given)
  if (prompt._tag === "Refused") throw new ProtocolError(RPC_CODES.invalidParams, prompt.message)
  const content = { type: "text" as const, text: prompt.text }
  return { description: prompt.description, messages: [{ role: "user" as const, content }] }
}

const NOTHING_TO_COMPLETE = { values: [], total: 0, hasMore: false }

/** A server for one connection; over HTTP, for one message. */
const makeServer = ({ call, instructions, run }: ToolServer): Server => {
  const options = { capabilities: CAPABILITIES, instructions, jsonSchemaValidator: NO_VALIDATOR }
  const server = new Server(SERVER_INFO, options)
  server.setRequestHandler(ListToolsRequestSchema, () => TOOL_LIST)
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    if (!isToolName(params.name)) throw unknownTool(params.name)
    return run(Effect.map(call(params.name, params.arguments ?? {}), toolResult), signal)
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: RESOURCES }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: RESOURCE_TEMPLATES }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => readResource(params.uri))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: PROMPT_LIST }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => getPrompt(params.name, params.arguments))
  server.setRequestHandler(CompleteRequestSchema, ({ params: { argument, ref } }) => {
    const completes = ref.type === "ref/resource" && ref.uri === CONSTANT_URI_TEMPLATE && argument.name === "id"
    return { completion: completes ? completeConstantId(argument.value) : NOTHING_TO_COMPLETE }
  })
  return server
}

/** Methods whose invalid parameters the SDK would report as an internal error of the server. */
const PARAMETERS = {
  initialize: InitializeRequestSchema,
  "tools/call": CallToolRequestSchema,
  "resources/read": ReadResourceRequestSchema,
  "prompts/get": GetPromptRequestSchema,
  "completion/complete": CompleteRequestSchema
} as const

const hasParameters = (method: string): method is keyof typeof PARAMETERS => Object.hasOwn(PARAMETERS, method)

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value)

/** The parameters of most calls, which the SDK's check has nothing to say about: a tool's name, and its arguments. */
const isBareCall = ({ method, params = {} }: RpcMessage): boolean =>
  method === "tools/call" &&
  Object.keys(params).every((member) => member === "name" || member === "arguments") &&
  typeof params["name"] === "string" &&
  (params["arguments"] === undefined || isObject(params["arguments"]))

/** The JSON-RPC error of a request whose parameters are not those of its method. */
export const invalidParameters = (message: RpcMessage): RpcError | undefined => {
  if (message.method === undefined || message.id === undefined || !hasParameters(message.method)) return undefined
  if (isBareCall(message)) return undefined
  const checked = PARAMETERS[message.method].safeParse(message)
  if (checked.success) return undefined
  const [issue] = checked.error.issues
  const place = fieldPath(
    (issue?.path ?? []).map((segment) => (typeof segment === "number" ? segment : String(segment)))
  )
  const text = `Invalid params of ${message.method}: ${place}: ${issue?.message ?? "not acceptable"}`
  return rpcError(RPC_CODES.invalidParams, text, undefined, message.id)
}

const BOTH_FORMS = "application/json, text/event-stream"
const ACCEPTS_JSON = /(?:^|,)\s*(?:application\/(?:json|\*)|\*\/\*)\s*(?:[;,]|$)/i

interface HttpMessage {
  readonly message: RpcMessage
  readonly accept: string | undefined
  readonly protocolVersion: string | undefined
}

/** The request as the SDK expects it, without the key and the client's other headers. */
const webRequest = ({ accept, protocolVersion }: HttpMessage): Request =>
  new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      "content-type": JSON_MEDIA_TYPE,
      // The SDK wants both forms named. Only JSON is ever sent, so a client that accepts JSON need not name the other.
      accept: accept === undefined || ACCEPTS_JSON.test(accept) ? BOTH_FORMS : accept,
      ...(protocolVersion === undefined ? {} : { "mcp-protocol-version": protocolVersion })
    }
  })

/** Members of a call that say nothing which the answer depends on but the tool and its arguments. */
const isPlain = ({ _meta, arguments: _arguments, name: _name, ...others }: Readonly<Record<string, unknown>>) => {
  const hasMeta = _meta !== undefined
  if (Object.keys(others).length > 0 || (hasMeta && !isObject(_meta))) return false
  return Object.keys(_meta ?? {}).every((member) => member === "progressToken")
}

interface PlainCall {
  readonly id: RpcId
  readonly tool: ToolName
}

/**
 * The id and the tool of a message that is the call of a tool and nothing more; undefined for any other, also one that is
 * to be refused. Such a call needs no server of the SDK: see `callText`.
 */
export const plainCall = ({ accept, message, protocolVersion }: HttpMessage): PlainCall | undefined => {
  const { id, jsonrpc: _, method, params = {}, ...others } = message
  const tool = params["name"]
  const isSpoken = protocolVersion === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)
  const isAccepted = accept === undefined || ACCEPTS_JSON.test(accept)
  if (
    method !== "tools/call" ||
    id === undefined ||
    !isSpoken ||
    !isAccepted ||
    Object.keys(others).length > 0 ||
    !isPlain(params)
  )
    return undefined
  return typeof tool === "string" && isToolName(tool) ? { id, tool } : undefined
}

/** The answer to a plain call, as the SDK writes it: it would write the same twice more and parse it in between. */
export const callText = (id: RpcId, answer: ToolAnswer): string =>
  JSON.stringify({ result: toolResult(answer), jsonrpc: "2.0", id })

interface HttpAnswer {
  readonly status: number
  /** Empty for a notification. */
  readonly body: string
}

/** Answers one message; server and transport are closed once it is answered or the request is canceled. */
export const answerOverHttp = (server: ToolServer, received: HttpMessage): Effect.Effect<HttpAnswer> =>
  Effect.acquireUseRelease(
    Effect.sync(() => new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })),
    (transport) =>
      Effect.promise(async () => {
        await makeServer(server).connect(transport as Transport)
        const response = await transport.handleRequest(webRequest(received), { parsedBody: received.message })
        return { status: response.status, body: await response.text() }
      }),
    (transport) => Effect.promise(() => transport.close())
  )

/** A transport other than HTTP, in the shape that the SDK expects. */
export interface Connection {
  onmessage?: (message: RpcMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  start(): Promise<void>
  send(message: object): Promise<void>
  close(): Promise<void>
}

/** Answers the messages of a connection until it is closed. */
export const serveConnection = (server: ToolServer, connection: Connection): Promise<void> =>
  makeServer(server).connect(connection as Transport)

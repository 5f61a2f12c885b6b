/**
 * The Model Context Protocol in its revisions 2026-07-28 and 2025-11-25, with the official SDK,
 * which no other file of the server imports (decision 0009). Registers tools, resources and prompts
 * with a low-level server. It answers one message over HTTP, or a stream of messages over another
 * transport. It decides nothing about keys, figures or texts.
 */
import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerOptions,
  SUPPORTED_PROTOCOL_VERSIONS,
  specTypeSchemas,
  type Tool,
  type Transport,
  WebStandardStreamableHTTPServerTransport
} from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { Effect } from "effect"
import packageJson from "../../package.json" with { type: "json" }
import { echo, fieldPath } from "../request/fieldPath.ts"
import { RPC_CODES, type RpcError, type RpcMessage, rpcError, withPrintableError } from "./message.ts"
import type { Offer } from "./offers.ts"
import { fillPrompt, PROMPT_LIST } from "./prompts.ts"
import {
  CONSTANT_URI_TEMPLATE,
  completeConstantId,
  JSON_MEDIA_TYPE,
  RESOURCE_TEMPLATES,
  RESOURCES,
  resourceText,
  VIEW
} from "./resources.ts"
import type { ToolAnswer } from "./toolAnswers.ts"

/** The tools of a server, and the functions that answer their calls. */
export interface ToolServer<Name extends string> extends Offer<Name> {
  readonly call: (tool: Name, args: unknown) => Effect.Effect<ToolAnswer>
  /** Runs a call as a promise for the SDK, and interrupts it when the request is canceled. */
  readonly run: <A>(effect: Effect.Effect<A>, signal: AbortSignal) => Promise<A>
}

/** The revisions that both addresses speak, newest first. */
export const PROTOCOL_VERSIONS = ["2026-07-28", ...SUPPORTED_PROTOCOL_VERSIONS]

const SERVER_INFO = { name: packageJson.name, title: "Repayment of Record", version: packageJson.version }
const RULES_CAPABILITIES = { prompts: {}, completions: {} }

/** Only elicitation validates, and it is unused. The default would compile a validator per server. */
const NO_VALIDATOR = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "not validated here" })
}

/** Lists change only with a release. Rules are cached as long as those of GET /v1/rules. */
const FOR_AN_HOUR = { ttlMs: 3_600_000, cacheScope: "public" } as const
const CACHE_HINTS: NonNullable<ServerOptions["cacheHints"]> = {
  "server/discover": FOR_AN_HOUR,
  "tools/list": FOR_AN_HOUR,
  "prompts/list": FOR_AN_HOUR,
  "resources/list": FOR_AN_HOUR,
  "resources/templates/list": FOR_AN_HOUR,
  "resources/read": { ttlMs: 60_000, cacheScope: "public" }
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

const unknownTool = (name: string, tools: ReadonlyArray<{ readonly name: string }>) =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool ${fieldPath([name])}: send one of ${tools.map((tool) => tool.name).join(", ")}`
  )

const readResource = (uri: string, hasRules: boolean) => {
  const text = hasRules || uri === VIEW.uri ? resourceText(uri) : undefined
  if (text === undefined) throw new ResourceNotFoundError(fieldPath([uri]))
  return { contents: [{ uri, mimeType: uri === VIEW.uri ? VIEW.mimeType : JSON_MEDIA_TYPE, text }] }
}

const getPrompt = (name: string, given: Readonly<Record<string, string>> | undefined) => {
  const prompt = fillPrompt(name, given)
  if (prompt._tag === "Refused") throw new ProtocolError(ProtocolErrorCode.InvalidParams, prompt.message)
  const content = { type: "text" as const, text: prompt.text }
  return { description: prompt.description, messages: [{ role: "user" as const, content }] }
}

const NOTHING_TO_COMPLETE = { values: [], total: 0, hasMore: false }

/** The view of an answer, and the rules if the server has them. */
const offerResources = (server: Server, hasRules: boolean): void => {
  server.setRequestHandler("resources/list", () => ({ resources: hasRules ? RESOURCES : [VIEW] }))
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: hasRules ? RESOURCE_TEMPLATES : []
  }))
  server.setRequestHandler("resources/read", ({ params }) => readResource(params.uri, hasRules))
}

/** The prompts, and the completion of ids of rules. */
const offerRules = (server: Server): void => {
  server.setRequestHandler("prompts/list", () => ({ prompts: PROMPT_LIST }))
  server.setRequestHandler("prompts/get", ({ params }) => getPrompt(params.name, params.arguments))
  server.setRequestHandler("completion/complete", ({ params: { argument, ref } }) => {
    const completes = ref.type === "ref/resource" && ref.uri === CONSTANT_URI_TEMPLATE && argument.name === "id"
    return { completion: completes ? completeConstantId(argument.value) : NOTHING_TO_COMPLETE }
  })
}

/** A server for one connection; over HTTP, for one message. */
const makeServer = <Name extends string>({ call, hasRules, instructions, run, tools }: ToolServer<Name>): Server => {
  const server = new Server(SERVER_INFO, {
    capabilities: { tools: {}, resources: {}, ...(hasRules ? RULES_CAPABILITIES : {}) },
    instructions,
    jsonSchemaValidator: NO_VALIDATOR,
    cacheHints: CACHE_HINTS
  })
  server.setRequestHandler("tools/list", () => ({ tools: tools as unknown as Array<Tool> }))
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (tool === undefined) throw unknownTool(params.name, tools)
    return run(Effect.map(call(tool.name, params.arguments ?? {}), toolResult), mcpReq.signal)
  })
  offerResources(server, hasRules)
  if (hasRules) offerRules(server)
  return server
}

/** The parameters of each method that has more parameters than a list. */
const PARAMETERS = {
  initialize: specTypeSchemas.InitializeRequestParams,
  "tools/call": specTypeSchemas.CallToolRequestParams,
  "resources/read": specTypeSchemas.ReadResourceRequestParams,
  "prompts/get": specTypeSchemas.GetPromptRequestParams,
  "completion/complete": specTypeSchemas.CompleteRequestParams
} as const

const hasParameters = (method: string): method is keyof typeof PARAMETERS => Object.hasOwn(PARAMETERS, method)

/** A revision without a handshake has no `initialize`, whatever its parameters. */
const isUnknownHandshake = ({ method, params }: RpcMessage): boolean =>
  method === "initialize" && Object.hasOwn(Object(params?.["_meta"]), PROTOCOL_VERSION_META_KEY)

const TYPES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  number: "a number",
  object: "a JSON object",
  record: "a JSON object",
  string: "text"
}

/**
 * The correction of the first invalid parameter of a request. The SDK would report it in the words
 * of its validator, sometimes as an internal error.
 */
const invalidParameters = (message: RpcMessage): string | undefined => {
  const { method = "", params = {} } = message
  if (isUnknownHandshake(message)) return undefined
  if (method.endsWith("/list") && params["cursor"] !== undefined)
    return `Invalid params of ${echo(method)}: leave params.cursor out: this server gives none, because each list is whole`
  const schema = hasParameters(method) ? PARAMETERS[method] : specTypeSchemas.PaginatedRequestParams
  const [issue] = schema["~standard"].validate(params).issues ?? []
  if (issue === undefined) return undefined
  const path = (issue.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment))
  const place = fieldPath(["params", ...path.map((key) => (typeof key === "number" ? key : String(key)))])
  const type = TYPES[/expected (\w+)/.exec(issue.message)?.[1] ?? ""]
  return `Invalid params of ${echo(method)}: ${type === undefined ? `${place}: ${issue.message}` : `send ${type} in ${place}`}`
}

/** The JSON-RPC error of a request that the SDK would answer with a stream or a vague error. */
export const refusedRequest = (message: RpcMessage): RpcError | undefined => {
  const { id, method } = message
  if (method === undefined || id === undefined) return undefined
  if (method === "subscriptions/listen")
    return rpcError(RPC_CODES.methodNotFound, "Method not found: this server sends no notifications", id)
  const invalid = invalidParameters(message)
  return invalid === undefined ? undefined : rpcError(RPC_CODES.invalidParams, invalid, id)
}

const BOTH_FORMS = "application/json, text/event-stream"
const ACCEPTS_JSON = /(?:^|,)\s*(?:application\/(?:json|\*)|\*\/\*)\s*(?:[;,]|$)/i
/** The headers of the protocol. */
const PROTOCOL_HEADERS = ["mcp-protocol-version", "mcp-method", "mcp-name"]

type Headers = Readonly<Record<string, string | undefined>>

/** The request as the SDK expects it, without the key and the client's other headers. */
const webRequest = (sent: Headers): Request => {
  const { accept } = sent
  const headers: Record<string, string> = {
    "content-type": JSON_MEDIA_TYPE,
    // The SDK requires both types. Only JSON is ever sent, so a client may accept JSON alone.
    accept: accept === undefined || ACCEPTS_JSON.test(accept) ? BOTH_FORMS : accept
  }
  for (const name of PROTOCOL_HEADERS) if (sent[name] !== undefined) headers[name] = sent[name]
  return new Request("http://localhost/mcp", { method: "POST", headers })
}

interface HttpAnswer {
  readonly status: number
  /** The body is empty for a notification. */
  readonly body: string
}

/** Answers requests of one revision, each with its own server. */
interface Exchange {
  readonly fetch: (request: Request, sent: { readonly parsedBody: unknown }) => Promise<Response>
  readonly close: () => Promise<void>
}

/** Answers revision 2025-11-25 and earlier ones in JSON. The SDK's own handler would open a stream. */
const legacyExchange = <Name extends string>(server: ToolServer<Name>): Exchange => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  return {
    fetch: async (request, sent) => {
      await makeServer(server).connect(transport)
      return transport.handleRequest(request, sent)
    },
    close: () => transport.close()
  }
}

const modernExchange = <Name extends string>(server: ToolServer<Name>): Exchange =>
  createMcpHandler(() => makeServer(server), { legacy: "reject" })

/** Finds only a real error, because the quotes within any text are escaped. */
const ERROR = '"error":{"code":'

const printableAnswer = (body: string): string =>
  body.includes(ERROR) ? JSON.stringify(withPrintableError(JSON.parse(body))) : body

/** Answers one message. Its server is closed after the answer, or when the request is canceled. */
export const answerOverHttp = Effect.fnUntraced(function* <Name extends string>(
  server: ToolServer<Name>,
  message: RpcMessage,
  headers: Headers
) {
  const request = webRequest(headers)
  const isLegacy = yield* Effect.promise(() => isLegacyRequest(request, message))
  return yield* Effect.acquireUseRelease(
    Effect.sync(() => (isLegacy ? legacyExchange : modernExchange)(server)),
    (exchange) =>
      Effect.promise(async (): Promise<HttpAnswer> => {
        const response = await exchange.fetch(request, { parsedBody: message })
        return { status: response.status, body: printableAnswer(await response.text()) }
      }),
    (exchange) => Effect.promise(() => exchange.close())
  )
})

/** A transport other than HTTP, in the shape that the SDK expects. */
export interface Connection {
  onmessage?: (message: RpcMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  start(): Promise<void>
  send(message: object): Promise<void>
  close(): Promise<void>
}

/** Answers the messages of a connection until it closes. The first message decides the revision. */
export const serveConnection = <Name extends string>(server: ToolServer<Name>, connection: Connection) =>
  serveStdio(() => makeServer(server), { transport: connection as Transport })

/**
 * The tool servers on the service's own port: /mcp with a key, /mcp/open without. A key is admitted, limited and refused
 * as on the REST routes, before the body is read. Without a key, the address is limited as on the keyless routes. Errors
 * in a message get JSON-RPC errors. No request depends on another, so any replica can answer.
 */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { EXPLAINED_BODY_BYTES, LOAN_BOOK_BODY_BYTES, REQUEST_BOUNDS } from "../../schema/bounds.ts"
import type { Problem } from "../../schema/problems.ts"
import { ClientAddress } from "../http/address.ts"
import { Admission } from "../http/auth.ts"
import { makeBodies } from "../http/body.ts"
import { makeRefusals, problemDocument } from "../http/problems.ts"
import { CurrentRequestState } from "../http/requestState.ts"
import type { PlainRoute } from "../http/routes.ts"
import { AppConfig } from "../platform/config.ts"
import { spanned } from "../platform/telemetry.ts"
import type { Caller } from "../services/accounts/index.ts"
import { RateLimits } from "../services/scheduling/index.ts"
import { CARD_PATH, ServerCard } from "./card.ts"
import { MAX_STREAMS_PER_KEY, makeStreamPlaces, streamResponse } from "./idleStreams.ts"
import { makeKeyedCalculations } from "./keyedCalculations.ts"
import { holdsMore, RPC_CODES, type RpcError, type RpcMessage, readMessage, rpcError } from "./message.ts"
import { KEYED_OFFER, type Offer, OPEN_OFFER } from "./offers.ts"
import { makeOpenCalculations } from "./openCalculations.ts"
import { originCheck } from "./origin.ts"
import { answerOverHttp, refusedRequest } from "./protocol.ts"
import { JSON_MEDIA_TYPE } from "./resources.ts"
import { toolAnswer } from "./toolAnswers.ts"
import { openToolCallsOn, type Reply, toolCallsOn } from "./toolCalls.ts"

const PATH = "/mcp"
const OPEN_PATH = "/mcp/open"

const MCP_ROUTES: ReadonlyArray<PlainRoute> = [
  { method: "POST", path: PATH },
  { method: "GET", path: PATH },
  { method: "POST", path: OPEN_PATH },
  { method: "GET", path: CARD_PATH }
]

type Request = HttpServerRequest.HttpServerRequest

/** Longer than any message needs to be, except a tool call. */
const SHORT_MESSAGE_BYTES = 4096
/** A larger message is refused first, because the SDK would report every error in it. */
const MAX_VALUES = 500
/** CPU cost of an SDK server, in bytes of a body: about as much as a small projection. */
const SDK_BYTES = 8 * 1024

const refuse = (status: number, error: RpcError, headers: Record<string, string> = {}) =>
  HttpServerResponse.jsonUnsafe(error, { status, headers })

const otherSite = refuse(
  403,
  rpcError(
    RPC_CODES.refused,
    "Forbidden: web pages of another site may not use this server; programs should not send an Origin header"
  )
)
const noStream = refuse(
  406,
  rpcError(RPC_CODES.refused, "Not Acceptable: GET opens an event stream; send Accept: text/event-stream, or use POST")
)

/** In the protocol, this means that a server has no stream, so clients continue without one. */
const noMoreStreams = refuse(
  405,
  rpcError(
    RPC_CODES.refused,
    `Method Not Allowed: this key has ${MAX_STREAMS_PER_KEY} event streams open, which carry no messages; POST needs none`
  ),
  { allow: "POST" }
)

const tooMuch = rpcError(
  RPC_CODES.invalidRequest,
  `Invalid Request: apart from the arguments of a tool, a message holds at most ${MAX_VALUES} members and items`
)

/** The JSON-RPC error for a body that is not a message. */
const bodyRefused = (problem: Problem) => {
  const { detail, status } = problem
  if (!("errors" in problem)) {
    const headers = status === 413 ? { connection: "close" } : {}
    return refuse(status, rpcError(RPC_CODES.invalidRequest, `Invalid Request: ${detail}`), headers)
  }
  const [[field, messages] = ["body", []]] = Object.entries(problem.errors)
  return refuse(status, rpcError(RPC_CODES.parseError, `Parse error: ${field} ${messages[0]}`, null, problem.errors))
}

/**
 * Whether the key was refused, or its month used up, during the call. The call then gets the same
 * response as it would have had on arrival, not an answer of the tool.
 */
const isAdmissionProblem = ({ status }: Problem): boolean => status === 401 || status === 429

/** The parts of a message that the SDK checks. */
const checkedParts = (message: RpcMessage): unknown => {
  if (message.method !== "tools/call") return message
  const { arguments: _, ...others } = message.params ?? {}
  return { ...message, params: others }
}

/** Reads a body as a message. If it is not a message, or is refused, fails with the response. */
const messageOf = (text: string): Effect.Effect<RpcMessage, HttpServerResponse.HttpServerResponse> => {
  const reading = readMessage(JSON.parse(text))
  if (reading._tag === "NoMessage") return Effect.fail(refuse(400, reading.error))
  const { message } = reading
  if (holdsMore(checkedParts(message), MAX_VALUES)) return Effect.fail(refuse(400, tooMuch))
  const refused = refusedRequest(message)
  if (refused === undefined) return Effect.succeed(message)
  return Effect.fail(refuse(refused.error.code === RPC_CODES.methodNotFound ? 404 : 200, refused))
}

/** Answers a message at either address. Fails only with 401 and 429. */
const makeAnswer = Effect.gen(function* () {
  const { publicUrl } = yield* AppConfig
  return spanned(
    "Mcp.answer",
    Effect.fnUntraced(function* <Name extends string>(
      request: Request,
      message: RpcMessage,
      offer: Offer<Name>,
      callTool: (tool: Name, args: unknown) => Effect.Effect<Reply, Problem>
    ) {
      const { requestId } = yield* CurrentRequestState
      const documentOf = (problem: Problem): object => problemDocument(problem, publicUrl, requestId)
      let refused: Problem | undefined
      const note = (problem: Problem) =>
        Effect.sync(() => {
          if (isAdmissionProblem(problem)) refused = problem
        })
      // The arguments as they were sent, because the SDK silently drops one named __proto__.
      const { arguments: sent = {} } = message.params ?? {}
      const call = (tool: Name) => toolAnswer(Effect.tapError(callTool(tool, sent), note), documentOf)
      const context = yield* Effect.context()
      const run = <A>(effect: Effect.Effect<A>, signal: AbortSignal) =>
        Effect.runPromiseWith(context)(effect, { signal })
      const { body, status } = yield* answerOverHttp({ ...offer, call, run }, message, request.headers)
      // The SDK has only tool answers, so a refused admission replaces the whole response.
      if (refused !== undefined) return yield* Effect.fail(refused)
      return body === ""
        ? HttpServerResponse.empty({ status })
        : HttpServerResponse.text(body, { status, contentType: JSON_MEDIA_TYPE })
    })
  )
})

const makePost = Effect.gen(function* () {
  const calculationsOf = yield* makeKeyedCalculations
  const bodies = yield* makeBodies
  const answer = yield* makeAnswer

  /** An uncharged message uses no quota, so a long one counts as a refused body. */
  const countUncharged = (caller: Caller, text: string) =>
    CurrentRequestState.use(({ charge }) =>
      charge === "none" && text.length > SHORT_MESSAGE_BYTES ? bodies.count(caller.keyId) : Effect.void
    )

  const bounds = { limitBytes: LOAN_BOOK_BODY_BYTES, json: REQUEST_BOUNDS, workBytes: SDK_BYTES }
  return (request: Request, caller: Caller) => {
    const { keyId } = caller
    const callTool = toolCallsOn(calculationsOf(caller))
    return bodies.priced(keyId, bodies.received(request, bounds, { keyId, line: PATH })).pipe(
      Effect.mapError(bodyRefused),
      Effect.flatMap(({ text }) =>
        messageOf(text).pipe(
          Effect.flatMap((message) =>
            answer(request, message, KEYED_OFFER, (tool, args) => bodies.priced(keyId, callTool(tool, args)))
          ),
          Effect.ensuring(countUncharged(caller, text))
        )
      ),
      Effect.catchIf(HttpServerResponse.isHttpServerResponse, Effect.succeed)
    )
  }
})

/** Requests without a key. Calls, and long messages before they are read, count like keyless routes. */
const makeOpenPost = Effect.gen(function* () {
  const calculationsOf = yield* makeOpenCalculations
  const limits = yield* RateLimits
  const clients = yield* ClientAddress
  const bodies = yield* makeBodies
  const { limited } = yield* makeRefusals
  const answer = yield* makeAnswer

  const bounds = { limitBytes: EXPLAINED_BODY_BYTES, json: REQUEST_BOUNDS, workBytes: SDK_BYTES }
  return Effect.fnUntraced(
    function* (request: Request) {
      const address = yield* clients.of(request)
      const line = `${OPEN_PATH} ${address}`
      const take = Effect.catchTags(limits.consume("keyless", address), limited)
      const isShort = Number(request.headers["content-length"]) <= SHORT_MESSAGE_BYTES
      if (!isShort) yield* take
      const received = bodies.received(request, bounds, { keyId: undefined, line })
      const message = yield* messageOf((yield* Effect.mapError(received, bodyRefused)).text)
      if (isShort && message.method === "tools/call") yield* take
      const callTool = openToolCallsOn(calculationsOf({ bucket: "keyless", client: address, line }))
      return yield* answer(request, message, OPEN_OFFER, callTool)
    },
    Effect.catchIf(HttpServerResponse.isHttpServerResponse, Effect.succeed)
  )
})

const makeGet = () => {
  const places = makeStreamPlaces()
  return Effect.fnUntraced(function* (request: Request, caller: Caller) {
    if (!(request.headers["accept"] ?? "").includes("text/event-stream")) return noStream
    if (yield* places.take(caller.keyId)) return streamResponse(request)
    return noMoreStreams
  })
}

/** The routes of the tool servers, for the router of the main listener. */
const McpRoutes = Layer.unwrap(
  Effect.gen(function* () {
    const isAllowed = originCheck(yield* AppConfig)
    const { admit } = yield* Admission
    const post = yield* makePost
    const openPost = yield* makeOpenPost
    const get = makeGet()
    const ofAllowedOrigin = <E, R>(
      handle: (request: Request) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
    ) =>
      HttpServerRequest.HttpServerRequest.use((request) =>
        isAllowed(request.headers["origin"]) ? handle(request) : Effect.succeed(otherSite)
      )
    const admitted = <E, R>(
      handle: (request: Request, caller: Caller) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
    ) => ofAllowedOrigin((request) => admit(request, (caller) => handle(request, caller)))
    return Layer.mergeAll(
      HttpRouter.add("POST", PATH, admitted(post)),
      HttpRouter.add("GET", PATH, admitted(get)),
      HttpRouter.add("POST", OPEN_PATH, ofAllowedOrigin(openPost))
    )
  })
).pipe(Layer.provide([Admission.layer, ClientAddress.layer]))

/** The tool servers as routes outside the contract. */
export const McpSurface = { routes: MCP_ROUTES, layer: Layer.mergeAll(McpRoutes, ServerCard) }

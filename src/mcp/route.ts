/**
 * The tool server on the service's own port. A key is admitted, limited and refused exactly as on the REST routes,
 * before the body is read; what is wrong with a message is answered in the protocol's own words. No request depends on
 * another, so any replica answers.
 */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { LOAN_BOOK_BODY_BYTES } from "../../schema/middleware.ts"
import { type Problem, RateLimitedProblem } from "../../schema/problems.ts"
import { AppConfig } from "../config.ts"
import { makeAdmission } from "../http/auth.ts"
import { readJsonText } from "../http/body.ts"
import { CurrentExchange } from "../http/exchange.ts"
import { problemDocument } from "../http/problems.ts"
import type { PlainRoute } from "../http/routes.ts"
import type { Caller } from "../services/keys/Keys.ts"
import { MAX_STREAMS_PER_KEY, makeStreamPlaces, STREAM_SECONDS, streamResponse } from "./idleStreams.ts"
import { KEYED_INSTRUCTIONS } from "./instructions.ts"
import { makeKeyedCalculations } from "./keyedCalculations.ts"
import { RPC_CODES, type RpcError, readMessage, rpcError } from "./message.ts"
import { originCheck } from "./origin.ts"
import { answerOverHttp, invalidParameters, type ToolServer } from "./protocol.ts"
import { JSON_MEDIA_TYPE } from "./resources.ts"
import { toolAnswer } from "./toolAnswers.ts"
import { toolCallsOn } from "./toolCalls.ts"

const PATH = "/mcp"

const MCP_ROUTES: ReadonlyArray<PlainRoute> = [
  { method: "POST", path: PATH },
  { method: "GET", path: PATH }
]

type Request = HttpServerRequest.HttpServerRequest

const refuse = (status: number, error: RpcError, headers: Record<string, string> = {}) =>
  HttpServerResponse.jsonUnsafe(error, { status, headers })

const otherSite = refuse(
  403,
  rpcError(RPC_CODES.refused, "Forbidden: pages of another site may not use this server; programs send no Origin")
)
const noStream = refuse(
  406,
  rpcError(RPC_CODES.refused, "Not Acceptable: GET opens an event stream; send Accept: text/event-stream, or use POST")
)

/** What is wrong with a body before it is a message, as the protocol says it. */
const bodyRefused = (problem: Problem) => {
  const { detail, status } = problem
  if (!("errors" in problem)) {
    const headers = status === 413 ? { connection: "close" } : {}
    return refuse(status, rpcError(RPC_CODES.invalidRequest, `Invalid Request: ${detail}`), headers)
  }
  const [[field, messages] = ["body", []]] = Object.entries(problem.errors)
  return refuse(status, rpcError(RPC_CODES.parseError, `Parse error: ${field} ${messages[0]}`, problem.errors))
}

/** Refused by key or month while the call was under way: the same answer as at the door. */
const isForTheDoor = ({ status }: Problem): boolean => status === 401 || status === 429

const makePost = Effect.gen(function* () {
  const { publicUrl } = yield* AppConfig
  const calculationsOf = yield* makeKeyedCalculations

  /** Answers one message of a caller. Fails only with what is for the door. */
  const answer = Effect.fn("Mcp.answer")(function* (request: Request, caller: Caller, text: string) {
    const reading = readMessage(JSON.parse(text))
    if (reading._tag === "NoMessage") return refuse(400, reading.error)
    const invalid = invalidParameters(reading.message)
    if (invalid !== undefined) return HttpServerResponse.jsonUnsafe(invalid)
    const { requestId } = yield* CurrentExchange
    const callTool = toolCallsOn(calculationsOf(caller))
    let atTheDoor: Problem | undefined
    const documentOf = (problem: Problem): object => {
      if (isForTheDoor(problem)) atTheDoor = problem
      return problemDocument(problem, publicUrl, requestId)
    }
    const call: ToolServer["call"] = (tool, args) => toolAnswer(callTool(tool, args), documentOf)
    const context = yield* Effect.context()
    const run = <A>(effect: Effect.Effect<A>, signal: AbortSignal) => Effect.runPromiseWith(context)(effect, { signal })
    const { body, status } = yield* answerOverHttp(
      { instructions: KEYED_INSTRUCTIONS, call, run },
      {
        message: reading.message,
        accept: request.headers["accept"],
        protocolVersion: request.headers["mcp-protocol-version"]
      }
    )
    if (atTheDoor !== undefined) return yield* atTheDoor
    return body === ""
      ? HttpServerResponse.empty({ status })
      : HttpServerResponse.text(body, { status, contentType: JSON_MEDIA_TYPE })
  })

  return (request: Request, caller: Caller) =>
    readJsonText(request, LOAN_BOOK_BODY_BYTES).pipe(
      Effect.matchEffect({
        onFailure: (problem) => Effect.succeed(bodyRefused(problem)),
        onSuccess: (text) => answer(request, caller, text)
      })
    )
})

const makeGet = Effect.map(AppConfig, ({ paymentLink }) => {
  const places = makeStreamPlaces()
  return Effect.fnUntraced(function* (request: Request, caller: Caller) {
    if (!(request.headers["accept"] ?? "").includes("text/event-stream")) return noStream
    if (yield* places.take(caller.keyId)) return streamResponse(request)
    return yield* new RateLimitedProblem({
      detail: `This key has ${MAX_STREAMS_PER_KEY} event streams open, and they carry nothing. Close one, or do without.`,
      upgradeUrl: paymentLink,
      retryAfterSeconds: STREAM_SECONDS
    })
  })
})

/** POST and GET of the tool server, for the router of the main listener. */
const McpRoute = Layer.unwrap(
  Effect.gen(function* () {
    const isAllowed = originCheck(yield* AppConfig)
    const admit = yield* makeAdmission
    const post = yield* makePost
    const get = yield* makeGet
    const admitted = <E, R>(
      handle: (request: Request, caller: Caller) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
    ) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (!isAllowed(request.headers["origin"])) return otherSite
        return yield* handle(request, yield* admit(request))
      })
    return Layer.mergeAll(HttpRouter.add("POST", PATH, admitted(post)), HttpRouter.add("GET", PATH, admitted(get)))
  })
)

/** The tool server as a surface beside the contract. */
export const McpSurface = { routes: MCP_ROUTES, layer: McpRoute }

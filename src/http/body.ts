/**
 * Reads a request body once, within its limit, and makes sure that its text is JSON fit to be decoded. Decoding it
 * is left to the schemas.
 */
import { ByteSize, Context, Effect, Layer } from "effect"
import { HttpIncomingMessage, type HttpServerError, HttpServerRequest } from "effect/http"
import { BodyLimit, JsonBody } from "../../schema/middleware.ts"
import { PayloadTooLargeProblem, UnsupportedMediaTypeProblem, ValidationProblem } from "../../schema/problems.ts"
import { WHOLE_BODY } from "../request/fieldPath.ts"
import { scanJson } from "../request/jsonScan.ts"

type Request = HttpServerRequest.HttpServerRequest

/** application/json, in UTF-8 if it says at all. */
const isJson = (contentType: string | undefined): boolean => {
  const [type, ...parameters] = (contentType ?? "").split(";").map((part) => part.trim().toLowerCase())
  if (type !== "application/json") return false
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length)
  return charset === undefined || /^"?utf-?8"?$/.test(charset)
}

const isPlain = (contentEncoding: string | undefined): boolean =>
  contentEncoding === undefined || contentEncoding.trim().toLowerCase() === "identity"

const refuseBody = (path: string, message: string) => new ValidationProblem({ errors: { [path]: [message] } })

const tooLarge = (limitBytes: number) =>
  new PayloadTooLargeProblem({ detail: `A body may hold at most ${limitBytes} bytes here.` })

const isOverflow = (error: HttpServerError.HttpServerError): boolean =>
  error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const readBytes = (request: Request, limitBytes: number) =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limitBytes)),
    Effect.mapError((error) => (isOverflow(error) ? tooLarge(limitBytes) : refuseBody(WHOLE_BODY, "was cut off")))
  )

/** The text of a JSON body. Fails before reading where the headers already say that it cannot be accepted. */
export const readJsonText = Effect.fnUntraced(function* (request: Request, limitBytes: number) {
  if (!isJson(request.headers["content-type"]) || !isPlain(request.headers["content-encoding"])) {
    return yield* new UnsupportedMediaTypeProblem({})
  }
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) return yield* tooLarge(limitBytes)
  const bytes = yield* readBytes(request, limitBytes)
  const text = yield* Effect.try({
    try: () => utf8.decode(bytes),
    catch: () => refuseBody(WHOLE_BODY, "is not valid UTF-8")
  })
  const problem = scanJson(text)
  return problem === undefined ? text : yield* refuseBody(problem.path, problem.message)
})

/** The same request, whose text has been read. */
const withText = (request: Request, text: string): Request =>
  Object.create(request, { text: { value: Effect.succeed(text) } })

export const JsonBodyLive = Layer.succeed(JsonBody, (httpEffect, { endpoint }) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const text = yield* readJsonText(request, Context.get(endpoint.annotations, BodyLimit))
    return yield* Effect.provideService(httpEffect, HttpServerRequest.HttpServerRequest, withText(request, text))
  })
)

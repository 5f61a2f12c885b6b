/**
 * Reads a request body once, within its limit, and checks that its text is acceptable JSON. Decoding it is left to the
 * schemas.
 */
import { ByteSize, Context, Effect, Layer } from "effect"
import { HttpIncomingMessage, type HttpServerError, HttpServerRequest } from "effect/http"
import { BodyLimit, JsonBody } from "../../schema/middleware.ts"
import { PayloadTooLargeProblem, UnsupportedMediaTypeProblem, ValidationProblem } from "../../schema/problems.ts"
import { checkJson, decodeUtf8 } from "../request/decode.ts"
import { WHOLE_BODY } from "../request/fieldPath.ts"
import type { ScanProblem } from "../request/jsonScan.ts"

type Request = HttpServerRequest.HttpServerRequest

/** application/json; a charset, if there is one, is UTF-8. */
const isJson = (contentType: string | undefined): boolean => {
  const [type, ...parameters] = (contentType ?? "").split(";").map((part) => part.trim().toLowerCase())
  if (type !== "application/json") return false
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length)
  return charset === undefined || /^"?utf-?8"?$/.test(charset)
}

const isPlain = (contentEncoding: string | undefined): boolean =>
  contentEncoding === undefined || contentEncoding.trim().toLowerCase() === "identity"

const refuseBody = ({ message, path }: ScanProblem) => new ValidationProblem({ errors: { [path]: [message] } })

const tooLarge = (limitBytes: number) =>
  new PayloadTooLargeProblem({ detail: `The body of this request is limited to ${limitBytes} bytes.` })

const isOverflow = (error: HttpServerError.HttpServerError): boolean =>
  error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"

const readBytes = (request: Request, limitBytes: number) =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limitBytes)),
    Effect.mapError((error) =>
      isOverflow(error) ? tooLarge(limitBytes) : refuseBody({ path: WHOLE_BODY, message: "was cut off" })
    )
  )

/** The text of a JSON body. Fails before reading if the headers already show that it cannot be accepted. */
export const readJsonText = Effect.fnUntraced(function* (request: Request, limitBytes: number) {
  if (!isJson(request.headers["content-type"]) || !isPlain(request.headers["content-encoding"])) {
    return yield* new UnsupportedMediaTypeProblem({})
  }
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) return yield* tooLarge(limitBytes)
  const bytes = yield* readBytes(request, limitBytes)
  return yield* decodeUtf8(bytes).pipe(Effect.flatMap(checkJson), Effect.mapError(refuseBody))
})

/** The request with its checked text. `modify` of a server request cannot replace the body, so `text` is overridden. */
const withText = (request: Request, text: string): Request =>
  Object.create(request, { text: { value: Effect.succeed(text) } })

export const JsonBodyLive = Layer.succeed(JsonBody, (httpEffect, { endpoint }) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const text = yield* readJsonText(request, Context.get(endpoint.annotations, BodyLimit))
    return yield* Effect.provideService(httpEffect, HttpServerRequest.HttpServerRequest, withText(request, text))
  })
)

/**
 * Request body reader: enforces the size limit, waits for the client's turn, and checks the JSON
 * bounds. The same turn covers the decoding, which is left to the schemas. A refused body counts
 * against its key in proportion to its bytes.
 */
import { ByteSize, Context, Effect, Layer, Option } from "effect"
import { HttpIncomingMessage, HttpServerRequest } from "effect/http"
import type { JsonBounds } from "../../schema/bounds.ts"
import { BodyLimit, CurrentCaller, IsQueuedByAddress, JsonBody, JsonBoundsOf } from "../../schema/middleware.ts"
import {
  isProblem,
  PayloadTooLargeProblem,
  UnsupportedMediaTypeProblem,
  ValidationProblem
} from "../../schema/problems.ts"
import { checkJson, decodeStrictly, decodeUtf8, type StrictSchema } from "../request/decode.ts"
import { WHOLE_BODY } from "../request/fieldPath.ts"
import type { ScanProblem } from "../request/jsonScan.ts"
import { FairQueue } from "../services/scheduling/FairQueue.ts"
import { RateLimits } from "../services/scheduling/RateLimits.ts"
import { ClientAddress } from "./address.ts"
import { makeRefusals } from "./problems.ts"
import { CurrentRequestState } from "./requestState.ts"
import { bytesReceived } from "./unreadBodies.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Accepts application/json, with no charset or with UTF-8. */
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

/** Refuses a body whose headers already show that it is unacceptable. */
export const expectBody = (
  { headers }: Request,
  limitBytes: number
): Effect.Effect<void, UnsupportedMediaTypeProblem | PayloadTooLargeProblem> => {
  if (!isJson(headers["content-type"]) || !isPlain(headers["content-encoding"]))
    return Effect.fail(new UnsupportedMediaTypeProblem({}))
  return Number(headers["content-length"] ?? 0) > limitBytes ? Effect.fail(tooLarge(limitBytes)) : Effect.void
}

const readBytes = (request: Request, limitBytes: number) =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limitBytes)),
    Effect.mapBoth({
      onSuccess: (bytes) => new Uint8Array(bytes),
      onFailure: ({ reason }) =>
        reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
          ? tooLarge(limitBytes)
          : refuseBody({ path: WHOLE_BODY, message: "was cut off" })
    }),
    // Set for a body that was cut off or too large, too.
    Effect.ensuring(
      Effect.map(CurrentRequestState, (requestState) => {
        requestState.bodyBytes = bytesReceived(request.source)
      })
    )
  )

/** A refused body counts once per started 8 KiB, in proportion to the work of refusing it. */
const BYTES_PER_REFUSAL = 8 * 1024

/** Statuses of refusals that the body caused: unacceptable, or impossible to compute. */
const BODY_FAULT_STATUSES: ReadonlyArray<number> = [400, 413, 415]

const refusesBody = (error: unknown): boolean => isProblem(error) && BODY_FAULT_STATUSES.includes(error.status)

const decoded = (bytes: Uint8Array) => Effect.mapError(decodeUtf8(bytes), refuseBody)

interface Bounds {
  readonly limitBytes: number
  readonly json: JsonBounds
}

/** Sender of a body: a key, or anonymous clients that share the fair-queue client `line`. */
interface Sender {
  readonly keyId: string | undefined
  readonly line: string
}

/** Body reader, with the counting of refused bodies against their key. */
export const makeBodies = Effect.gen(function* () {
  const fairQueue = yield* FairQueue
  const limits = yield* RateLimits
  const { limited, overload } = yield* makeRefusals
  /** Counts the body against the key as a refused one, at most once. */
  const count = (keyId: string): Effect.Effect<void> =>
    Effect.flatMap(CurrentRequestState, (requestState) => {
      if (requestState.isBodyCounted) return Effect.void
      requestState.isBodyCounted = true
      return limits.count("refused", keyId, Math.max(1, Math.ceil(requestState.bodyBytes / BYTES_PER_REFUSAL)))
    })
  /** Reads the bytes and waits for the client's turn. An interrupted body counts as refused. */
  const sent = Effect.fnUntraced(function* (request: Request, limitBytes: number, sender: Sender) {
    const { keyId, line } = sender
    const bytes = yield* Effect.onInterrupt(readBytes(request, limitBytes), () =>
      keyId === undefined ? Effect.void : count(keyId)
    )
    const requestState = yield* CurrentRequestState
    requestState.line = keyId ?? line
    yield* fairQueue.take(requestState.line, bytes.byteLength).pipe(Effect.catchTags(overload))
    return bytes
  })
  return {
    /** Text of an anonymous body exactly as sent. The caller has checked its headers. */
    sent: (request: Request, limitBytes: number, line: string) =>
      Effect.flatMap(sent(request, limitBytes, { keyId: undefined, line }), decoded),
    /** Text of a JSON body, in the turn of its key, or of `line` if it is anonymous. */
    text: Effect.fnUntraced(function* (request: Request, { json, limitBytes }: Bounds, sender: Sender) {
      const { keyId } = sender
      yield* expectBody(request, limitBytes)
      const bytes = yield* sent(request, limitBytes, sender)
      // Checked again: other bodies of the key may have been refused in the meantime.
      if (keyId !== undefined) yield* limits.check("refused", keyId).pipe(Effect.catchTags(limited))
      const text = yield* Effect.flatMap(decoded(bytes), (sent) => Effect.mapError(checkJson(sent, json), refuseBody))
      const requestState = yield* CurrentRequestState
      requestState.bodyText = text
      return text
    }),
    count,
    /** Counts the body against the key if the request is refused because of it. */
    priced: <A, E, R>(keyId: string, answer: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.tapError(answer, (error) => (refusesBody(error) ? count(keyId) : Effect.void))
  }
})

/**
 * Anonymous bodies share one fair-queue client per route, so a flood of one route barely delays
 * others. Routes with large bodies have one per address.
 */
export const JsonBodyLive = Layer.effect(
  JsonBody,
  Effect.gen(function* () {
    const bodies = yield* makeBodies
    const clients = yield* ClientAddress
    return (httpEffect, { endpoint }) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const keyId = Option.getOrUndefined(yield* Effect.serviceOption(CurrentCaller))?.keyId
        const { annotations, path } = endpoint
        const line = Context.get(annotations, IsQueuedByAddress) ? `${path} ${yield* clients.of(request)}` : path
        const bounds = { limitBytes: Context.get(annotations, BodyLimit), json: Context.get(annotations, JsonBoundsOf) }
        const answer = bodies.text(request, bounds, { keyId, line }).pipe(Effect.andThen(httpEffect))
        return yield* keyId === undefined ? answer : bodies.priced(keyId, answer)
      })
  })
).pipe(Layer.provide(ClientAddress.layer))

/**
 * Decodes the checked body of the request. Handlers use this instead of the framework's decoder,
 * which would collect every error of a refused body.
 */
export const bodyOf = <S extends StrictSchema>(schema: S) => {
  const decode = decodeStrictly(schema)
  return Effect.flatMap(CurrentRequestState, ({ bodyText }) =>
    Effect.mapError(decode(JSON.parse(bodyText)), (errors) => new ValidationProblem({ errors }))
  )
}

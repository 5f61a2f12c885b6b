/**
 * Request body reader: enforces the size limit, waits for the client's turn, and checks the JSON
 * bounds. The same turn covers the decoding, which is left to the schemas. A body that is refused, or
 * repeats a call, counts against its key in proportion to its bytes.
 */
import type { IncomingMessage } from "node:http"
import { Context, Effect, Layer, Option, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import type { JsonBounds } from "../../schema/bounds.ts"
import {
  BodyLimit,
  CurrentCaller,
  IsQueuedByAddress,
  JsonBody,
  JsonBoundsOf,
  SentBody
} from "../../schema/middleware.ts"
import {
  isProblem,
  PayloadTooLargeProblem,
  UnsupportedMediaTypeProblem,
  ValidationProblem
} from "../../schema/problems.ts"
import { checkJson, decodeUtf8, readStrictly, type StrictSchema } from "../request/decode.ts"
import { WHOLE_BODY } from "../request/fieldPath.ts"
import type { ScanProblem } from "../request/jsonScan.ts"
import { FairQueue, RateLimits } from "../services/scheduling/index.ts"
import { ClientAddress } from "./address.ts"
import { makeRefusals } from "./problems.ts"
import { CurrentRequestState } from "./requestState.ts"
import { bytesReceived } from "./unreadBodies.ts"

type Request = HttpServerRequest.HttpServerRequest

const JSON_MEDIA_TYPE = "application/json"

/** Accepts application/json, with no charset or with UTF-8. */
const isJson = (contentType: string | undefined): boolean => {
  if (contentType === JSON_MEDIA_TYPE) return true
  const [type, ...parameters] = (contentType ?? "").split(";").map((part) => part.trim().toLowerCase())
  if (type !== JSON_MEDIA_TYPE) return false
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

/** Sends the 100 Continue that a client may wait for, through the framework. */
const askForBody = (request: Request): void => (request as { readonly writeContinue?: () => void }).writeContinue?.()

const cutOff = () =>
  Effect.fail(refuseBody({ path: WHOLE_BODY, message: "ended before all of it had arrived: send it again" }))

/** A body that has arrived in full; undefined if it is incomplete or was refused. */
const bytesAtHand = (message: IncomingMessage): Buffer | undefined => {
  const length = Number(message.headers["content-length"] ?? 0)
  if (length === 0 || message.readableLength !== length || !message.socket.writable) return undefined
  const bytes = message.read() as Buffer
  // Node waits for the end of a body before it goes on with the connection.
  message.resume()
  return bytes
}

/**
 * The bytes of a body. They are read from Node's message, because the framework's reader takes three
 * times as long. `onStop` is called when the reading ends; an interrupt ends it, too, and then runs
 * `interrupted`.
 */
const readBytes = (
  request: Request,
  limitBytes: number,
  onStop: () => void,
  interrupted: Effect.Effect<void>
): Effect.Effect<Buffer, PayloadTooLargeProblem | ValidationProblem> => {
  const message = request.source as IncomingMessage
  const whole = bytesAtHand(message)
  if (whole !== undefined) {
    askForBody(request)
    onStop()
    return whole.length > limitBytes ? Effect.fail(tooLarge(limitBytes)) : Effect.succeed(whole)
  }
  return Effect.callback((resume) => {
    const chunks: Array<Buffer> = []
    let length = 0
    const stop = () => {
      message.off("data", onData).off("end", onEnd).off("close", onClose)
      onStop()
    }
    const onEnd = () => {
      stop()
      resume(Effect.succeed(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)))
    }
    const onClose = () => {
      stop()
      resume(cutOff())
    }
    const onData = (chunk: Buffer) => {
      length += chunk.length
      chunks.push(chunk)
      if (length <= limitBytes) return
      stop()
      message.pause()
      resume(Effect.fail(tooLarge(limitBytes)))
    }
    if (message.destroyed) return onClose()
    message.on("data", onData).on("end", onEnd).on("close", onClose)
    askForBody(request)
    return Effect.andThen(Effect.sync(stop), interrupted)
  })
}

/** A refused body counts once per started 8 KiB, in proportion to the work of refusing it. */
const BYTES_PER_REFUSAL = 8 * 1024

/**
 * Statuses of refusals that the body caused, because it is unacceptable, cannot be computed, or
 * differs from the body first sent with its Idempotency-Key.
 */
const BODY_FAULT_STATUSES: ReadonlyArray<number> = [400, 413, 415, 422]

const refusesBody = (error: unknown): boolean => isProblem(error) && BODY_FAULT_STATUSES.includes(error.status)

/** The text of a body, if it is JSON within the bounds; any UTF-8 without bounds. */
const textOf = (bytes: Uint8Array, bounds?: JsonBounds): Effect.Effect<string, ValidationProblem> => {
  const decoded = decodeUtf8(bytes)
  const text = bounds === undefined ? decoded : Result.flatMap(decoded, (sent) => checkJson(sent, bounds))
  return Result.isSuccess(text) ? Effect.succeed(text.success) : Effect.fail(refuseBody(text.failure))
}

interface Bounds {
  readonly limitBytes: number
  readonly json: JsonBounds
  /** The cost of handling the body apart from its length, as bytes of a body. */
  readonly workBytes?: number
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
    CurrentRequestState.use((requestState) => {
      if (requestState.isBodyCounted) return Effect.void
      requestState.isBodyCounted = true
      return limits.count("refused", keyId, Math.max(1, Math.ceil(requestState.bodyBytes / BYTES_PER_REFUSAL)))
    })
  /** Reads the bytes and waits for the client's turn. An interrupted body counts as refused. */
  const sent = (request: Request, limitBytes: number, { keyId, line }: Sender, workBytes = 0) =>
    CurrentRequestState.use((requestState) => {
      const onStop = () => {
        // Counts the bytes of a body that was cut off or too large, too.
        requestState.bodyBytes = bytesReceived(request.source)
      }
      const interrupted = keyId === undefined ? Effect.void : count(keyId)
      return Effect.flatMap(readBytes(request, limitBytes, onStop, interrupted), (bytes) =>
        Effect.as(Effect.catchTags(fairQueue.take(keyId ?? line, bytes.byteLength + workBytes), overload), bytes)
      )
    })
  /** Other bodies of the key may have been refused since it was admitted. */
  const checkKey = (keyId: string) => Effect.catchTags(limits.check("refused", keyId), limited)
  return {
    /** Text of an anonymous body exactly as sent. The caller has checked its headers. */
    sent: (request: Request, limitBytes: number, line: string) =>
      Effect.flatMap(sent(request, limitBytes, { keyId: undefined, line }), (bytes) => textOf(bytes)),
    /** A JSON body, in the turn of its key, or of `line` if it is anonymous. */
    received: (request: Request, { json, limitBytes, workBytes }: Bounds, sender: Sender) => {
      const { keyId, line } = sender
      const bodyOf = (bytes: Uint8Array) =>
        Effect.map(textOf(bytes, json), (text): SentBody["Service"] => ({ text, line: keyId ?? line }))
      const checkedBodyOf = (bytes: Uint8Array) =>
        keyId === undefined ? bodyOf(bytes) : Effect.andThen(checkKey(keyId), bodyOf(bytes))
      return Effect.andThen(
        expectBody(request, limitBytes),
        Effect.flatMap(sent(request, limitBytes, sender, workBytes), checkedBodyOf)
      )
    },
    count,
    /**
     * Counts the body against the key if it caused the refusal of the request. A repeated call
     * counts, too, because its answer is computed again without a quota.
     */
    priced: <A, E, R>(keyId: string, answer: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.tapError(answer, (error) => (refusesBody(error) ? count(keyId) : Effect.void)).pipe(
        Effect.ensuring(CurrentRequestState.use(({ charge }) => (charge === "repeated" ? count(keyId) : Effect.void)))
      )
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
    return (httpEffect, { endpoint: { annotations, path } }) => {
      const isByAddress = Context.get(annotations, IsQueuedByAddress)
      const bounds = { limitBytes: Context.get(annotations, BodyLimit), json: Context.get(annotations, JsonBoundsOf) }
      return Effect.withFiber((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        const keyId = Option.getOrUndefined(Context.getOption(fiber.context, CurrentCaller))?.keyId
        const answerIn = (line: string) =>
          Effect.flatMap(bodies.received(request, bounds, { keyId, line }), (body) =>
            Effect.provideService(httpEffect, SentBody, body)
          )
        if (keyId !== undefined) return bodies.priced(keyId, answerIn(path))
        return isByAddress
          ? Effect.flatMap(clients.of(request), (address) => answerIn(`${path} ${address}`))
          : answerIn(path)
      })
    }
  })
).pipe(Layer.provide(ClientAddress.layer))

/**
 * Decodes the checked body of the request. Handlers use this instead of the framework's decoder,
 * which would collect every error of a refused body.
 */
export const bodyOf = <S extends StrictSchema>(schema: S) => {
  const read = readStrictly(schema)
  return SentBody.use(({ text }): Effect.Effect<S["Type"], ValidationProblem> => {
    const body = read(JSON.parse(text))
    return Result.isSuccess(body)
      ? Effect.succeed(body.success)
      : Effect.fail(new ValidationProblem({ errors: body.failure }))
  })
}

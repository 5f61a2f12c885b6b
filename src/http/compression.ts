/**
 * Answers in fewer bytes, for callers that accept it. Left as they are: what fits into a packet, streams of events, and
 * responses with a key: beside text that a stranger chose, the length would tell of the secret.
 */
import { Effect, Layer } from "effect"
import { HttpMiddleware, HttpPlatform, HttpServerRequest, HttpServerResponse } from "effect/http"
import { isEncodedOnce } from "./etag.ts"

type Compression = HttpPlatform.HttpPlatform["Service"]["compression"]

const MIN_BYTES = 1400
/** The lowest: an answer shrinks to less than a third, a tenth more would take four times as long. */
const LEVELS = { br: 1, gzip: 1 }
const isCompressible = (contentType: string): boolean =>
  /^(text\/(?!event-stream)|application\/([a-z]+\+)?json)/.test(contentType)

const compress = HttpMiddleware.compression({
  algorithms: ["br", "gzip"],
  minSize: MIN_BYTES,
  levels: LEVELS,
  compressible: isCompressible
})

const WITH_KEYS = "/v1/keys/"

export const compressed = <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
    url.startsWith(WITH_KEYS) ? answer : compress(answer)
  )

const OF_THE_ENCODING = ["content-encoding", "content-length", "vary"]

/**
 * The response with the body of one like it that was compressed. Its ETag stays the version, and strong: no part of a body
 * is ever served, so nothing asks whether two encodings of it are the same bytes.
 */
const inFewerBytes = (
  response: HttpServerResponse.HttpServerResponse,
  { body, headers }: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeaders(
    HttpServerResponse.setBody(response, body),
    OF_THE_ENCODING.flatMap(
      (name): Array<[string, string]> => (headers[name] === undefined ? [] : [[name, headers[name]]])
    )
  )

/** Compresses a body that never changes once for each algorithm: anybody may ask for one as often as he likes. */
const remembering = (compression: Compression): Compression => {
  const known = new WeakMap<Uint8Array, Map<string, ReturnType<Compression["compressResponse"]>>>()
  return {
    algorithms: compression.algorithms,
    compressResponse: (response, algorithm, options) => {
      const fresh = compression.compressResponse(response, algorithm, options)
      const { body } = response
      if (body._tag !== "Uint8Array" || !isEncodedOnce(body.body)) return fresh
      const ways = known.get(body.body) ?? new Map<string, typeof fresh>()
      known.set(body.body, ways)
      const once = ways.get(algorithm) ?? Effect.runSync(Effect.cached(Effect.uninterruptible(fresh)))
      ways.set(algorithm, once)
      return Effect.map(once, (made) => inFewerBytes(response, made))
    }
  }
}

export const rememberingPlatform = Layer.effect(
  HttpPlatform.HttpPlatform,
  Effect.map(HttpPlatform.HttpPlatform, (platform) =>
    HttpPlatform.HttpPlatform.of({ ...platform, compression: remembering(platform.compression) })
  )
)

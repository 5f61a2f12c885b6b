/**
 * Response compression for clients that accept it. Responses that fit into a packet, event streams
 * and responses with a key stay uncompressed: next to attacker-chosen text, the length leaks the
 * key.
 */
import { Effect, Layer } from "effect"
import { HttpMiddleware, HttpPlatform, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { isEncodedOnce } from "./etag.ts"
import { isCompressible } from "./negotiation.ts"

type Compression = HttpPlatform.HttpPlatform["Service"]["compression"]

const MIN_BYTES = 1400
/** The lowest level shrinks answers below a third; another tenth would take four times as long. */
const LEVELS = { br: 1, gzip: 1 }

const compress = HttpMiddleware.compression({
  algorithms: ["br", "gzip"],
  minSize: MIN_BYTES,
  levels: LEVELS,
  compressible: isCompressible
})

const WITH_KEYS = "/v1/keys/"

export const compressed = <E, R>(
  { url }: HttpServerRequest.HttpServerRequest,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) => (url.startsWith(WITH_KEYS) ? answer : compress(answer))

const ENCODING_HEADERS = ["content-encoding", "content-length", "vary"]

/**
 * The response with the compressed body of an identical response. Its ETag stays strong, because no
 * ranges are served. So no client compares the bytes of two encodings.
 */
const withCompressedBody = (
  response: HttpServerResponse.HttpServerResponse,
  { body, headers }: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeaders(
    HttpServerResponse.setBody(response, body),
    ENCODING_HEADERS.flatMap(
      (name): Array<[string, string]> => (headers[name] === undefined ? [] : [[name, headers[name]]])
    )
  )

/** Compresses a body that never changes only once per algorithm, however often it is requested. */
const withCache = (compression: Compression): Compression => {
  const cache = new WeakMap<Uint8Array, Map<string, ReturnType<Compression["compressResponse"]>>>()
  return {
    algorithms: compression.algorithms,
    compressResponse: (response, algorithm, options) => {
      const fresh = compression.compressResponse(response, algorithm, options)
      const { body } = response
      if (body._tag !== "Uint8Array" || !isEncodedOnce(body.body)) return fresh
      const byAlgorithm = cache.get(body.body) ?? new Map<string, typeof fresh>()
      cache.set(body.body, byAlgorithm)
      const shared = byAlgorithm.get(algorithm) ?? Effect.runSync(Effect.cached(Effect.uninterruptible(fresh)))
      byAlgorithm.set(algorithm, shared)
      return Effect.map(shared, (result) => withCompressedBody(response, result))
    }
  }
}

export const rememberingPlatform = Layer.effect(
  HttpPlatform.HttpPlatform,
  Effect.map(HttpPlatform.HttpPlatform, (platform) =>
    HttpPlatform.HttpPlatform.of({ ...platform, compression: withCache(platform.compression) })
  )
)

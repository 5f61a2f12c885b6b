/**
 * A response whose body never changes, encoded once. A text body would be encoded again for every request, and a client
 * that does not read its response would keep that copy in memory for as long as the connection lasts.
 */
import { HttpBody, HttpServerResponse } from "effect/http"

const bodies = new WeakSet<Uint8Array>()

export const encodedOnce = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  if (response.body._tag !== "Uint8Array") return response
  bodies.add(response.body.body)
  return HttpServerResponse.setBody(response, HttpBody.uint8Array(response.body.body, response.body.contentType))
}

export const isEncodedOnce = (body: Uint8Array): boolean => bodies.has(body)

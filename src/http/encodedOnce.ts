/**
 * A response whose body never differs, encoded once. As text every request would encode a copy of its own, and a client
 * that does not read would hold that copy in memory for as long as its connection lasts.
 */
import { HttpBody, HttpServerResponse } from "effect/http"

export const encodedOnce = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse =>
  response.body._tag === "Uint8Array"
    ? HttpServerResponse.setBody(response, HttpBody.uint8Array(response.body.body, response.body.contentType))
    : response

/**
 * Conditional requests on a strong ETag. If-None-Match compares weakly (RFC 9110, 13.1.2); a version without quotes
 * matches too.
 */
import { hash } from "node:crypto"
import { Headers, HttpBody, HttpServerResponse } from "effect/http"

export const etagOf = (version: string): string => `"${version}"`

const opaque = (tag: string): string =>
  tag
    .trim()
    .replace(/^W\//, "")
    .replace(/^"(.*)"$/, "$1")

/** More tags than anybody keeps; the rest is not looked at. */
const MOST_TAGS = 32

export const matchesEtag = (ifNoneMatch: string | undefined, version: string): boolean =>
  ifNoneMatch?.split(",", MOST_TAGS).some((tag) => tag.trim() === "*" || opaque(tag) === version) ?? false

/** Caches keep the response for as long as they want. */
const IMMUTABLE = "public, max-age=31536000, immutable"

const OF_THE_BODY = ["content-length", "content-type"]

/** The response, which never changes, with a hash of its body as the ETag; 304 for a client that has that body. */
export const immutable = (
  response: HttpServerResponse.HttpServerResponse,
  ifNoneMatch: string | undefined
): HttpServerResponse.HttpServerResponse => {
  const { body, headers } = response
  if (body._tag !== "Uint8Array") return response
  const version = hash("sha256", body.text ?? body.body, "base64url")
  const kept = { etag: etagOf(version), "cache-control": IMMUTABLE }
  return matchesEtag(ifNoneMatch, version)
    ? HttpServerResponse.empty({ status: 304, headers: { ...Headers.removeMany(headers, OF_THE_BODY), ...kept } })
    : HttpServerResponse.setHeaders(response, kept)
}

const bodies = new WeakSet<Uint8Array>()

export const encodedOnce = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  if (response.body._tag !== "Uint8Array") return response
  bodies.add(response.body.body)
  return HttpServerResponse.setBody(response, HttpBody.uint8Array(response.body.body, response.body.contentType))
}

export const isEncodedOnce = (body: Uint8Array): boolean => bodies.has(body)

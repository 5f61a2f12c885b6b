/**
 * Conditional requests on a strong ETag. If-None-Match compares weakly (RFC 9110, 13.1.2); a
 * version without quotes matches too.
 */
import { hash } from "node:crypto"
import { Headers, HttpBody, HttpServerResponse } from "effect/http"
import { isCompressible } from "./negotiation.ts"

export const etagOf = (version: string): string => `"${version}"`

const opaque = (tag: string): string =>
  tag
    .trim()
    .replace(/^W\//, "")
    .replace(/^"(.*)"$/, "$1")

/** More tags than any client sends; the rest are ignored. */
const MAX_TAGS = 32

export const matchesEtag = (ifNoneMatch: string | undefined, version: string): boolean =>
  ifNoneMatch?.split(",", MAX_TAGS).some((tag) => tag.trim() === "*" || opaque(tag) === version) ?? false

/** Caches may keep the response for a year without asking again. */
const IMMUTABLE = "public, max-age=31536000, immutable"

const BODY_HEADERS = ["content-length", "content-type"]

/** The response with the hash of its body as ETag. */
export const tagged = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  const { body } = response
  if (body._tag !== "Uint8Array") return response
  return HttpServerResponse.setHeader(response, "etag", etagOf(hash("sha256", body.text ?? body.body, "base64url")))
}

/** The Vary of a response, which it gets when it is compressed or might have been. */
const varyOf = ({ headers }: HttpServerResponse.HttpServerResponse): Record<string, string> =>
  isCompressible(headers["content-type"] ?? "")
    ? { vary: headers["vary"] === undefined ? "Accept-Encoding" : `${headers["vary"]}, Accept-Encoding` }
    : {}

/** 304 if the client has the body, by its ETag. */
export const unlessHeld = (
  response: HttpServerResponse.HttpServerResponse,
  ifNoneMatch: string | undefined
): HttpServerResponse.HttpServerResponse => {
  const { etag } = response.headers
  return etag !== undefined && matchesEtag(ifNoneMatch, opaque(etag))
    ? HttpServerResponse.empty({
        status: 304,
        headers: { ...Headers.removeMany(response.headers, BODY_HEADERS), ...varyOf(response) }
      })
    : response
}

/** Immutable response with the hash of its body as ETag; 304 if the client has that body. */
export const immutable = (
  response: HttpServerResponse.HttpServerResponse,
  ifNoneMatch: string | undefined
): HttpServerResponse.HttpServerResponse =>
  response.body._tag === "Uint8Array"
    ? unlessHeld(HttpServerResponse.setHeader(tagged(response), "cache-control", IMMUTABLE), ifNoneMatch)
    : response

const bodies = new WeakSet<Uint8Array>()

/** Marks a response that is sent again and again, so that its compressed forms are cached too. */
export const encodedOnce = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  if (response.body._tag !== "Uint8Array") return response
  bodies.add(response.body.body)
  return HttpServerResponse.setBody(response, HttpBody.uint8Array(response.body.body, response.body.contentType))
}

export const isEncodedOnce = (body: Uint8Array): boolean => bodies.has(body)

/**
 * Checks of a request head that Node's parser leaves out: one valid Host, and a valid target.
 * Reads the head as sent, because Effect normalizes a target in absolute form (RFC 9112, 3.2.2).
 */
import type { IncomingMessage } from "node:http"
import type { HttpServerRequest } from "effect/http"

type Request = HttpServerRequest.HttpServerRequest

/** The fields read here. A request that did not arrive over a socket has no raw headers. */
type Source = Pick<IncomingMessage, "url"> & Partial<Pick<IncomingMessage, "httpVersion" | "rawHeaders">>

const sourceOf = (request: Request): Source => request.source as Source

const isNamed = (field: string, name: string): boolean => field.length === name.length && field.toLowerCase() === name

/** The values of a header, one per line that carries it: Node drops or joins repeated lines. */
export const linesOf = (request: Request, name: string): ReadonlyArray<string> => {
  const { rawHeaders = [] } = sourceOf(request)
  return rawHeaders.filter((_, index) => index % 2 === 1 && isNamed(rawHeaders[index - 1]!, name))
}

/** uri-host and an optional port (RFC 9110, 7.2). It may be empty. */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i
/** Scheme and authority of a target in absolute form. */
const ORIGIN = /^https?:\/\/([^/?#]*)/i

const isTarget = (target: string): boolean => {
  const authority = ORIGIN.exec(target)?.[1]
  return authority === undefined || (authority !== "" && HOST.test(authority) && URL.canParse(target))
}

/** HTTP/1.1 requires Host, 1.0 does not; two or an invalid one are malformed (RFC 9112, 3.2). */
export const isMalformed = (request: Request): boolean => {
  const { headers } = request
  const { httpVersion, url = "" } = sourceOf(request)
  const hosts = linesOf(request, "host")
  const isMissing = hosts.length === 0 && httpVersion !== undefined && httpVersion !== "1.0"
  const coding = headers["transfer-encoding"]
  // Any other coding would be read as the body itself. HTTP/1.0 has no codings, so a proxy of that
  // version may have split the requests differently (RFC 9112, 6.1).
  if (coding !== undefined && (coding.trim().toLowerCase() !== "chunked" || httpVersion === "1.0")) return true
  // The parser lets other versions pass.
  if (httpVersion !== undefined && !httpVersion.startsWith("1.")) return true
  return isMissing || hosts.length > 1 || !hosts.every((host) => HOST.test(host)) || !isTarget(url)
}

/** Escapes the characters at which the router would cut the path. */
export const routable = (path: string): string => path.replace(/[;#]/g, encodeURIComponent)

/** The request with a path that the router does not cut. */
export const withRoutablePath = (request: Request): Request =>
  /[;#]/.test(request.url) ? request.modify({ url: request.url.replace(/^[^?]*/, routable) }) : request

export const sentTarget = (request: Request): string => sourceOf(request).url ?? ""

const pathOf = (target: string): string => target.split("?", 1)[0]!

/** The path as it was sent; undefined if the router would see a different one. */
export const sentPath = (request: Request): string | undefined => {
  const { url = "" } = sourceOf(request)
  if (url === request.url) return pathOf(url)
  const path = pathOf(url.replace(ORIGIN, "")) || "/"
  return path === pathOf(request.url) ? path : undefined
}

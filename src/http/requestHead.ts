/**
 * What HTTP asks of the head of a request and Node's parser leaves open: one valid Host, and a target that is a path.
 * Reads the head as it was sent, where Effect shows a target that names a host (RFC 9112, 3.2.2) as URL normalizes it.
 */
import type { IncomingMessage } from "node:http"
import type { HttpServerRequest } from "effect/http"

type Request = HttpServerRequest.HttpServerRequest

/** What is read here; a request that did not come over a socket has no raw headers. */
type Source = Pick<IncomingMessage, "url"> & Partial<Pick<IncomingMessage, "httpVersion" | "rawHeaders">>

const sourceOf = (request: Request): Source => request.source as Source

const isNamed = (field: string, name: string): boolean => field.length === name.length && field.toLowerCase() === name

/** The values of a header, one for each line that carries it: Node drops or joins repeated lines. */
export const linesOf = (request: Request, name: string): ReadonlyArray<string> => {
  const { rawHeaders = [] } = sourceOf(request)
  return rawHeaders.filter((_, index) => index % 2 === 1 && isNamed(rawHeaders[index - 1]!, name))
}

/** uri-host and an optional port (RFC 9110, 7.2). It may be empty. */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i
/** The part of a target before its path, if it names a host. */
const ORIGIN = /^https?:\/\/([^/?#]*)/i

const isTarget = (target: string): boolean => {
  const authority = ORIGIN.exec(target)?.[1]
  return authority === undefined || (authority !== "" && HOST.test(authority) && URL.canParse(target))
}

/** HTTP/1.1 requires a Host header, 1.0 does not, and neither allows two or one that is no host (RFC 9112, 3.2). */
export const isMalformed = (request: Request): boolean => {
  const { headers } = request
  const { httpVersion, url = "" } = sourceOf(request)
  const hosts = linesOf(request, "host")
  const isMissing = hosts.length === 0 && httpVersion !== undefined && httpVersion !== "1.0"
  const coding = headers["transfer-encoding"]
  // A coding that nobody takes off would be read as if it were the body (RFC 9112, 6.1).
  if (coding !== undefined && coding.trim().toLowerCase() !== "chunked") return true
  // What the parser lets pass as another version is no request of this protocol.
  if (httpVersion !== undefined && !httpVersion.startsWith("1.")) return true
  return isMissing || hosts.length > 1 || !hosts.every((host) => HOST.test(host)) || !isTarget(url)
}

/** A path as the router takes it: it would cut it at these, which are part of it. */
export const routable = (path: string): string => path.replace(/[;#]/g, encodeURIComponent)

/** The request with a path that the router does not cut. */
export const withRoutablePath = (request: Request): Request =>
  /[;#]/.test(request.url) ? request.modify({ url: request.url.replace(/^[^?]*/, routable) }) : request

/** The target as it was sent. */
export const sentTarget = (request: Request): string => sourceOf(request).url ?? ""

const pathOf = (target: string): string => target.split("?", 1)[0]!

/** The path as it was sent; undefined if it is not the one that will be routed. */
export const sentPath = (request: Request): string | undefined => {
  const { url = "" } = sourceOf(request)
  if (url === request.url) return pathOf(url)
  const path = pathOf(url.replace(ORIGIN, "")) || "/"
  return path === pathOf(request.url) ? path : undefined
}

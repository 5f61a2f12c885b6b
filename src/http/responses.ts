/** The writer of every response. It adds the common headers, and sends head and body at once. */
import { ServerResponse } from "node:http"

type Headers = Readonly<Record<string, string>>

const EXPOSED_HEADERS =
  "Allow, ETag, Idempotent-Replayed, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, WWW-Authenticate, X-Request-Id"

/** The headers of every response, unless it sends its own. */
export const commonHeaders = (publicUrl: string): Headers => ({
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED_HEADERS,
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  // Applies to every page, even if the page's own content security policy replaces the one above.
  "x-frame-options": "DENY",
  ...(publicUrl.startsWith("https:") ? { "strict-transport-security": "max-age=31536000" } : {})
})

/**
 * Responses with the common headers, which leave in one write. The framework would copy the headers
 * five times. It also asks Node to compare each body with its computed length. Node then writes an
 * empty part after the body, which takes a tenth of the time of a small answer.
 */
export const responsesWith = (common: Headers): typeof ServerResponse => {
  class Response extends ServerResponse {
    override writeHead(status: number, ...rest: ReadonlyArray<unknown>): this {
      const [text, headers] = typeof rest[0] === "object" ? [undefined, rest[0]] : rest
      return super.writeHead(status, text as string, { ...common, ...(headers as Headers) })
    }
  }
  Object.defineProperty(Response.prototype, "strictContentLength", { get: () => false, set: () => undefined })
  return Response as typeof ServerResponse
}

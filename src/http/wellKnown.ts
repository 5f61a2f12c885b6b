/**
 * Protected resource metadata (RFC 9728), which names no authorization server, as there is none; and
 * the operator's contact for those who find a vulnerability (RFC 9116).
 */
import { Clock, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { NotFoundProblem } from "../../schema/problems.ts"
import { AppConfig } from "../platform/config.ts"
import { getRoutes } from "./routes.ts"

const REST_PATH = "/.well-known/oauth-protected-resource"
const MCP_PATH = "/.well-known/oauth-protected-resource/mcp"
const SECURITY_PATH = "/.well-known/security.txt"
const SECURITY_EXPIRES_MILLIS = 30 * 86_400_000

export const WELL_KNOWN_ROUTES = getRoutes(REST_PATH, MCP_PATH, SECURITY_PATH)

const CACHED = { "cache-control": "public, max-age=3600" }

/** The RFC allows no contact over plain http. */
const securityText = Effect.fnUntraced(function* (contact: string | null, publicUrl: string) {
  if (contact === null || new URL(contact).protocol === "http:") return yield* new NotFoundProblem({})
  const expires = new Date((yield* Clock.currentTimeMillis) + SECURITY_EXPIRES_MILLIS).toISOString()
  const canonical = `${publicUrl}${SECURITY_PATH}`
  return HttpServerResponse.text(
    `Contact: ${new URL(contact).href}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${canonical}\n`,
    { contentType: "text/plain; charset=utf-8", headers: CACHED }
  )
})

export const WellKnown = Layer.unwrap(
  Effect.gen(function* () {
    const { mcpUrl, operator, publicUrl } = yield* AppConfig
    const metadata = (resource: string, name: string) =>
      HttpServerResponse.jsonUnsafe(
        { resource, resource_name: name, resource_documentation: `${publicUrl}/openapi.json` },
        { headers: CACHED }
      )
    return Layer.mergeAll(
      HttpRouter.add("GET", REST_PATH, metadata(publicUrl, "Repayment of Record API")),
      HttpRouter.add("GET", MCP_PATH, metadata(mcpUrl, "Repayment of Record tool server")),
      HttpRouter.add("GET", SECURITY_PATH, securityText(operator.url, publicUrl))
    )
  })
)

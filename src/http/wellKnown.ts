/** Protected resource metadata (RFC 9728). It names no authorization server, as there is none. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { AppConfig } from "../platform/config.ts"
import { getRoutes } from "./routes.ts"

const REST_PATH = "/.well-known/oauth-protected-resource"
const MCP_PATH = "/.well-known/oauth-protected-resource/mcp"

export const WELL_KNOWN_ROUTES = getRoutes(REST_PATH, MCP_PATH)

export const WellKnown = Layer.unwrap(
  Effect.gen(function* () {
    const { mcpUrl, publicUrl } = yield* AppConfig
    const metadata = (resource: string, name: string) =>
      HttpServerResponse.jsonUnsafe(
        { resource, resource_name: name, resource_documentation: `${publicUrl}/openapi.json` },
        { headers: { "cache-control": "public, max-age=3600" } }
      )
    return Layer.mergeAll(
      HttpRouter.add("GET", REST_PATH, metadata(publicUrl, "Repayment of Record API")),
      HttpRouter.add("GET", MCP_PATH, metadata(mcpUrl, "Repayment of Record tool server"))
    )
  })
)

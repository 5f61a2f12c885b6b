/** The server card (SEP-2127). It lists the tool servers for programs that know only the host name. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import packageJson from "../../package.json" with { type: "json" }
import { AppConfig } from "../platform/config.ts"
import { PROTOCOL_VERSIONS } from "./protocol.ts"

export const CARD_PATH = "/.well-known/mcp/server-card.json"

/** The host name reversed, as names of packages are. */
const nameAt = (publicUrl: string): string => {
  const labels = new URL(publicUrl).hostname.replace(/[^a-zA-Z0-9.-]/g, "").split(".")
  return `${labels.toReversed().join(".")}/${packageJson.name}`
}

const cardOf = (publicUrl: string, mcpUrl: string) => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
  name: nameAt(publicUrl),
  version: packageJson.version,
  title: "Repayment of Record",
  description: "Repayment figures for US federal student loans, with sources, that anyone can confirm later.",
  websiteUrl: publicUrl,
  remotes: [
    {
      type: "streamable-http",
      url: mcpUrl,
      headers: [
        {
          name: "X-Api-Key",
          description: "An API key of this service. POST /v1/keys/sandbox issues one for free.",
          isRequired: true,
          isSecret: true
        }
      ],
      supportedProtocolVersions: PROTOCOL_VERSIONS
    },
    { type: "streamable-http", url: `${publicUrl}/mcp/open`, supportedProtocolVersions: PROTOCOL_VERSIONS }
  ]
})

export const ServerCard = Layer.unwrap(
  Effect.gen(function* () {
    const { mcpUrl, publicUrl } = yield* AppConfig
    const card = HttpServerResponse.jsonUnsafe(cardOf(publicUrl, mcpUrl), {
      headers: { "cache-control": "public, max-age=3600" }
    })
    return HttpRouter.add("GET", CARD_PATH, card)
  })
)

/**
 * The API reference page: the OpenAPI document rendered by Scalar as one self-contained page. It
 * loads nothing from other hosts, and its content security policy forbids that.
 */
import { Effect, Function, Layer } from "effect"
import { type HttpBody, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { AppConfig } from "../../platform/config.ts"
import { RateLimits } from "../../services/scheduling/index.ts"
import { FRAME_STYLES, headerHtml } from "../../web/index.ts"
import { ClientAddress } from "../address.ts"
import { encodedOnce } from "../etag.ts"
import { hereServer, openApiDocument } from "../openapi/document.ts"
import { makeRefusals, problemResponse } from "../problems.ts"
import { getRoutes } from "../routes.ts"
import { GUIDES } from "./guides/files.ts"
import { webText } from "./webFile.ts"

const PATH = "/docs"

export const DOCS_ROUTES = getRoutes(PATH)

const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'",
  "cache-control": "public, max-age=300"
}

/**
 * Scalar has more settings than Effect's type. Links to its vendor's services are hidden, and its
 * colors are those of the other pages.
 */
const REFERENCE = {
  withDefaultFonts: false,
  defaultOpenAllTags: true,
  showOperationId: true,
  authentication: { preferredSecurityScheme: "apiKey" },
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  customCss: `${webText(FRAME_STYLES)}
a[href*="scalar.com"] { display: none }
body { margin: 0 }
.bar { padding-inline: 1.5rem; font: var(--s2)/1.45 system-ui, sans-serif; color: var(--ink) }
.light-mode, .dark-mode {
  --scalar-background-1: var(--paper); --scalar-background-2: var(--card); --scalar-background-3: var(--sunk); --scalar-border-color: var(--line);
  --scalar-color-1: var(--ink); --scalar-color-2: var(--soft); --scalar-color-3: var(--soft); --scalar-color-accent: var(--link);
}`
}

/** Scalar's page below the header of the other pages. Always the same, so its encoded form is cached. */
const page = Function.memoize((response: HttpServerResponse.HttpServerResponse) => {
  const html = new TextDecoder().decode((response.body as HttpBody.Uint8Array).body)
  const framed = html.replace("<html>", '<html lang="en">').replace("<body>", `<body>${headerHtml}`)
  return encodedOnce(HttpServerResponse.text(framed, { contentType: "text/html", headers: HEADERS }))
})

/** Uncompressed, the page is three megabytes for a request of a few bytes, so it is rate-limited. */
const Page = HttpRouter.middleware(
  Effect.gen(function* () {
    const limits = yield* RateLimits
    const clients = yield* ClientAddress
    const refusals = yield* makeRefusals
    const { publicUrl } = yield* AppConfig
    return (httpEffect) =>
      HttpServerRequest.HttpServerRequest.pipe(
        Effect.flatMap(clients.of),
        Effect.flatMap((address) => limits.consume("keyless", address)),
        Effect.catchTags(refusals.limited),
        Effect.matchEffect({
          onFailure: (problem) => problemResponse(problem, publicUrl),
          onSuccess: () => Effect.map(httpEffect, page)
        })
      )
  })
)

export const Docs = Layer.unwrap(
  Effect.gen(function* () {
    const { operator, publicUrl } = yield* AppConfig
    // The content security policy allows requests to this server only.
    const servers = [hereServer(publicUrl)]
    const document = openApiDocument(publicUrl, operator)
    const info = document["info"] as { readonly description: string }
    const description = `${info.description}\n\n[Guides, by reader](${publicUrl}${GUIDES})`
    const documented = Api.annotate(OpenApi.Transform, () => ({ ...document, info: { ...info, description }, servers }))
    return HttpApiScalar.layer(documented, {
      path: PATH,
      scalar: REFERENCE
    }).pipe(Layer.provide(Page.layer), Layer.provide(ClientAddress.layer))
  })
)

/**
 * The API reference page: the OpenAPI document rendered by Scalar as one self-contained page. It
 * loads nothing from other hosts, and its content security policy forbids that.
 */
import { Effect, Function, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { AppConfig } from "../../platform/config.ts"
import { RateLimits } from "../../services/scheduling/RateLimits.ts"
import { ClientAddress } from "../address.ts"
import { encodedOnce } from "../etag.ts"
import { hereServer, openApiDocument } from "../openapi/document.ts"
import { makeRefusals, problemResponse } from "../problems.ts"
import type { PlainRoute } from "../routes.ts"

const PATH = "/docs"

export const DOCS_ROUTES: ReadonlyArray<PlainRoute> = [{ method: "GET", path: PATH }]

const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'",
  "cache-control": "public, max-age=300"
}

/** Scalar has more settings than Effect's type. Links to its vendor's services are hidden. */
const REFERENCE = {
  withDefaultFonts: false,
  defaultOpenAllTags: true,
  showOperationId: true,
  authentication: { preferredSecurityScheme: "apiKey" },
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  customCss: 'a[href*="scalar.com"] { display: none }'
}

/** The route always returns the same response, so its encoded form is cached. */
const page = Function.memoize((response: HttpServerResponse.HttpServerResponse) =>
  encodedOnce(HttpServerResponse.setHeaders(response, HEADERS))
)

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
    const { publicUrl } = yield* AppConfig
    // The content security policy allows requests to this server only.
    const servers = [hereServer(publicUrl)]
    const documented = Api.annotate(OpenApi.Transform, () => ({ ...openApiDocument(publicUrl), servers }))
    return HttpApiScalar.layer(documented, {
      path: PATH,
      scalar: REFERENCE
    }).pipe(Layer.provide(Page.layer), Layer.provide(ClientAddress.layer))
  })
)

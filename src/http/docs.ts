/**
 * The API reference page: the served OpenAPI document rendered by Scalar, whole in one page. Nothing is fetched from
 * elsewhere, and its policy forbids it.
 */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { Api } from "../../schema/api.ts"
import { AppConfig } from "../config.ts"
import { openApiDocument } from "./openapi.ts"
import type { PlainRoute } from "./routes.ts"

const PATH = "/docs"

export const DOCS_ROUTES: ReadonlyArray<PlainRoute> = [{ method: "GET", path: PATH }]

const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'",
  "cache-control": "public, max-age=300"
}

const PageHeaders = HttpRouter.middleware((httpEffect) =>
  Effect.map(httpEffect, (response) => HttpServerResponse.setHeaders(response, HEADERS))
)

export const Docs = Layer.unwrap(
  Effect.gen(function* () {
    const { publicUrl } = yield* AppConfig
    const documented = Api.annotate(OpenApi.Transform, () => ({ ...openApiDocument(publicUrl) }))
    return HttpApiScalar.layer(documented, {
      path: PATH,
      scalar: { withDefaultFonts: false, defaultOpenAllTags: true, showOperationId: true }
    }).pipe(Layer.provide(PageHeaders.layer))
  })
)

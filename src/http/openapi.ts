/**
 * The OpenAPI document: derived from the contract, then completed with what the derivation cannot see: how a key is
 * sent, the headers that the edge adds, and query parameters as values instead of their text.
 */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi, OpenApi } from "effect/http-api"
import { Api } from "../../schema/api.ts"
import { Authentication } from "../../schema/middleware.ts"
import { PROBLEM_HEADERS } from "../../schema/problems.ts"
import { RECORDS_PARAMETERS } from "../../schema/recordsQuery.ts"
import { AppConfig } from "../config.ts"
import type { PlainRoute } from "./routes.ts"

export const OPENAPI_ROUTES: ReadonlyArray<PlainRoute> = [{ method: "GET", path: "/openapi.json" }]

type Operation = OpenApi.OpenAPISpecOperation
type Json = Readonly<Record<string, unknown>>

const header = (description: string, schema: Json) => ({ description, required: true, schema })
const text = { type: "string" }
const integer = { type: "integer", minimum: 0 }

const HEADERS: Readonly<Record<string, Json>> = {
  "X-Request-Id": header("Id of this request; a clean one that was sent is kept.", text),
  "RateLimit-Limit": header("Calls per calendar month.", integer),
  "RateLimit-Remaining": header("Calls left this month, as in GET /v1/me.", integer),
  "RateLimit-Reset": header("Seconds until the count resets at 00:00 UTC on the 1st.", integer),
  "Retry-After": header("Seconds to wait before the next attempt.", integer),
  "WWW-Authenticate": header("How to authenticate.", { type: "string", examples: ['X-Api-Key realm="..."'] }),
  Allow: header("Methods of this address.", text)
}

const RATE_LIMIT_HEADERS = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"]
const UNAUTHORIZED = 401
const INTERNAL = 500

const pick = (names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, HEADERS[name]!]))

/** An outage can come before the caller is known, and then there are no figures to send. */
const rateLimitHeaders = (status: number): Record<string, Json> =>
  status < INTERNAL
    ? pick(RATE_LIMIT_HEADERS)
    : Object.fromEntries(RATE_LIMIT_HEADERS.map((name) => [name, { ...HEADERS[name]!, required: false }]))

/** Headers of a response, beside those that its schema declares. */
const headersOf = (status: number, keyed: boolean): Record<string, Json> => ({
  ...pick(["X-Request-Id", ...(PROBLEM_HEADERS[status] ?? [])]),
  ...(keyed && status !== UNAUTHORIZED ? rateLimitHeaders(status) : {})
})

const completeOperation = (operation: Operation, keyed: boolean): void => {
  const mutable = operation as { responses: Record<string, { headers?: object }>; security?: unknown }
  for (const [status, response] of Object.entries(mutable.responses)) {
    response.headers = { ...response.headers, ...headersOf(Number(status), keyed) }
  }
  if (keyed) mutable.security = [{ apiKey: [] }, { bearer: [] }]
}

/** Query parameters travel as text; the document describes the values. */
const completeRecordsQuery = (operation: Operation): void => {
  for (const parameter of operation.parameters as Array<{ name: string; schema: object; description?: string }>) {
    const known = Object.entries(RECORDS_PARAMETERS).find(([name]) => name === parameter.name)?.[1]
    if (known === undefined) continue
    const { description, ...schema } = known
    parameter.schema = schema
    parameter.description = description
  }
}

const SECURITY_SCHEMES = {
  apiKey: { type: "apiKey", in: "header", name: "X-Api-Key", description: "Preferred: the API key itself." },
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "The same API key as a bearer value; never an OAuth or OIDC token."
  }
} as const

/** Whole literals are integers, which the derivation writes as numbers. */
const integers = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(integers)
  if (typeof value !== "object" || value === null) return value
  const schema = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, integers(part)]))
  const allowed = schema["enum"]
  const whole = schema["type"] === "number" && Array.isArray(allowed) && allowed.every(Number.isInteger)
  return whole ? { ...schema, type: "integer" } : schema
}

const SHOWN_ANNOTATIONS = new Set(["deprecated", "readOnly"])

export const openApiDocument = (publicUrl: string): Json => {
  const spec = OpenApi.fromApi(Api, { includeAnnotationKey: (key) => SHOWN_ANNOTATIONS.has(key) })
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      const path = endpoint.path.replace(/:(\w+)/g, "{$1}")
      const operation = spec.paths[path]?.[endpoint.method.toLowerCase() as OpenApi.OpenAPISpecMethodName]
      if (operation === undefined) return
      completeOperation(operation, endpoint.middlewares.has(Authentication))
      if (path === "/v1/records") completeRecordsQuery(operation)
    }
  })
  const document = integers(spec) as Json & { readonly info: object; readonly components: object }
  return {
    ...document,
    info: { ...document.info, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    servers: [{ url: publicUrl }],
    components: { ...document.components, securitySchemes: SECURITY_SCHEMES }
  }
}

export const OpenApiDocument = Layer.unwrap(
  Effect.gen(function* () {
    const { publicUrl } = yield* AppConfig
    const response = HttpServerResponse.jsonUnsafe(openApiDocument(publicUrl), {
      headers: { "cache-control": "public, max-age=60" }
    })
    return HttpRouter.add("GET", "/openapi.json", response)
  })
)

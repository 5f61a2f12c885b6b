/**
 * The OpenAPI document, derived from the contract and completed with what cannot be derived.
 * Added are authentication, common headers, body limits, query parameters as values, and an example
 * of every operation.
 */
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi, type HttpApiEndpoint, OpenApi } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { IDEMPOTENCY_KEY } from "../../../schema/bounds.ts"
import type { Json } from "../../../schema/derivedJsonSchema.ts"
import { EXAMPLES, EXAMPLES_PUBLIC_URL, type Example } from "../../../schema/examples/index.ts"
import { Authentication, BodyLimit, TakesIdempotencyKey } from "../../../schema/middleware.ts"
import { RECORDS_PARAMETERS } from "../../../schema/recordsQuery.ts"
import { AppConfig } from "../../platform/config.ts"
import type { Operator } from "../../web/index.ts"
import { encodedOnce } from "../etag.ts"
import { getRoutes } from "../routes.ts"
import { IDEMPOTENT_REPLAYED, responseHeaders } from "./headers.ts"
import { requestsClosed, tidied } from "./schemas.ts"
import { readableForGenerators } from "./spellings.ts"

export const OPENAPI_ROUTES = getRoutes("/openapi.json")

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  schema: object
  description?: string
  example?: unknown
}

interface Media {
  readonly schema: object
  examples?: object
}

/** An operation of the derived document; it is completed in place. */
interface Operation {
  readonly operationId: string
  readonly parameters: Array<Parameter>
  requestBody?: { description?: string; readonly content: Record<string, Media> }
  responses: Record<string, { headers?: object; readonly content?: Record<string, Media> }>
  security?: ReadonlyArray<object>
}

interface Document extends Json {
  readonly info: object
  readonly tags: ReadonlyArray<{ readonly name: string }>
  readonly components: { readonly schemas: Json }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** In the order in which a newcomer needs them; the paths keep the order of the contract. */
const TAGS = [
  "keys",
  "calculations",
  "calculator",
  "verify",
  "rules",
  "account",
  "reference",
  "webhooks",
  "health"
] as const satisfies ReadonlyArray<keyof (typeof Api)["groups"]>

const EITHER_HEADER = [{ apiKey: [] }, { bearer: [] }]
const KIBIBYTE = 1024

/** Query parameters are sent as text; the document describes the values. */
const describeValues = (parameters: ReadonlyArray<Parameter>): void => {
  for (const parameter of parameters) {
    const known = Object.entries(RECORDS_PARAMETERS).find(([name]) => name === parameter.name)?.[1]
    if (known === undefined) continue
    const { description, ...schema } = known
    Object.assign(parameter, { schema, description })
  }
}

/** Required, but outside the contract, so that a missing key is refused like a wrong key. */
const STRIPE_SIGNATURE: Parameter = {
  name: "Stripe-Signature",
  in: "header",
  required: true,
  description: "Signature of the raw body under the webhook secret, as Stripe makes it: t=<seconds>,v1=<hex>.",
  schema: { type: "string" }
}

/** Not decoded by the framework, because whether the key was sent before depends on the account. */
const IDEMPOTENCY_KEY_HEADER: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Makes the call safe to send again, such as after a 503 or a broken connection: it is charged and recorded once. A new random value for each call, such as a UUID; taken as it stands, and not stored.",
  schema: { type: "string", ...IDEMPOTENCY_KEY }
}

const completeContract = (operation: Operation, endpoint: HttpApiEndpoint.Top): void => {
  const keyed = endpoint.middlewares.has(Authentication)
  const takesKey = Context.get(endpoint.annotations, TakesIdempotencyKey)
  if (takesKey) operation.parameters.push(IDEMPOTENCY_KEY_HEADER)
  for (const [status, response] of Object.entries(operation.responses)) {
    const ofStatus = responseHeaders(operation.operationId, Number(status), keyed)
    const replayed = takesKey && status === "200" ? IDEMPOTENT_REPLAYED : {}
    response.headers = { ...response.headers, ...ofStatus, ...replayed }
  }
  if (keyed) operation.security = EITHER_HEADER
  if (operation.operationId === "listRecords") describeValues(operation.parameters)
  if (operation.operationId === "receiveStripeEvent") operation.parameters.push(STRIPE_SIGNATURE)
  const limitBytes = Context.get(endpoint.annotations, BodyLimit)
  if (operation.requestBody) operation.requestBody.description = `JSON in UTF-8, at most ${limitBytes / KIBIBYTE} KiB.`
}

const show = (content: Record<string, Media> | undefined, summary: string, value: unknown): void => {
  const media = content?.["application/json"] ?? content?.["text/plain"]
  if (media !== undefined && value !== undefined) media.examples = { example: { summary, value } }
}

/** The example with its links pointing to this address. */
const atAddress = (example: Example, publicUrl: string): Example =>
  JSON.parse(JSON.stringify(example), (_, value: unknown) =>
    typeof value === "string" ? value.replaceAll(EXAMPLES_PUBLIC_URL, publicUrl) : value
  )

/** Added last, because example values are not schemas and must not be tidied. */
const completeExamples = (operation: Operation, example: Example): void => {
  for (const parameter of operation.parameters) {
    const value = example.parameters?.[parameter.name]
    if (value !== undefined) parameter.example = value
  }
  show(operation.requestBody?.content, example.summary, example.request)
  show(operation.responses["200"]?.content, example.summary, example.response)
}

const SECURITY_SCHEMES = {
  apiKey: { type: "apiKey", in: "header", name: "X-Api-Key", description: "Preferred: the API key itself." },
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "The same API key as a bearer value; never an OAuth or OIDC token."
  }
} as const

const SHOWN_ANNOTATIONS = new Set(["deprecated", "readOnly"])

const derivedDocument = (): Document => {
  const derived = OpenApi.fromApi(Api, { includeAnnotationKey: (key) => SHOWN_ANNOTATIONS.has(key) })
  const document = tidied(derived) as Document
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      const path = endpoint.path.replace(/:(\w+)/g, "{$1}")
      const operation = document.paths[path]?.[endpoint.method.toLowerCase()]
      if (operation !== undefined) completeContract(operation, endpoint)
    }
  })
  return document
}

const operationsOf = (document: Document): ReadonlyArray<Operation> =>
  Object.values(document.paths).flatMap(Object.values)

const forReaders = (tags: Document["tags"]): Document["tags"] =>
  TAGS.flatMap((wanted) => tags.filter(({ name }) => name === wanted))

const contactOf = (publicUrl: string, { name, url }: Operator = { name: null, url: null }) => ({
  name: name ?? "The operator of this service",
  ...(url?.startsWith("mailto:") ? { email: new URL(url).pathname } : { url: url ?? publicUrl })
})

/** The document as a file, whose reader knows no address except the public one. */
export const openApiDocument = (publicUrl: string, operator?: Operator): Json => {
  const document = derivedDocument()
  const operations = operationsOf(document)
  const schemas = requestsClosed(
    readableForGenerators(document.components.schemas),
    operations.map(({ requestBody }) => requestBody)
  )
  for (const operation of operations) {
    const example = EXAMPLES[operation.operationId]
    if (example !== undefined) completeExamples(operation, atAddress(example, publicUrl))
  }
  return {
    ...document,
    info: {
      ...document.info,
      contact: contactOf(publicUrl, operator),
      license: { name: "Apache-2.0", identifier: "Apache-2.0" }
    },
    servers: [{ url: publicUrl }],
    tags: forReaders(document.tags),
    components: { schemas, securitySchemes: SECURITY_SCHEMES }
  }
}

/** A relative server URL, valid under every host name; it keeps a path that a proxy may add. */
export const hereServer = (publicUrl: string) => ({
  url: new URL(publicUrl).pathname,
  description: "The service that this document came from."
})

/** The document as served: its first server is relative, so it works under every host name. */
export const servedDocument = (publicUrl: string, operator?: Operator): Json => ({
  ...openApiDocument(publicUrl, operator),
  servers: [hereServer(publicUrl), { url: publicUrl, description: "Its public address." }]
})

export const OpenApiDocument = Layer.unwrap(
  Effect.gen(function* () {
    const { operator, publicUrl } = yield* AppConfig
    const response = HttpServerResponse.jsonUnsafe(servedDocument(publicUrl, operator), {
      headers: { "cache-control": "public, max-age=60" }
    })
    return HttpRouter.add("GET", "/openapi.json", encodedOnce(response))
  })
)

/** The OpenAPI document: complete, and consistent with the answers of the server. */
import { describe, expect, it } from "vitest"
import { CALCULATOR_LOAN_TYPES } from "../../../schema/calculator.ts"
import { LOAN_TYPES } from "../../../schema/loan.ts"
import { FILING_STATUSES, PLAN_TYPES, STATES } from "../../../schema/scenario.ts"
import { openApiDocument, servedDocument } from "../../../src/http/openapi/document.ts"
import { comparison, loan, projection } from "../../support/requests.ts"
import { useService } from "../../support/runningService.ts"

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: ReadonlyArray<string>
  readonly requestBody?: { readonly description: string }
  readonly security: ReadonlyArray<object>
  readonly responses: Readonly<
    Record<string, { readonly content?: object; readonly headers?: Readonly<Record<string, object>> }>
  >
}
interface Schema {
  readonly additionalProperties?: boolean
  readonly properties?: Readonly<Record<string, { readonly description?: string; readonly $ref?: string }>>
}
interface Document {
  readonly openapi: string
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly tags: ReadonlyArray<{ readonly name: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const document = openApiDocument("http://127.0.0.1:8080") as unknown as Document
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
)
const service = useService({ RATE_LIMIT_KEY: "off", RATE_LIMIT_REFUSED: "off" })

const KEYED = ["/v1/projection", "/v1/comparison", "/v1/plan-eligibility", "/v1/plan-types", "/v1/me", "/v1/records"]

describe("the document", () => {
  it("is OpenAPI 3.1", () => expect(document.openapi).toBe("3.1.0"))

  it("contains every endpoint, in the order of the specification", () =>
    expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /health",
      "GET /v1/health",
      "POST /v1/calculators/loan",
      "POST /v1/calculators/plans",
      "POST /v1/explain",
      "GET /v1/verify/{answerId}",
      "POST /v1/verify/{answerId}",
      "GET /v1/verify/{answerId}/receipt",
      "GET /v1/rules",
      "GET /v1/rules/version",
      "POST /v1/keys/sandbox",
      "POST /v1/keys/claim",
      "POST /v1/projection",
      "POST /v1/comparison",
      "POST /v1/plan-eligibility",
      "GET /v1/plan-types",
      "GET /v1/me",
      "GET /v1/records",
      "GET /v1/reference",
      "POST /webhooks/stripe"
    ]))

  it("lists the canonical spellings that client generators turn into types", () => {
    const { KeylessLoanRequest, Loan, Scenario } = document.components.schemas
    expect(Scenario).toMatchObject({
      properties: { planType: { enum: PLAN_TYPES }, filingStatus: { enum: FILING_STATUSES }, state: { enum: STATES } }
    })
    expect(Loan).toMatchObject({ properties: { loanType: { enum: LOAN_TYPES } } })
    expect(KeylessLoanRequest).toMatchObject({
      properties: {
        loanType: { anyOf: [{ enum: [...Object.keys(CALCULATOR_LOAN_TYPES), ...LOAN_TYPES] }, { type: "null" }] },
        state: { anyOf: [{ enum: STATES }, { type: "null" }] }
      }
    })
  })

  it("describes every property at the property itself", () => {
    const properties = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      Object.entries(schema.properties ?? {}).map(([key, property]) => ({ name: `${name}.${key}`, property }))
    )
    const bare = properties.filter(({ property }) => property.$ref === undefined && !property.description)
    expect(properties.length).toBeGreaterThan(150)
    expect(bare.map(({ name }) => name)).toEqual([])
  })

  it("gives each operation a unique name", () => {
    const names = operations.map(({ operation }) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(operations)("describes $method $path", ({ operation }) => {
    expect(operation.summary.length).toBeGreaterThan(5)
    expect(operation.description.length).toBeGreaterThan(20)
  })

  it.each(operations)("shows both ways to send a key on $path if it needs one", ({ operation, path }) =>
    expect(operation.security).toEqual(KEYED.includes(path) ? [{ apiKey: [] }, { bearer: [] }] : [])
  )

  it.each(operations)("documents the request id of every response of $path", ({ operation }) => {
    const isKept = (status: string) => operation.operationId === "verifyAnswer" && Number(status) < 400
    for (const [status, response] of Object.entries(operation.responses))
      if (!isKept(status)) expect(response.headers).toHaveProperty("X-Request-Id")
  })

  it("documents no request id for a confirmation, which is cached by its ETag", () => {
    const { operation } = operations.find((one) => one.operation.operationId === "verifyAnswer")!
    const [found, unchanged] = ["200", "304"].map((status) => operation.responses[status]!.headers)
    for (const headers of [found, unchanged]) expect(Object.keys(headers!)).toEqual(["ETag", "Vary", "Cache-Control"])
    expect([found, unchanged].map((headers) => headers!["ETag"])).toMatchObject([
      { required: false },
      { required: true }
    ])
  })

  it.each(["ProjectionRequest", "ComparisonRequest", "EligibilityRequest", "Loan", "Scenario", "KeylessLoanRequest"])(
    "closes %s to unknown properties",
    (name) => expect(document.components.schemas[name]!.additionalProperties).toBe(false)
  )

  it("lists all groups, in the order in which a newcomer needs them", () => {
    const used = new Set(operations.flatMap(({ operation }) => operation.tags))
    expect(document.tags.map(({ name }) => name)).toEqual([
      "keys",
      "calculations",
      "calculator",
      "verify",
      "rules",
      "account",
      "reference",
      "webhooks",
      "health"
    ])
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(used)
  })

  it("states the size limit of a payment event", () =>
    expect(document.paths["/webhooks/stripe"]!["post"]!.requestBody!.description).toContain("at most 256 KiB"))

  it("equals what the server serves, apart from the list of servers", async () => {
    const { servers: here, ...served } = (await (await service().call("GET", "/openapi.json")).json()) as Document
    const { servers, ...file } = JSON.parse(JSON.stringify(openApiDocument(service().publicUrl))) as Document
    expect(served).toEqual(file)
    expect(here.map(({ url }) => url)).toEqual(["/", ...servers.map(({ url }) => url)])
  })

  it.each([
    ["https://api.example.org", "/"],
    ["https://example.org/repay", "/repay"]
  ])("lists a relative server first when served; the file names only %s", (publicUrl, relative) => {
    const urls = (one: unknown) => (one as Document).servers.map(({ url }) => url)
    expect(urls(openApiDocument(publicUrl))).toEqual([publicUrl])
    expect(urls(servedDocument(publicUrl))).toEqual([relative, publicUrl])
  })
})

describe("an answer of the server", () => {
  const documented = (method: string, path: string, status: number, type: string | null) => {
    const response = document.paths[path]![method.toLowerCase()]!.responses[status]
    expect(response, `${method} ${path} ${status}`).toBeDefined()
    if (type !== null) expect(Object.keys(response!.content!)).toContain(type.split(";")[0])
  }

  const asks: ReadonlyArray<readonly [string, string, string, object]> = [
    ["GET", "/health", "/health", {}],
    ["GET", "/v1/rules", "/v1/rules", {}],
    ["GET", "/v1/rules", "/v1/rules", { headers: { "if-none-match": "*" } }],
    ["GET", "/v1/verify/{answerId}", "/v1/verify/x", {}],
    ["POST", "/v1/projection", "/v1/projection", { json: projection }],
    ["POST", "/v1/projection", "/v1/projection", { json: {} }],
    ["POST", "/v1/projection", "/v1/projection", { body: "x", headers: { "content-type": "text/plain" } }],
    ["POST", "/v1/projection", "/v1/projection", { json: projection, key: "none" }],
    ["POST", "/v1/comparison", "/v1/comparison", { json: comparison }],
    ["POST", "/v1/plan-eligibility", "/v1/plan-eligibility", { json: { loans: [loan] } }],
    ["GET", "/v1/plan-types", "/v1/plan-types", {}],
    ["GET", "/v1/me", "/v1/me", {}],
    ["GET", "/v1/records", "/v1/records", {}],
    ["GET", "/v1/records", "/v1/records?limit=0", {}],
    ["GET", "/v1/reference", "/v1/reference", {}],
    ["POST", "/v1/keys/sandbox", "/v1/keys/sandbox", { json: { email: "x" } }],
    ["POST", "/v1/keys/claim", "/v1/keys/claim", { json: { sandboxKey: "x" } }]
  ]

  it.each(asks)("is a documented response: %s %s (%s %j)", async (method, path, target, options) => {
    const key = await service().mint()
    const response = await service().call(method, target, { key, ...options })
    documented(method, path, response.status, response.headers.get("content-type"))
  })
})

describe("the problems", () => {
  it("each have an example", async () => {
    const { PROBLEM_EXAMPLES } = await import("../../../src/http/pages/problemExamples.ts")
    const { PROBLEMS } = await import("../../../schema/problems.ts")
    expect(Object.keys(PROBLEM_EXAMPLES).sort()).toEqual(PROBLEMS.map(({ declaration }) => declaration.slug).sort())
  })
})

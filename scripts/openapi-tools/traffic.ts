/**
 * Valid requests sent through Prism, a proxy that checks each answer against the OpenAPI document:
 * random requests, and variants of the examples. This file checks the status.
 */
import fc from "fast-check"
import {
  calculationRequests,
  comparisonRequests,
  eligibilityRequests,
  projectionRequests
} from "../../property-tests/generators/requests.ts"
import { CALCULATOR_LOAN_TYPES } from "../../schema/calculator.ts"
import type { Example } from "../../schema/examples/index.ts"
import { LOAN_TYPES } from "../../schema/loan.ts"
import { FILING_ALIASES, FILING_STATUSES, PLAN_TYPES, STATES } from "../../schema/scenario.ts"
import { fewAtOnce } from "../../test/support/fewAtOnce.ts"
import { type Answer, type Ask, type Prism, sent, withKey } from "./prism.ts"

const SEED = Number(process.env["PROPERTY_SEED"] ?? 20_261_121)
const AT_ONCE = 8

const posted = (body: unknown, key?: string): Ask => sent(JSON.stringify(body), key)

const expectStatus = (answer: Answer, status: number, what: string): Answer => {
  if (answer.status !== status) throw new Error(`${what}: ${answer.status} instead of ${status}`)
  return answer
}

const SPELLINGS = new Map(
  [...PLAN_TYPES, ...LOAN_TYPES, ...Object.keys(CALCULATOR_LOAN_TYPES), ...FILING_STATUSES, ...STATES].map((text) => [
    text.toUpperCase(),
    text
  ])
)
for (const [alias, status] of Object.entries(FILING_ALIASES)) SPELLINGS.set(alias, status)

/**
 * The request with names in the one spelling that the document allows. Random requests also use
 * other spellings, such as lower case.
 */
const asDocumented = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name, value: unknown) =>
    typeof value === "string" && name !== "label" ? (SPELLINGS.get(value.trim().toUpperCase()) ?? value) : value
  )

/**
 * Sends random requests that match the document. Each must get 200, or a 400 as documented.
 * Resolves with the count of each status, as text such as `57 x 200, 3 x 400`.
 */
export const askAtRandom = async (prism: Prism, key: string): Promise<string> => {
  const sample = (operationId: string, path: string, requests: fc.Arbitrary<unknown>, count: number) =>
    fc.sample(requests, { numRuns: count, seed: SEED }).map((body) => ({ operationId, path, body: asDocumented(body) }))
  const asks = [
    ...sample("runProjection", "/v1/projection", projectionRequests(), 60),
    ...sample("compareScenarios", "/v1/comparison", comparisonRequests(), 30),
    ...sample("getEligiblePlans", "/v1/plan-eligibility", eligibilityRequests(), 30),
    ...sample("explainPayment", "/v1/explain", projectionRequests(), 30),
    ...sample("calculateLoan", "/v1/calculators/loan", calculationRequests(), 30)
  ]
  const counts: Record<number, number> = {}
  await fewAtOnce(AT_ONCE, asks, async ({ body, operationId, path }) => {
    const { status } = await prism.ask(operationId, "POST", path, posted(body, key))
    if (status !== 200 && status !== 400) throw new Error(`${path}: ${status}`)
    counts[status] = (counts[status] ?? 0) + 1
  })
  return Object.entries(counts)
    .map(([status, count]) => `${count} x ${status}`)
    .join(", ")
}

/** Variants of the examples: bearer key, yearly series, HTML page, ETags and pagination. */
export const askVariants = async (prism: Prism, key: string, examples: Readonly<Record<string, Example>>) => {
  const { scenario, loans } = examples["runProjection"]!.request as { scenario: object; loans: ReadonlyArray<object> }
  const bearer = { headers: { authorization: `Bearer ${key}` } }
  expectStatus(await prism.ask("getMe", "GET", "/v1/me", bearer), 200, "a bearer value")
  const yearly = posted({ scenario, loans, includeYearly: true }, key)
  const answer = expectStatus(await prism.ask("runProjection", "POST", "/v1/projection", yearly), 200, "a series")
  const { provenance, yearly: series } = answer.body as {
    readonly provenance: { readonly answerId: string }
    readonly yearly?: ReadonlyArray<unknown>
  }
  if (series === undefined) throw new Error("includeYearly brings no series")
  const page = { headers: { accept: "text/html" } }
  const record = await prism.ask("verifyAnswer", "GET", `/v1/verify/${provenance.answerId}`, page)
  if (!String(record.body).startsWith("<!doctype html>")) throw new Error("text/html is not answered with a page")
  for (const [operationId, path] of [
    ["getRules", "/v1/rules"],
    ["getRulesVersion", "/v1/rules/version"],
    ["verifyAnswer", `/v1/verify/${provenance.answerId}`]
  ] as const) {
    const etag = (await prism.ask(operationId, "GET", path)).headers.get("etag")
    const again = await prism.ask(operationId, "GET", path, { headers: { "if-none-match": etag ?? "" } })
    expectStatus(again, 304, `${path} with the current ETag`)
  }
  const range = "?from=2026-01-01T00:00:00Z&to=2100-01-01T00:00:00Z&limit=2"
  const first = await prism.ask("listRecords", "GET", `/v1/records${range}`, { headers: withKey(key) })
  const { nextCursor } = first.body as { readonly nextCursor: number | null }
  if (nextCursor === null) throw new Error("two records of many are no last page")
  const second = await prism.ask("listRecords", "GET", `/v1/records${range}&cursor=${nextCursor}`, {
    headers: withKey(key)
  })
  expectStatus(second, 200, "the second page")
}

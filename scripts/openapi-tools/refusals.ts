/**
 * Refused requests sent through Prism, a proxy that checks each answer against the OpenAPI
 * document. They provoke each documented problem that a client can provoke, at every operation that
 * documents it. Malformed JSON is left to the service's tests, because Prism never answers it.
 */
import { Context } from "effect"
import { type HttpApiEndpoint, OpenApi } from "effect/http-api"
import { Api } from "../../schema/api.ts"
import type { Example } from "../../schema/examples/index.ts"
import { Authentication, BodyLimit } from "../../schema/middleware.ts"
import { signature } from "./exampleCalls.ts"
import { type Ask, type Prism, sent, withKey } from "./prism.ts"

type Examples = Readonly<Record<string, Example>>

interface Operation {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly isKeyed?: boolean
  readonly bodyLimitBytes?: number
}

const operationOf = ({ annotations, method, middlewares, path }: HttpApiEndpoint.Top): Operation => ({
  operationId: Context.getUnsafe(annotations, OpenApi.Identifier),
  method,
  path: path.replace(":answerId", "00000000-0000-4000-8000-000000000000"),
  isKeyed: middlewares.has(Authentication),
  bodyLimitBytes: Context.get(annotations, BodyLimit)
})

/** Operations that take a body or a key. */
const OPERATIONS: ReadonlyArray<Operation> = Object.values(Api.groups)
  .flatMap(({ endpoints }) => Object.values<HttpApiEndpoint.Top>(endpoints))
  .map(operationOf)
  .filter(({ isKeyed, method }) => isKeyed || method === "POST")

/** Operations whose bodies may have unknown fields. */
const ALLOW_UNKNOWN_MEMBERS = ["checkAnswer", "receiveStripeEvent"]

const KEYED = OPERATIONS.filter(({ isKeyed }) => isKeyed)
const POSTS = OPERATIONS.filter(({ method }) => method === "POST")

/** Throws unless the answer is a problem of this status and kind. */
const refused = async (
  prism: Prism,
  { method, operationId, path }: Operation,
  ask: Ask,
  status: number,
  slug: string
): Promise<void> => {
  const { body, status: answered } = await prism.ask(operationId, method, path, ask)
  const { type } = body as { readonly type?: string }
  if (answered === status && type?.endsWith(`/problems/${slug}`)) return
  throw new Error(`${method} ${path}: ${answered} ${type} instead of ${status} ${slug}`)
}

const bodyOf = (examples: Examples, { operationId }: Operation): string | undefined => {
  const { request } = examples[operationId]!
  return request === undefined ? undefined : JSON.stringify(request)
}

const example = (examples: Examples, operation: Operation, key?: string): Ask => {
  const body = bodyOf(examples, operation)
  return body === undefined ? { headers: withKey(key) } : sent(body, key)
}

/** 400, 401, 413 and 415: refusals before any computation. */
export const refuseRequests = async (prism: Prism, key: string, examples: Examples): Promise<void> => {
  for (const operation of POSTS) {
    const text = bodyOf(examples, operation)!
    const tooLarge = JSON.stringify("x".repeat(1024 + (operation.bodyLimitBytes ?? 0)))
    await refused(prism, operation, sent("{}", key), 400, "validation")
    await refused(prism, operation, sent(text, key, "text/plain"), 415, "unsupported-media-type")
    await refused(prism, operation, sent(tooLarge, key), 413, "payload-too-large")
    if (ALLOW_UNKNOWN_MEMBERS.includes(operation.operationId)) continue
    await refused(prism, operation, sent(text.replace("{", '{"household":1,'), key), 400, "validation")
  }
  for (const operation of KEYED) {
    await refused(prism, operation, example(examples, operation, "slr_live_x"), 401, "unauthorized")
  }
  for (const query of ["limit=0", "limit=1001", "cursor=x", "from=yesterday", "since=2026"]) {
    const records = { operationId: "listRecords", method: "GET", path: `/v1/records?${query}` } as const
    await refused(prism, records, { headers: withKey(key) }, 400, "validation")
  }
}

/** A search for the best path whose current plan is that of a projection. */
const searched = (projection: string): string => {
  const { loans, scenario } = JSON.parse(projection) as { readonly loans: unknown; readonly scenario: object }
  const { label: _label, planType, ...household } = scenario as { readonly label?: string; readonly planType: string }
  return JSON.stringify({ scenario: household, loans, bestPath: true, currentPlan: planType })
}

/** 400 for plans that give no answer, 404 for unknown records. */
export const refuseFacts = async (prism: Prism, key: string, examples: Examples): Promise<void> => {
  const text = JSON.stringify(examples["runProjection"]!.request)
  const counted = text.replace("REPAYMENT ASSISTANCE", "STANDARD").replace("}]", ',"idrMonthsInRepayment":120}]')
  const parentPlus = text.replace("DIRECT STAFFORD UNSUBSIDIZED", "DIRECT PLUS PARENT")
  for (const { asked, slug } of [
    { asked: counted, slug: "artifact-plan" },
    { asked: parentPlus, slug: "ineligible-plan" }
  ]) {
    const projection = { operationId: "runProjection", method: "POST", path: "/v1/projection" } as const
    const comparison = { operationId: "compareScenarios", method: "POST", path: "/v1/comparison" } as const
    const explanation = { operationId: "explainPayment", method: "POST", path: "/v1/explain" } as const
    const plans = { operationId: "comparePlans", method: "POST", path: "/v1/calculators/plans" } as const
    await refused(prism, projection, sent(asked, key), 400, slug)
    await refused(prism, explanation, sent(asked), 400, slug)
    await refused(prism, plans, sent(searched(asked)), 400, slug)
    await refused(prism, comparison, sent(`{"arms":[${asked},${asked}]}`, key), 400, slug)
  }
  const path = `/v1/verify/${crypto.randomUUID()}`
  await refused(prism, { operationId: "verifyAnswer", method: "GET", path }, {}, 404, "answer-not-found")
  const receipt = { operationId: "getReceipt", method: "GET", path: `${path}/receipt` } as const
  await refused(prism, receipt, {}, 404, "answer-not-found")
  const check = POSTS.find(({ operationId }) => operationId === "checkAnswer")!
  await refused(prism, check, example(examples, check), 404, "answer-not-found")
}

const RECORDED = POSTS.filter(({ operationId }) => ["runProjection", "compareScenarios"].includes(operationId))

const repeated = (examples: Examples, { operationId }: Operation, key: string, more: object = {}): Ask => {
  const { body, headers } = sent(JSON.stringify({ ...(examples[operationId]!.request as object), ...more }), key)
  return { body: body!, headers: { ...headers, "idempotency-key": `gate-${operationId}` } }
}

/** 422 for the Idempotency-Key of another request. Returns the key of the account that sent it. */
export const refuseReused = async (prism: Prism, examples: Examples): Promise<string> => {
  const key = await mint(prism, "joan@example.org")
  for (const operation of RECORDED) {
    const { method, operationId, path } = operation
    await prism.ask(operationId, method, path, repeated(examples, operation, key))
    const other = repeated(examples, operation, key, { includeYearly: true })
    await refused(prism, operation, other, 422, "idempotency-key-reused")
  }
  return key
}

/** 409 from a service of another address, which cannot make the same answer again. */
export const refuseChanged = async (prism: Prism, key: string, examples: Examples): Promise<void> => {
  for (const operation of RECORDED)
    await refused(prism, operation, repeated(examples, operation, key), 409, "rules-changed")
}

const CLAIM = POSTS.find(({ operationId }) => operationId === "claimProductionKey")!
const WEBHOOK = POSTS.find(({ operationId }) => operationId === "receiveStripeEvent")!

const claimed = (sandboxKey: string): Ask => sent(JSON.stringify({ sandboxKey }))

const mint = async (prism: Prism, email: string): Promise<string> => {
  const { body } = await prism.ask("mintSandboxKey", "POST", "/v1/keys/sandbox", sent(JSON.stringify({ email })))
  return (body as { readonly apiKey: string }).apiKey
}

/** A refund of the payment in the example event. */
const refund = (examples: Examples): Ask => {
  const { created } = examples["receiveStripeEvent"]!.request as { readonly created: number }
  const object = { id: "ch_example", refunded: true, customer: "cus_example" }
  const event = { id: "evt_refund", type: "charge.refunded", created, livemode: true, data: { object } }
  const body = JSON.stringify(event)
  return { body, headers: { "content-type": "application/json", "stripe-signature": signature(body) } }
}

/**
 * Refused claims, after the examples have paid and claimed once: by another customer, after the
 * first use of the production key, with a key issued after the payment, and after a refund.
 */
export const refuseClaims = async (
  prism: Prism,
  sandboxKey: string,
  paidEmail: string,
  examples: Examples
): Promise<void> => {
  await refused(prism, CLAIM, claimed(await mint(prism, "grace@example.org")), 404, "no-subscription")
  await refused(prism, CLAIM, claimed(await mint(prism, paidEmail)), 409, "key-issued-after-payment")
  const again = await prism.ask(CLAIM.operationId, "POST", CLAIM.path, claimed(sandboxKey))
  const { apiKey } = again.body as { readonly apiKey: string }
  await prism.ask("getMe", "GET", "/v1/me", { headers: withKey(apiKey) })
  await refused(prism, CLAIM, claimed(sandboxKey), 409, "key-already-used")
  await refused(prism, CLAIM, claimed(apiKey), 400, "validation")
  await prism.ask("receiveStripeEvent", "POST", "/webhooks/stripe", refund(examples))
  await refused(prism, CLAIM, claimed(sandboxKey), 409, "subscription-held")
}

/** Anonymous operations with a rate limit per address. */
const LIMITED: ReadonlyArray<Operation> = [
  ...OPERATIONS.filter(({ operationId }) =>
    ["calculateLoan", "comparePlans", "explainPayment", "mintSandboxKey", "claimProductionKey", "checkAnswer"].includes(
      operationId
    )
  ),
  { operationId: "verifyAnswer", method: "GET", path: "/v1/verify/00000000-0000-4000-8000-000000000000" },
  { operationId: "getReceipt", method: "GET", path: "/v1/verify/00000000-0000-4000-8000-000000000000/receipt" },
  { operationId: "getReference", method: "GET", path: "/v1/reference" }
]

/** Operations that need no database. */
const LEDGERLESS = ["calculateLoan", "comparePlans", "explainPayment"]

/** Limits low enough to provoke every 429 soon, and high enough for the answers before it. */
export const TIGHT_LIMITS = {
  SANDBOX_MONTHLY_CALLS: "1",
  RATE_LIMIT_KEY: `${1 + KEYED.length}/h`,
  RATE_LIMIT_VERIFY: "2/h",
  RATE_LIMIT_LOG: "2/h",
  RATE_LIMIT_CLAIM: "2/h",
  RATE_LIMIT_MINT: "2/h",
  RATE_LIMIT_KEYLESS: "1/h",
  RATE_LIMIT_REFERENCE: "2/h"
}

/** 503 while the database is down. `foreignKey` is well formed, so the service must look it up. */
export const refuseWithoutLedger = async (prism: Prism, foreignKey: string, examples: Examples): Promise<void> => {
  const needed = [...KEYED, ...LIMITED.filter(({ operationId }) => !LEDGERLESS.includes(operationId))]
  for (const operation of needed) {
    const ask =
      operation === CLAIM
        ? claimed(foreignKey)
        : example(examples, operation, operation.isKeyed ? foreignKey : undefined)
    await refused(prism, operation, ask, 503, "ledger-unavailable")
  }
}

/** 429 for a used-up quota, then for the rate limit per key, then for those per address. */
export const refuseTooMany = async (prism: Prism, examples: Examples): Promise<void> => {
  const key = await mint(prism, "lin@example.org")
  await prism.ask("getMe", "GET", "/v1/me", { headers: withKey(key) })
  for (const slug of ["quota-exceeded", "rate-limited"]) {
    for (const operation of KEYED) await refused(prism, operation, example(examples, operation, key), 429, slug)
  }
  for (const operation of LIMITED) {
    const ask = example(examples, operation)
    await prism.ask(operation.operationId, operation.method, operation.path, ask)
    await refused(prism, operation, ask, 429, "rate-limited")
  }
}

/** 429 after a wrong signature, from a service that allows one an hour. */
export const refuseSignatures = async (prism: Prism, examples: Examples): Promise<void> => {
  const ask = example(examples, WEBHOOK)
  const wrong = {
    ...ask,
    headers: { ...ask.headers, "stripe-signature": `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}` }
  }
  await prism.ask(WEBHOOK.operationId, WEBHOOK.method, WEBHOOK.path, wrong)
  await refused(prism, WEBHOOK, wrong, 429, "rate-limited")
}

/** 503 from a service without a webhook secret. */
export const refuseEvents = async (prism: Prism, examples: Examples): Promise<void> => {
  const ask = example(examples, WEBHOOK)
  const headers = { ...ask.headers, "stripe-signature": "t=1,v1=0" }
  await refused(prism, WEBHOOK, { ...ask, headers }, 503, "webhook-disabled")
}

/**
 * The examples of the OpenAPI document as calls to a running service, in an order in which each can
 * succeed. The example's key, answer id and signature are replaced by real ones. The caller sends
 * them and handles the answers.
 */
import { setTimeout } from "node:timers/promises"
import Stripe from "stripe"
import type { Example } from "../../schema/examples/index.ts"

export const WEBHOOK_SECRET = "whsec_for_the_examples_only"
/** The payment link of the event that the examples show. */
export const PAYMENT_LINK_ID = "plink_example"

interface Parameter {
  readonly name: string
  readonly in: string
}

interface Operation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly security: ReadonlyArray<object>
  readonly responses: Readonly<Record<string, object>>
}

/** The part of an OpenAPI document that is read here. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export interface Call {
  readonly operationId: string
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const MAX_SENDS = 100
const PAUSE_MILLIS = 100
const UNAVAILABLE = 503

/** Sends a call again while it is refused with 503: a receipt exists once its record is in the log. */
export const sentUntilReady = async <A extends { readonly status: number }>(send: () => Promise<A>): Promise<A> => {
  let sent = await send()
  for (let sends = 1; sent.status === UNAVAILABLE && sends < MAX_SENDS; sends++) {
    await setTimeout(PAUSE_MILLIS)
    sent = await send()
  }
  return sent
}

type Ask = (call: Call) => Promise<unknown>

/**
 * A payment comes before its claim, and a calculation before its record is read. The receipt is last,
 * because a record enters the log a moment after its answer.
 */
const ORDER = [
  "mintSandboxKey",
  "runProjection",
  "compareScenarios",
  "getEligiblePlans",
  "getPlanTypes",
  "listRecords",
  "getMe",
  "verifyAnswer",
  "checkAnswer",
  "receiveStripeEvent",
  "claimProductionKey",
  "calculateLoan",
  "comparePlans",
  "explainPayment",
  "getReference",
  "getRules",
  "getRulesVersion",
  "getHealth",
  "getHealthV1",
  "getReceipt"
]

interface Real {
  readonly apiKey?: string
  readonly answer?: { readonly provenance: { readonly answerId: string } }
}

const findOperation = (document: Document, operationId: string) => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId === operationId) return { path, method: method.toUpperCase(), operation }
    }
  }
  throw new Error(`the document has no operation ${operationId}`)
}

const bodyOf = (operationId: string, { request }: Example, real: Real): string | undefined => {
  if (request === undefined) return undefined
  if (operationId === "checkAnswer") return JSON.stringify(real.answer)
  return JSON.stringify(operationId === "claimProductionKey" ? { sandboxKey: real.apiKey } : request)
}

export const signature = (body: string): string =>
  Stripe.webhooks.generateTestHeaderString({ payload: body, secret: WEBHOOK_SECRET })

const targetOf = (path: string, operation: Operation, example: Example, real: Real): string => {
  const query = new URLSearchParams()
  for (const { in: place, name } of operation.parameters) {
    const value = example.parameters?.[name]
    if (place === "query" && value !== undefined) query.set(name, String(value))
  }
  return `${path.replace("{answerId}", real.answer?.provenance.answerId ?? "")}${query.size > 0 ? `?${query}` : ""}`
}

const callOf = (document: Document, operationId: string, example: Example, real: Real): Call => {
  const { method, operation, path } = findOperation(document, operationId)
  const body = bodyOf(operationId, example, real)
  return {
    operationId,
    method,
    target: targetOf(path, operation, example, real),
    body,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(operation.security.length > 0 ? { "x-api-key": real.apiKey ?? "" } : {}),
      ...(operationId === "receiveStripeEvent" ? { "stripe-signature": signature(body ?? "") } : {})
    }
  }
}

const learned = (operationId: string, answer: unknown): Real => {
  if (operationId === "mintSandboxKey") return { apiKey: (answer as { readonly apiKey: string }).apiKey }
  return operationId === "runProjection" ? { answer: answer as NonNullable<Real["answer"]> } : {}
}

/** Makes all calls in order; resolves with the sandbox key that they used. */
export const askExamples = async (
  document: Document,
  examples: Readonly<Record<string, Example>>,
  ask: Ask
): Promise<string> => {
  let real: Real = {}
  for (const operationId of ORDER) {
    const answer = await ask(callOf(document, operationId, examples[operationId]!, real))
    real = { ...real, ...learned(operationId, answer) }
  }
  return real.apiKey ?? ""
}

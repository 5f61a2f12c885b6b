/**
 * The tasks of the HTTP bench, built from the borrowers of the engine bench. Every server receives
 * the same bytes, except for the ids of its own records.
 */
import type { PlanType } from "../../schema/scenario.ts"
import { NO_ADDITIONS } from "../../src/engine/index.ts"
import { BORROWERS, loansOf, requestsOf } from "./borrowers.ts"

export interface Question {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * One question per borrower, with the keys in turn; with more keys than borrowers, several per
 * borrower.
 */
const byBorrowers = (
  keys: ReadonlyArray<string>,
  question: (borrower: number) => Omit<Question, "method" | "key">
): ReadonlyArray<Question> =>
  Array.from({ length: Math.max(keys.length, BORROWERS) }, (_, index) => ({
    method: "POST",
    ...(keys.length === 0 ? {} : { key: keys[index % keys.length]! }),
    ...question(index % BORROWERS)
  }))

/** A request without what an older release may not know. All of it has its default here. */
const LATER: ReadonlyArray<string> = [...Object.keys(NO_ADDITIONS), "madeOn"]
const sent = <A>(request: A): A =>
  JSON.parse(JSON.stringify(request, (name, value) => (LATER.includes(name) ? undefined : value)))

const projections = sent(requestsOf("INCOME BASED", 3))

const COMPARED = ["STANDARD", "INCOME BASED", "REPAYMENT ASSISTANCE"] as const satisfies ReadonlyArray<PlanType>
const comparisons = Array.from({ length: BORROWERS }, (_, borrower) => ({
  arms: COMPARED.map((planType) => {
    const { loans, scenario } = sent(requestsOf(planType, 10)[borrower]!)
    return { loans, scenario: { ...scenario, label: planType } }
  })
}))

const loanOf = (borrower: number) => {
  const { adjustedGrossIncome: borrowerAgi, dependents, filingStatus, state } = projections[borrower]!.scenario
  return { balance: 30_000 + 1_000 * borrower, ratePct: 6.54, borrowerAgi, dependents, filingStatus, state }
}

const STATELESS = "2026-07-28"
const STATELESS_META = {
  "io.modelcontextprotocol/protocolVersion": STATELESS,
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {}
}
const STATELESS_HEADERS = {
  "mcp-protocol-version": STATELESS,
  "mcp-method": "tools/call",
  "mcp-name": "run_projection"
}

const toolCall = (borrower: number, envelope: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "run_projection", arguments: projections[borrower], ...envelope }
})

/** Confirmations of records, which need no key. */
export const confirmations = (answerIds: ReadonlyArray<string>): ReadonlyArray<Question> =>
  answerIds.map((answerId) => ({ method: "GET", path: `/v1/verify/${answerId}` }))

export const TASKS = {
  projection: (keys: ReadonlyArray<string>) =>
    byBorrowers(keys, (borrower) => ({ path: "/v1/projection", body: projections[borrower] })),
  comparison: (keys: ReadonlyArray<string>) =>
    byBorrowers(keys, (borrower) => ({ path: "/v1/comparison", body: comparisons[borrower] })),
  eligibility: (keys: ReadonlyArray<string>) =>
    byBorrowers(keys, (borrower) => ({ path: "/v1/plan-eligibility", body: { loans: sent(loansOf(borrower, 10)) } })),
  calculator: (keys: ReadonlyArray<string>) =>
    byBorrowers(keys, (borrower) => ({ path: "/v1/calculators/loan", body: loanOf(borrower) })),
  brief: (keys: ReadonlyArray<string>) =>
    byBorrowers(keys, (borrower) => ({ path: "/v1/projection?detail=brief", body: projections[borrower] })),
  tool: (keys: ReadonlyArray<string>) => byBorrowers(keys, (borrower) => ({ path: "/mcp", body: toolCall(borrower) })),
  statelessTool: (keys: ReadonlyArray<string>) =>
    byBorrowers(keys, (borrower) => ({
      path: "/mcp",
      headers: STATELESS_HEADERS,
      body: toolCall(borrower, { _meta: STATELESS_META })
    }))
} as const

/** A task as it is timed; 0 keys for a keyless one. */
export interface Row {
  readonly task: keyof typeof TASKS | "verify"
  readonly keys: number
  readonly callers: number
}

export const headersOf = ({ body, headers, key }: Question): Readonly<Record<string, string>> => ({
  accept: body === undefined ? "application/json" : "application/json, text/event-stream",
  ...(key === undefined ? {} : { "x-api-key": key }),
  ...(body === undefined ? {} : { "content-type": "application/json" }),
  ...headers
})

export const wireText = (question: Question): string => {
  const body = question.body === undefined ? "" : JSON.stringify(question.body)
  const headers = { host: "127.0.0.1", ...headersOf(question), "content-length": String(Buffer.byteLength(body)) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${question.method} ${question.path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`
}

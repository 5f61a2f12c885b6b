/**
 * The generator of what the small client (the package without dependencies) knows of schema/api.ts.
 * It writes types with the descriptions as comments, and a row for each operation and each problem.
 * It also writes the shapes with which the library decodes requests.
 */
import { Context, type Schema, SchemaAST } from "effect"
import { type HttpApiEndpoint, type HttpApiMiddleware, HttpApiSchema, OpenApi } from "effect/http-api"
import { Api } from "../../schema/api.ts"
import { DETAILS, DetailQuery } from "../../schema/brief.ts"
import { Authentication } from "../../schema/middleware.ts"
import { PROBLEMS } from "../../schema/problems.ts"
import { RECEIPT_START } from "../../schema/records.ts"
import { RECORDS_PARAMETERS } from "../../schema/recordsQuery.ts"
import { formatted } from "../formatted.ts"
import { shapesText } from "./shapes.ts"
import { comment, fieldsOf, requiredMembers, typeWriter } from "./types.ts"

interface Method {
  readonly endpoint: HttpApiEndpoint.Top
  /** Its parameters, if they differ from the request as it is sent. */
  readonly takes?: string
  /** Its result type, if that is not the whole response. */
  readonly gives?: string
  /** How the response begins, if it is a text. */
  readonly start?: string
}

const { account, calculations, calculator, health, keys, reference, rules, verify } = Api.groups

/**
 * Every method of the client. Two endpoints have none: the second address of health, and the
 * webhook for Stripe.
 */
export const METHODS: Readonly<Record<string, Method>> = {
  project: { endpoint: calculations.endpoints.projection },
  compare: { endpoint: calculations.endpoints.comparison },
  eligiblePlans: { endpoint: calculations.endpoints.planEligibility },
  planTypes: { endpoint: calculations.endpoints.planTypes },
  calculate: { endpoint: calculator.endpoints.calculateLoan },
  comparePlans: { endpoint: calculator.endpoints.plans },
  explain: { endpoint: calculator.endpoints.explain },
  verify: { endpoint: verify.endpoints.verifyAnswer, takes: "answerId: string" },
  check: {
    endpoint: verify.endpoints.checkAnswer,
    takes: "answer: ProjectionResult | ScenarioComparisonResult | BriefProjection | BriefComparison"
  },
  receipt: { endpoint: verify.endpoints.receipt, takes: "answerId: string", start: RECEIPT_START },
  me: { endpoint: account.endpoints.me },
  records: { endpoint: account.endpoints.records, takes: "filter?: RecordsFilter" },
  rules: { endpoint: rules.endpoints.rules },
  rulesVersion: { endpoint: rules.endpoints.rulesVersion, gives: "string" },
  reference: { endpoint: reference.endpoints.reference },
  mintSandboxKey: { endpoint: keys.endpoints.mintSandboxKey, takes: "email: string" },
  claimProductionKey: { endpoint: keys.endpoints.claimProductionKey, takes: "sandboxKey: string" },
  health: { endpoint: health.endpoints.health }
}

const { declared, typeOf } = typeWriter()

/** The schema of the JSON response, which comes before other forms such as a page. */
const answerOf = ({ success }: HttpApiEndpoint.Top): SchemaAST.AST => {
  const [first] = [...success]
  return HttpApiSchema.isWithHeaders(first!) ? first.schema.ast : first!.ast
}

const requestOf = ({ payload }: HttpApiEndpoint.Top): string =>
  [...payload.values()].flatMap(({ schemas }) => schemas.map(({ ast }) => `request: ${typeOf(ast)}`)).join()

const isKeyed = ({ middlewares }: HttpApiEndpoint.Top): boolean => middlewares.has(Authentication)

const row = ({ endpoint, start }: Method): string => {
  const { method, path } = endpoint
  const answer = start === undefined ? { members: requiredMembers(answerOf(endpoint)) } : { start }
  return JSON.stringify({ method, path, ...(isKeyed(endpoint) ? { keyed: true } : {}), ...answer })
}

export const tagOf = (problem: Schema.Top): string =>
  SchemaAST.resolve(SchemaAST.toEncoded(problem.ast))!["identifier"] as string

/** Every problem of an endpoint, those of its middleware included, in order of status. */
const refusals = ({ error, middlewares }: HttpApiEndpoint.Top): string => {
  const services = [...middlewares] as ReadonlyArray<unknown> as ReadonlyArray<HttpApiMiddleware.AnyService>
  const own = [...error, ...services.flatMap((service) => [...service.error])].map(tagOf)
  return PROBLEMS.map(tagOf)
    .filter((tag) => own.includes(tag))
    .join(", ")
}

/** The schema of the answer to `?detail=brief`, for an endpoint that has one. */
const briefAnswerOf = ({ query, success }: HttpApiEndpoint.Top): SchemaAST.AST | undefined =>
  query?.ast === DetailQuery.ast ? [...success][1]!.ast : undefined

/** The type of a method; one with a brief answer is told in its options which answer to give. */
const signature = (request: string, answer: string, brief: string | undefined): string => {
  const of = (options: string) => [request, options].filter((parameter) => parameter !== "").join(", ")
  return brief === undefined
    ? `(${of("options?: CallOptions")}) => Promise<${answer}>`
    : `<D extends Detail = "full">(${of("options?: RecordedCallOptions<D>")}) => Promise<D extends "brief" ? ${brief} : ${answer}>`
}

const method = ([name, { endpoint, gives, takes }]: readonly [string, Method]): string => {
  const { method: verb, path, annotations } = endpoint
  const summary = `${Context.getUnsafe(annotations, OpenApi.Summary)}. ${Context.getUnsafe(annotations, OpenApi.Description)}`
  const text = `${summary}\n\n${verb} ${path}${isKeyed(endpoint) ? ", with a key" : ""}. Rejected with ${refusals(endpoint)}.`
  const brief = briefAnswerOf(endpoint)
  const type = signature(
    takes ?? requestOf(endpoint),
    gives ?? typeOf(answerOf(endpoint)),
    brief === undefined ? undefined : typeOf(brief)
  )
  return `${comment(text, "  ")}  readonly ${name}: ${type}\n`
}

const COMMON = ["type", "title", "status", "detail", "instance"]

/** The interface of a problem, with the fields that not all problems have. */
const problem = (declared: (typeof PROBLEMS)[number]): string => {
  const encoded = SchemaAST.toEncoded(declared.ast)
  if (!SchemaAST.isObjects(encoded)) throw new Error("a problem is no object")
  const tag = tagOf(declared)
  const { detail, status, title } = declared.declaration
  const own = new SchemaAST.Objects(
    encoded.propertySignatures.filter(({ name }) => !COMMON.includes(String(name))),
    []
  )
  const fixed = `  readonly _tag: ${JSON.stringify(tag)}\n  readonly status: ${status}\n`
  return `${comment(`${title} ${detail}`)}export interface ${tag} extends ServiceProblem {\n${fixed}${fieldsOf(own, tag, typeOf)}}\n`
}

/** A cursor may be null: a loop over pages begins with null, and the last page returns null. */
const CURSOR = { type: "number | null", says: " null asks for the first page, as no cursor does." }

const filterField = ([name, { description, type, ...rest }]: readonly [
  string,
  Readonly<Record<string, unknown>>
]): string => {
  const plain = { type: rest["format"] === "date-time" ? "Date | string" : "number", says: "" }
  const { says, type: written } = name === "cursor" ? CURSOR : plain
  const bounds = rest["default"] === undefined ? "" : ` 1 to ${rest["maximum"]}.\n@default ${rest["default"]}`
  return `${comment(`${description}${says}${bounds}`, "  ")}  readonly ${name}?: ${written} | undefined\n`
}

const WRITTEN = "Written by `npm run x -- generate`; not edited by hand."

const contractText = (): string =>
  [
    comment(`The contract of schema/api.ts as types, for the small client. ${WRITTEN}`),
    'import type { ServiceProblem } from "../failures.ts"\n\n',
    comment("Any value of JSON."),
    "export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [member: string]: Json }\n\n",
    ...clientText(),
    PROBLEMS.map(problem).join("\n"),
    `\n${comment("Every problem that the service can answer with; `_tag` tells them apart.")}`,
    `export type Problem = ${PROBLEMS.map(tagOf).join(" | ")}\n\n`,
    comment("The tags of the problems."),
    `export type ProblemTag = ${PROBLEMS.map((one) => JSON.stringify(tagOf(one))).join(" | ")}\n`
  ].join("")

const IDEMPOTENCY_KEY =
  "Makes the call safe to send again: with one key, an account is charged and answered once. 1 to 255 visible ASCII characters.\n@default a new random one for each call, so that its retries are safe"

/** The types of requests and answers, then the client's types, which have no schema. */
const clientText = (): ReadonlyArray<string> => {
  const methods = Object.entries(METHODS).map(method).join("")
  const filter = Object.entries(RECORDS_PARAMETERS).map(filterField).join("")
  return [
    `${declared()}\n${comment("Which records to list; an absent member does not restrict them.")}`,
    `export interface RecordsFilter {\n${filter}}\n\n${comment(
      "How much of an answer is sent: `brief` leaves out the texts of citations and omissions, and sends their ids."
    )}`,
    `export type Detail = ${DETAILS.map((one) => JSON.stringify(one)).join(" | ")}\n\n${comment("What every call takes last.")}`,
    `export interface CallOptions {\n${comment("Cancels the call, which is rejected with the signal's own reason.", "  ")}`,
    `  readonly signal?: AbortSignal | undefined\n}\n\n${comment("What a recorded call takes last.")}`,
    `export interface RecordedCallOptions<D extends Detail> extends CallOptions {\n${comment('@default "full"', "  ")}  readonly detail?: D | undefined\n${comment(IDEMPOTENCY_KEY, "  ")}`,
    `  readonly idempotencyKey?: string | undefined\n}\n\n${comment(
      "One method for each operation. A promise is rejected with a ServiceProblem, a ServiceUnreachable, an UnexpectedAnswer, or the reason of its signal."
    )}`,
    `export interface Client {\n${methods}}\n\n`
  ]
}

const tableText = (): string => {
  const slugs = PROBLEMS.map(({ declaration }) => declaration.slug)
  const rows = Object.entries(METHODS).map(([name, one]) => `  ${name}: ${row(one)}`)
  return [
    comment(`The operations and problems of schema/api.ts, for the small client. ${WRITTEN}`),
    `\n${comment("The ends of the problems' `type`s.")}`,
    `export const PROBLEM_SLUGS = ${JSON.stringify(slugs)}\n\n`,
    comment(
      "An operation by its method: whether it takes a key, and which members its answer has (none of an array) or how its text begins."
    ),
    `export const OPERATIONS = {\n${rows.join(",\n")}\n} as const\n`
  ].join("")
}

export const clientContract = (): Readonly<Record<string, string>> => ({
  "src/client/plain/generated/contract.ts": formatted("contract.ts", contractText()),
  "src/client/plain/generated/table.ts": formatted("table.ts", tableText()),
  "schema/generated/shapes.ts": formatted("shapes.ts", shapesText(WRITTEN))
})

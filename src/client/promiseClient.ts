/**
 * The client without Effect: promises and plain objects. A request is sent as it is and validated by the service alone,
 * so that every message about it is the service's own. A promise is rejected with a problem of the service, or with one
 * of the two failures of failures.ts.
 */
import { Duration, Effect, Layer } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import type { Health, MeResponse } from "../../schema/account.ts"
import { Api } from "../../schema/api.ts"
import type { KeylessLoanRequest, LoanCalcResult } from "../../schema/calculator.ts"
import type { ComparisonRequest, ScenarioComparisonResult } from "../../schema/comparison.ts"
import type { EligibilityRequest, EligibilityResult, PlanTypes } from "../../schema/eligibility.ts"
import type { ClaimKeyResponse, SandboxKeyResponse } from "../../schema/keys.ts"
import type { ProjectionRequest, ProjectionResult } from "../../schema/projection.ts"
import type { CheckedAnswer, RecordsPage, VerifiedAnswer } from "../../schema/records.ts"
import type { ReferenceResponse } from "../../schema/reference.ts"
import type { RulesResponse } from "../../schema/rules.ts"
import type { ClientOptions } from "./effectClient.ts"
import { ServiceUnreachable, UnexpectedAnswer } from "./failures.ts"
import { call, type Operation, operationOf, type Sent } from "./operations.ts"
import { withRetries } from "./retries.ts"

const DEFAULT_TIMEOUT_MILLIS = 30_000

export interface PromiseClientOptions extends ClientOptions {
  /** For a whole call, retries included. Default 30,000. */
  readonly timeoutMillis?: number
  /** In place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
}

export interface CallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal
}

/** Which records to list; an absent member does not restrict them. */
export interface RecordsFilter {
  /** Inclusive. */
  readonly from?: Date
  /** Exclusive. */
  readonly to?: Date
  /** `nextCursor` of the previous page. */
  readonly cursor?: number
  /** 1 to 1000, default 100. */
  readonly limit?: number
}

/** Requests are objects as they are sent: loan types in any case, optional members left out. */
export interface PromiseClient {
  readonly project: (request: typeof ProjectionRequest.Encoded, options?: CallOptions) => Promise<ProjectionResult>
  readonly compare: (
    request: typeof ComparisonRequest.Encoded,
    options?: CallOptions
  ) => Promise<ScenarioComparisonResult>
  readonly eligiblePlans: (
    request: typeof EligibilityRequest.Encoded,
    options?: CallOptions
  ) => Promise<EligibilityResult>
  readonly planTypes: (options?: CallOptions) => Promise<typeof PlanTypes.Type>
  /** One loan under every plan. Percent, not fractions; no key, no record. */
  readonly calculate: (request: typeof KeylessLoanRequest.Encoded, options?: CallOptions) => Promise<LoanCalcResult>
  readonly verify: (answerId: string, options?: CallOptions) => Promise<VerifiedAnswer>
  /** Whether the answer, as it was received, is the one that was recorded under its id. */
  readonly check: (answer: ProjectionResult | ScenarioComparisonResult, options?: CallOptions) => Promise<CheckedAnswer>
  readonly me: (options?: CallOptions) => Promise<MeResponse>
  readonly records: (filter?: RecordsFilter, options?: CallOptions) => Promise<RecordsPage>
  readonly rules: (options?: CallOptions) => Promise<RulesResponse>
  readonly rulesVersion: (options?: CallOptions) => Promise<string>
  readonly reference: (options?: CallOptions) => Promise<ReferenceResponse>
  readonly mintSandboxKey: (email: string, options?: CallOptions) => Promise<SandboxKeyResponse>
  readonly claimProductionKey: (sandboxKey: string, options?: CallOptions) => Promise<ClaimKeyResponse>
  readonly health: (options?: CallOptions) => Promise<Health>
}

/** Every operation, with the decoder of its responses from the contract. */
const OPERATIONS = {
  project: operationOf(
    Api.groups.calculations.endpoints.projection,
    HttpApiClient.decodeResponse(Api, { group: "calculations", endpoint: "projection" })
  ),
  compare: operationOf(
    Api.groups.calculations.endpoints.comparison,
    HttpApiClient.decodeResponse(Api, { group: "calculations", endpoint: "comparison" })
  ),
  eligiblePlans: operationOf(
    Api.groups.calculations.endpoints.planEligibility,
    HttpApiClient.decodeResponse(Api, { group: "calculations", endpoint: "planEligibility" })
  ),
  planTypes: operationOf(
    Api.groups.calculations.endpoints.planTypes,
    HttpApiClient.decodeResponse(Api, { group: "calculations", endpoint: "planTypes" })
  ),
  calculate: operationOf(
    Api.groups.calculator.endpoints.calculateLoan,
    HttpApiClient.decodeResponse(Api, { group: "calculator", endpoint: "calculateLoan" })
  ),
  verify: operationOf(
    Api.groups.verify.endpoints.verifyAnswer,
    HttpApiClient.decodeResponse(Api, { group: "verify", endpoint: "verifyAnswer" })
  ),
  check: operationOf(
    Api.groups.verify.endpoints.checkAnswer,
    HttpApiClient.decodeResponse(Api, { group: "verify", endpoint: "checkAnswer" })
  ),
  me: operationOf(
    Api.groups.account.endpoints.me,
    HttpApiClient.decodeResponse(Api, { group: "account", endpoint: "me" })
  ),
  records: operationOf(
    Api.groups.account.endpoints.records,
    HttpApiClient.decodeResponse(Api, { group: "account", endpoint: "records" })
  ),
  rules: operationOf(
    Api.groups.rules.endpoints.rules,
    HttpApiClient.decodeResponse(Api, { group: "rules", endpoint: "rules" })
  ),
  rulesVersion: operationOf(
    Api.groups.rules.endpoints.rulesVersion,
    HttpApiClient.decodeResponse(Api, { group: "rules", endpoint: "rulesVersion" })
  ),
  reference: operationOf(
    Api.groups.reference.endpoints.reference,
    HttpApiClient.decodeResponse(Api, { group: "reference", endpoint: "reference" })
  ),
  mintSandboxKey: operationOf(
    Api.groups.keys.endpoints.mintSandboxKey,
    HttpApiClient.decodeResponse(Api, { group: "keys", endpoint: "mintSandboxKey" })
  ),
  claimProductionKey: operationOf(
    Api.groups.keys.endpoints.claimProductionKey,
    HttpApiClient.decodeResponse(Api, { group: "keys", endpoint: "claimProductionKey" })
  ),
  health: operationOf(
    Api.groups.health.endpoints.health,
    HttpApiClient.decodeResponse(Api, { group: "health", endpoint: "health" })
  )
}

const transportOf = (fetch: PromiseClientOptions["fetch"]): Layer.Layer<HttpClient.HttpClient> =>
  Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, withRetries)).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(fetch === undefined ? Layer.empty : Layer.succeed(FetchHttpClient.Fetch, fetch))
  )

/** Runs calls within the timeout. */
const runner = (options: PromiseClientOptions) => {
  const transport = transportOf(options.fetch)
  const timeoutMillis = options.timeoutMillis ?? DEFAULT_TIMEOUT_MILLIS
  return <A>(operation: Operation<A>, sent: Sent, { signal }: CallOptions = {}): Promise<A> =>
    call(operation, sent, options).pipe(
      Effect.timeoutOrElse({
        duration: Duration.millis(timeoutMillis),
        orElse: () => Effect.fail(new ServiceUnreachable({ message: `no response within ${timeoutMillis} ms` }))
      }),
      Effect.provide(transport),
      (effect) => Effect.runPromise(effect, signal === undefined ? {} : { signal })
    )
}

const queryOf = ({ cursor, from, limit, to }: RecordsFilter): NonNullable<Sent["query"]> => ({
  from: from?.toISOString(),
  to: to?.toISOString(),
  cursor: cursor?.toString(),
  limit: limit?.toString()
})

const notAsked = () =>
  new UnexpectedAnswer({ message: "the response is of a kind that was not requested", status: undefined })

/** The body of a response that by the contract could also have been an HTML page or empty. */
const asked = async <A>(answer: Promise<A>): Promise<Extract<A, object>> => {
  const value = await answer
  if (typeof value !== "object" || value === null) throw notAsked()
  return value as Extract<A, object>
}

export const createClient = (options: PromiseClientOptions): PromiseClient => {
  const run = runner(options)
  return {
    project: (body, how) => run(OPERATIONS.project, { body }, how),
    compare: (body, how) => run(OPERATIONS.compare, { body }, how),
    eligiblePlans: (body, how) => run(OPERATIONS.eligiblePlans, { body }, how),
    planTypes: (how) => run(OPERATIONS.planTypes, {}, how),
    calculate: (body, how) => run(OPERATIONS.calculate, { body }, how),
    verify: (answerId, how) => asked(run(OPERATIONS.verify, { params: { answerId } }, how)),
    check: (body, how) => run(OPERATIONS.check, { params: { answerId: body.provenance.answerId ?? "" }, body }, how),
    me: (how) => run(OPERATIONS.me, {}, how),
    records: (filter = {}, how) => run(OPERATIONS.records, { query: queryOf(filter) }, how),
    rules: (how) => asked(run(OPERATIONS.rules, {}, how).then(({ body }) => body)),
    rulesVersion: async (how) => (await asked(run(OPERATIONS.rulesVersion, {}, how).then(({ body }) => body))).version,
    reference: (how) => run(OPERATIONS.reference, {}, how),
    mintSandboxKey: (email, how) => run(OPERATIONS.mintSandboxKey, { body: { email } }, how),
    claimProductionKey: (sandboxKey, how) => run(OPERATIONS.claimProductionKey, { body: { sandboxKey } }, how),
    health: (how) => run(OPERATIONS.health, {}, how)
  }
}

/**
 * The HTTP contract: every endpoint with its request, responses and problems (errors, RFC 9457).
 * The handlers are in src/http; a client needs only this folder.
 */
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Health, MeResponse } from "./account.ts"
import {
  ANSWER_BODY_BYTES,
  ANSWER_BOUNDS,
  ARMS_RANGE,
  EXPLAINED_BODY_BYTES,
  LOAN_BOOK_BODY_BYTES,
  PLANS_BODY_BYTES,
  STRIPE_EVENT_BODY_BYTES
} from "./bounds.ts"
import { BRIEF_MEDIA_TYPE, BriefComparison, BriefProjection, DetailQuery } from "./brief.ts"
import { KeylessLoanRequest, LoanCalcResult } from "./calculator.ts"
import { ComparisonRequest, ScenarioComparisonResult } from "./comparison.ts"
import { EligibilityRequest, EligibilityResult, PlanTypes } from "./eligibility.ts"
import { ExplainRequest, ExplainResult } from "./explanation.ts"
import { ClaimKeyRequest, ClaimKeyResponse, SandboxKeyRequest, SandboxKeyResponse } from "./keys.ts"
import {
  AddressBucketOf,
  AddressLimit,
  Answering,
  Authentication,
  BodyLimit,
  IsQueuedByAddress,
  JsonBody,
  JsonBoundsOf,
  TakesIdempotencyKey
} from "./middleware.ts"
import { PlansRequest, PlansResult } from "./plans.ts"
import { STRICT_PARSE_OPTIONS } from "./primitives.ts"
import {
  AnswerNotFoundProblem,
  ArtifactPlanProblem,
  IdempotencyKeyReusedProblem,
  IneligiblePlanProblem,
  KeyAlreadyUsedProblem,
  KeyIssuedAfterPaymentProblem,
  LedgerUnavailableProblem,
  NoSubscriptionProblem,
  NotYetLoggedProblem,
  OverloadedProblem,
  PayloadTooLargeProblem,
  RateLimitedProblem,
  RulesChangedProblem,
  StartingProblem,
  SubscriptionHeldProblem,
  UnsupportedMediaTypeProblem,
  ValidationProblem,
  WebhookDisabledProblem
} from "./problems.ts"
import { ProjectionRequest, ProjectionResult } from "./projection.ts"
import { CheckedAnswer, Receipt, RecordedAnswer, RecordsPage, VerifiedAnswer } from "./records.ts"
import { RecordsQuery } from "./recordsQuery.ts"
import { ReferenceResponse } from "./reference.ts"
import { RulesResponse, RulesVersion } from "./rules.ts"
import { StripeEvent, WebhookReceipt } from "./webhook.ts"

const describe = (identifier: string, summary: string, description: string) =>
  OpenApi.annotations({ identifier, summary, description })

const group = (description: string) => OpenApi.annotations({ description })

export class HealthApi extends HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("health", "/health", { success: Health }).annotateMerge(
      describe("getHealth", "Health of this host", "Build commit and version of the host that answers. No key.")
    ),
    HttpApiEndpoint.get("healthV1", "/v1/health", { success: Health }).annotateMerge(
      describe("getHealthV1", "Health of this host", "The same as GET /health. No key.")
    )
  )
  .annotateMerge(group("Health of the service.")) {}

export class CalculatorApi extends HttpApiGroup.make("calculator")
  .add(
    HttpApiEndpoint.post("calculateLoan", "/v1/calculators/loan", {
      payload: KeylessLoanRequest,
      success: LoanCalcResult
    })
      .middleware(JsonBody)
      .middleware(AddressLimit)
      .annotateMerge(
        describe(
          "calculateLoan",
          "One loan under every federal plan",
          "First payment, lifetime cost, forgiveness and the tax on it for every plan that the loan can be repaid under; the other plans are listed with the reason. Rates and growth are percent here (6.54 means 6.54%), money is US dollars. No key, no record and no answer id: only the keyed projection and comparison are recorded."
        )
      )
  )
  .add(
    HttpApiEndpoint.post("plans", "/v1/calculators/plans", {
      payload: PlansRequest,
      success: PlansResult,
      error: [ArtifactPlanProblem, IneligiblePlanProblem]
    })
      .annotate(BodyLimit, PLANS_BODY_BYTES)
      .annotate(IsQueuedByAddress, true)
      .middleware(JsonBody)
      .middleware(AddressLimit)
      .annotateMerge(
        describe(
          "comparePlans",
          "A whole book under every plan",
          "All loans of a borrower under every plan that can be chosen: first payment, date of payoff or forgiveness, total paid, amount forgiven, the tax on it, and the lowest. The other plans are listed with the reason. Send all loans in one request: an income-driven payment counts once for all of them, so the figures of single loans do not add up. With bestPath it also looks for the change of plan with the lowest cost of those tried. Takes the scenario of POST /v1/projection without planType, planChanges and label. Rates and growth are fractions. No key, no record and no answer id."
        )
      )
  )
  .add(
    HttpApiEndpoint.post("explain", "/v1/explain", {
      payload: ExplainRequest,
      success: ExplainResult,
      error: [ArtifactPlanProblem, IneligiblePlanProblem]
    })
      .annotate(BodyLimit, EXPLAINED_BODY_BYTES)
      .middleware(JsonBody)
      .middleware(AddressLimit)
      .annotateMerge(
        describe(
          "explainPayment",
          "How the payment of a month comes about",
          "Each intermediate value of one month's payment, with its formula and the rule behind it: income, poverty guideline, discretionary income or band, cap, share, minimum, or the terms of the amortization. It also shows how the payment is split between interest and principal of each loan. knownOmissions lists the rules not applied in the projection that the month belongs to. notes say if nobody can elect the plan any more, and when it ends. Takes the request of POST /v1/projection and a month (default 1, the first payment). Rates and growth are fractions. No key, no record and no answer id."
        )
      )
  )
  .annotateMerge(group("Keyless calculations.")) {}

const AnswerId = {
  answerId: Schema.String.annotate({ format: "uuid", description: "provenance.answerId of a keyed answer." })
}

const RecordNotModified = HttpApiSchema.Empty(304).annotate({
  description: "Your copy of the record is current: a record never changes."
})

export class VerifyApi extends HttpApiGroup.make("verify")
  .add(
    HttpApiEndpoint.get("verifyAnswer", "/v1/verify/:answerId", {
      params: AnswerId,
      success: [
        VerifiedAnswer,
        Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html" })),
        RecordNotModified
      ],
      error: [AnswerNotFoundProblem, LedgerUnavailableProblem]
    })
      .middleware(AddressLimit)
      .annotate(AddressBucketOf, "verify")
      .annotateMerge(
        describe(
          "verifyAnswer",
          "Confirm a recorded answer",
          "When the answer was recorded, which endpoint served it, under which rules, and a keyed hash of its inputs; never the inputs, the caller or the tenant. Accept: text/html gets the same record as a page that checks an answer without sending it. To check a number, send the same inputs to the same endpoint again: while the rules are unchanged, the new record has the same ruleVersion and inputsHash. No key."
        )
      ),
    HttpApiEndpoint.post("checkAnswer", "/v1/verify/:answerId", {
      params: AnswerId,
      payload: RecordedAnswer,
      success: CheckedAnswer,
      error: [AnswerNotFoundProblem, LedgerUnavailableProblem]
    })
      .annotate(BodyLimit, ANSWER_BODY_BYTES)
      .annotate(JsonBoundsOf, ANSWER_BOUNDS)
      .annotate(IsQueuedByAddress, true)
      .middleware(JsonBody)
      .middleware(AddressLimit)
      .annotate(AddressBucketOf, "verify")
      .annotateMerge(
        describe(
          "checkAnswer",
          "Check an answer against its record",
          "Send an answer as it was received: matches is true if it is the answer that was recorded under this id, to the last figure and word. The order of members and the white space between them do not matter. The answer is neither kept nor logged; the page of the same address and `repay verify` check it without sending it. No key."
        )
      ),
    HttpApiEndpoint.get("receipt", "/v1/verify/:answerId/receipt", {
      params: AnswerId,
      success: Receipt.pipe(HttpApiSchema.asText({ contentType: "text/plain" })),
      error: [AnswerNotFoundProblem, LedgerUnavailableProblem, NotYetLoggedProblem, StartingProblem]
    })
      .middleware(AddressLimit)
      .annotate(AddressBucketOf, "log")
      .annotateMerge(
        describe(
          "getReceipt",
          "The receipt of a recorded answer",
          "The proof that the record is in the transparency log: the record, its path in the tree and a signed checkpoint, as text (C2SP tlog-proof). Keep it with the answer: `repay verify --receipt` checks both without this service. A record enters the log within seconds of its answer; until then the answer is 503 not-yet-logged. No key."
        )
      )
  )
  .annotateMerge(group("Confirmation of recorded answers.")) {}

const Etag = { etag: Schema.String.annotate({ description: "The rules version in quotes." }) }
const IfNoneMatch = {
  "if-none-match": Schema.optionalKey(Schema.String.annotate({ description: "ETag of an earlier answer." }))
}
const NotModified = HttpApiSchema.WithHeaders(
  HttpApiSchema.Empty(304).annotate({ description: "The rules are unchanged." }),
  Etag
)

export class RulesApi extends HttpApiGroup.make("rules")
  .add(
    HttpApiEndpoint.get("rules", "/v1/rules", {
      headers: IfNoneMatch,
      success: [HttpApiSchema.WithHeaders(RulesResponse, Etag), NotModified]
    }).annotateMerge(
      describe(
        "getRules",
        "The rules ledger",
        "Every constant that the engine uses, with its value, source and dates, and the rules knowingly not applied. Cacheable: a conditional request with the current ETag answers 304. No key."
      )
    ),
    HttpApiEndpoint.get("rulesVersion", "/v1/rules/version", {
      headers: IfNoneMatch,
      success: [HttpApiSchema.WithHeaders(RulesVersion, Etag), NotModified]
    }).annotateMerge(
      describe(
        "getRulesVersion",
        "Version of the rules ledger",
        "Poll this: a new version means that the ledger has changed, and GET /v1/rules shows the change. No key."
      )
    )
  )
  .annotateMerge(group("The published rules ledger.")) {}

export class KeysApi extends HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.post("mintSandboxKey", "/v1/keys/sandbox", {
      payload: SandboxKeyRequest,
      success: SandboxKeyResponse,
      error: LedgerUnavailableProblem
    })
      .middleware(JsonBody)
      .middleware(AddressLimit)
      .annotate(AddressBucketOf, "mint")
      .annotateMerge(
        describe(
          "mintSandboxKey",
          "Get a sandbox key",
          "Issues a sandbox key for an email address, valid for 30 days, on this API and the tool server. The key is shown once. Another request for the same address revokes the previous key. No key needed."
        )
      ),
    HttpApiEndpoint.post("claimProductionKey", "/v1/keys/claim", {
      payload: ClaimKeyRequest,
      success: ClaimKeyResponse,
      error: [
        NoSubscriptionProblem,
        KeyAlreadyUsedProblem,
        KeyIssuedAfterPaymentProblem,
        SubscriptionHeldProblem,
        LedgerUnavailableProblem
      ]
    })
      .middleware(JsonBody)
      .middleware(AddressLimit)
      .annotate(AddressBucketOf, "claim")
      .annotateMerge(
        describe(
          "claimProductionKey",
          "Exchange a sandbox key for the paid production key",
          "Once the subscription for the sandbox key's email address is paid, returns a production key once and revokes the one that was sent by email, unless that one has been used. Holding the sandbox key is the proof, even if it is expired or rotated. Refused while the operator or a reversed payment holds the subscription. No key header needed."
        )
      )
  )
  .annotateMerge(group("API keys.")) {}

/** The problems of a calculation that is recorded. */
const RECORDING_PROBLEMS = [
  ArtifactPlanProblem,
  IneligiblePlanProblem,
  RulesChangedProblem,
  IdempotencyKeyReusedProblem
] as const

const asBrief = HttpApiSchema.asJson({ contentType: BRIEF_MEDIA_TYPE })

export class CalculationsApi extends HttpApiGroup.make("calculations")
  .add(
    HttpApiEndpoint.post("projection", "/v1/projection", {
      query: DetailQuery,
      payload: ProjectionRequest,
      success: [ProjectionResult, BriefProjection.pipe(asBrief)],
      error: RECORDING_PROBLEMS
    })
      .annotate(BodyLimit, LOAN_BOOK_BODY_BYTES)
      .annotate(TakesIdempotencyKey, true)
      .annotateMerge(
        describe(
          "runProjection",
          "Project one loan book under one plan",
          "First payment, payoff or forgiveness date, total paid, amount forgiven and the tax on it; with includeYearly also the series year by year. Rates and growth are fractions (0.0654 means 6.54%), money is US dollars. The answer is recorded before it is returned; with an Idempotency-Key the request can be sent again, and is charged and recorded once. Private loans and consolidation are not modeled."
        )
      ),
    HttpApiEndpoint.post("comparison", "/v1/comparison", {
      query: DetailQuery,
      payload: ComparisonRequest,
      success: [ScenarioComparisonResult, BriefComparison.pipe(asBrief)],
      error: RECORDING_PROBLEMS
    })
      .annotate(BodyLimit, LOAN_BOOK_BODY_BYTES)
      .annotate(TakesIdempotencyKey, true)
      .annotateMerge(
        describe(
          "compareScenarios",
          `Compare ${ARMS_RANGE} scenarios`,
          "One projection per arm, in arm order, and the label of the arm with the lowest totalOutOfPocket plus forgivenessTaxesOwed. Give each scenario a label. One record covers every arm; with an Idempotency-Key the request can be sent again, and is charged and recorded once."
        )
      ),
    HttpApiEndpoint.post("planEligibility", "/v1/plan-eligibility", {
      payload: EligibilityRequest,
      success: EligibilityResult
    })
      .annotate(BodyLimit, LOAN_BOOK_BODY_BYTES)
      .annotateMerge(
        describe(
          "getEligiblePlans",
          "Which plans each loan can elect",
          "Decides for each loan and plan, by the loan's type and the months already counted. EXTENDED also needs more than 30,000 dollars owed in the loan's program. INCOME BASED, PAY AS YOU EARN and EXTENDED are closed if older loans in the book show that the borrower is not new. Plans closed by the judgment of 10 March 2026 are left out. If a Direct loan has a madeOn on or after 1 July 2026, or firstBorrowedOn is on or after that day, all of the borrower's Direct loans can take only REPAYMENT ASSISTANCE and STANDARD, which is then Tiered Standard; Parent PLUS loans can take only STANDARD. firstBorrowedOn or the earliest loan decides who is a new borrower of 2014 for INCOME BASED, and of 2007 for PAY AS YOU EARN. Without dates, every loan counts as made before 1 July 2026, and both INCOME BASED and INCOME BASED (OLD) are returned; provenance.notes says so. Projection and comparison accept every returned plan for the same loans, with three exceptions: public service is on, the counts of another loan in the book refuse the plan, or the loan owes nothing and no loan that owes can take the plan. Not recorded: provenance.answerId is null."
        )
      )
  )
  .middleware(JsonBody)
  .add(
    HttpApiEndpoint.get("planTypes", "/v1/plan-types", { success: PlanTypes }).annotateMerge(
      describe("getPlanTypes", "The plan types", "The plan type strings that projection and comparison accept.")
    )
  )
  .middleware(Authentication)
  .annotateMerge(group("Keyed calculations.")) {}

export class AccountApi extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("me", "/v1/me", { success: MeResponse }).annotateMerge(
      describe(
        "getMe",
        "Account and usage of the calling key",
        "Tier, monthly limit, calls used and left (this call included) and when the count resets: 00:00 UTC on the 1st."
      )
    ),
    HttpApiEndpoint.get("records", "/v1/records", {
      query: RecordsQuery,
      success: RecordsPage,
      error: ValidationProblem
    }).annotateMerge(
      describe(
        "listRecords",
        "Recorded answers of the account",
        "Newest first, from (inclusive) to to (exclusive). Rows never contain inputs; each has its verify URL. Follow nextCursor until it is null."
      )
    )
  )
  .middleware(Authentication)
  .annotateMerge(group("The account of a key.")) {}

export class ReferenceApi extends HttpApiGroup.make("reference")
  .add(
    HttpApiEndpoint.get("reference", "/v1/reference", {
      success: ReferenceResponse,
      error: [LedgerUnavailableProblem, OverloadedProblem]
    })
      .middleware(AddressLimit)
      .annotate(AddressBucketOf, "reference")
      .annotateMerge(
        describe(
          "getReference",
          "Four canonical scenarios, computed live",
          "Each scenario under REPAYMENT ASSISTANCE, INCOME BASED and STANDARD, recorded under the service's own prefix, with the request that replays it through POST /v1/comparison. After 60 calls in an hour, by all callers together, the service returns the newest answers recorded in that hour. No key."
        )
      )
  )
  .annotateMerge(group("Reference scenarios.")) {}

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.post("stripeWebhook", "/webhooks/stripe", {
      payload: StripeEvent,
      success: WebhookReceipt,
      error: [
        ValidationProblem,
        PayloadTooLargeProblem,
        UnsupportedMediaTypeProblem,
        RateLimitedProblem,
        LedgerUnavailableProblem,
        OverloadedProblem,
        WebhookDisabledProblem
      ]
    })
      .annotate(BodyLimit, STRIPE_EVENT_BODY_BYTES)
      .annotateMerge(
        describe(
          "receiveStripeEvent",
          "Payment events from Stripe",
          "Called by Stripe only: the Stripe-Signature header must verify over the raw body, with a time at most 300 seconds from now. Calls with a wrong signature are rate-limited per address. Events of other types are acknowledged and ignored; a repeated event changes nothing. A payment that cannot be applied is acknowledged too, and kept for the operator."
        )
      )
  )
  .annotateMerge(group("Called by the payment provider.")) {}

export class Api extends HttpApi.make("repayment-of-record")
  .add(HealthApi)
  .add(CalculatorApi)
  .add(VerifyApi)
  .add(RulesApi)
  .add(KeysApi)
  .add(CalculationsApi)
  .add(AccountApi)
  .add(ReferenceApi)
  .add(WebhooksApi)
  .middleware(Answering)
  // Unknown query parameters and properties of bodies are refused. Unknown headers are accepted,
  // because clients and proxies add their own.
  .annotate(HttpApi.QueryParseOptions, STRICT_PARSE_OPTIONS)
  .annotateMerge(
    OpenApi.annotations({
      title: "Repayment of Record",
      version: "v1",
      summary: "Federal student-loan repayment calculations that anyone can confirm later.",
      description:
        "Calculations for federal student loans from the inputs of the request alone: nothing about a borrower is stored. Every keyed projection and comparison is recorded before it is returned, and GET /v1/verify/{answerId} confirms it to anyone. Rates and growth are fractions, money is US dollars, unless an endpoint says otherwise. Every answer of 400 and above is a problem document (RFC 9457)."
    })
  ) {}

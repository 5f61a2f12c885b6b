/** The committed OpenAPI document and its examples, against contract, schemas and engine. */
import { readFileSync } from "node:fs"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { Health, MeResponse } from "../../schema/account.ts"
import { KeylessLoanRequest, LoanCalcResult } from "../../schema/calculator.ts"
import { ComparisonRequest, ScenarioComparisonResult } from "../../schema/comparison.ts"
import { EligibilityRequest, EligibilityResult, PlanTypes } from "../../schema/eligibility.ts"
import { EXAMPLES, EXAMPLES_PUBLIC_URL } from "../../schema/examples/index.ts"
import { ExplainRequest, ExplainResult } from "../../schema/explanation.ts"
import committed from "../../schema/generated/openapi.json" with { type: "json" }
import { ClaimKeyRequest, ClaimKeyResponse, SandboxKeyRequest, SandboxKeyResponse } from "../../schema/keys.ts"
import { PlansRequest, PlansResult } from "../../schema/plans.ts"
import { ProjectionRequest, ProjectionResult } from "../../schema/projection.ts"
import { CheckedAnswer, Receipt, RecordedAnswer, RecordsPage, VerifiedAnswer } from "../../schema/records.ts"
import { ReferenceResponse } from "../../schema/reference.ts"
import { RulesResponse, RulesVersion } from "../../schema/rules.ts"
import { PLAN_TYPES } from "../../schema/scenario.ts"
import { StripeEvent, WebhookReceipt } from "../../schema/webhook.ts"
import { REFERENCE_FILE, renderReference } from "../../scripts/generate/reference.ts"
import { calculate } from "../../src/engine/calculator.ts"
import { compare } from "../../src/engine/comparison.ts"
import { Engine } from "../../src/engine/Engine.ts"
import { eligiblePlans } from "../../src/engine/eligibility.ts"
import { explain } from "../../src/engine/explanation.ts"
import { currentLaw } from "../../src/engine/law/law.ts"
import { project } from "../../src/engine/projection.ts"
import { startMonthOf } from "../../src/engine/schedule/calendar.ts"
import { openApiDocument } from "../../src/http/openapi/document.ts"
import { keylessText } from "../../src/services/answers/json.ts"
import { plansUnrecorded } from "../../src/services/answers/local.ts"
import {
  comparisonAnswer,
  explainedAnswer,
  identified,
  projectionAnswer
} from "../../src/services/answers/provenance.ts"
import { publishedRules, ruleVersion } from "../../src/services/answers/publishedRules.ts"

const HOW_TO_RENEW = "run `npm run x -- generate`"

interface Shown {
  readonly operationId: string
  readonly requestBody?: object
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly required: boolean; readonly example?: unknown }>
}

const operations = Object.values(committed.paths).flatMap((methods): ReadonlyArray<Shown> => Object.values(methods))

interface Codecs {
  readonly response: Schema.ConstraintDecoder<unknown>
  readonly request?: Schema.ConstraintDecoder<unknown>
}

const CODECS: Readonly<Record<string, Codecs>> = {
  getHealth: { response: Health },
  getHealthV1: { response: Health },
  calculateLoan: { request: KeylessLoanRequest, response: LoanCalcResult },
  comparePlans: { request: PlansRequest, response: PlansResult },
  explainPayment: { request: ExplainRequest, response: ExplainResult },
  verifyAnswer: { response: VerifiedAnswer },
  checkAnswer: { request: RecordedAnswer, response: CheckedAnswer },
  getReceipt: { response: Receipt },
  getRules: { response: RulesResponse },
  getRulesVersion: { response: RulesVersion },
  mintSandboxKey: { request: SandboxKeyRequest, response: SandboxKeyResponse },
  claimProductionKey: { request: ClaimKeyRequest, response: ClaimKeyResponse },
  runProjection: { request: ProjectionRequest, response: ProjectionResult },
  compareScenarios: { request: ComparisonRequest, response: ScenarioComparisonResult },
  getEligiblePlans: { request: EligibilityRequest, response: EligibilityResult },
  getPlanTypes: { response: PlanTypes },
  getMe: { response: MeResponse },
  listRecords: { response: RecordsPage },
  getReference: { response: ReferenceResponse },
  receiveStripeEvent: { request: StripeEvent, response: WebhookReceipt }
}

/** Decodes strictly: a property that the schema does not name is refused. */
const decode = <A>(schema: Schema.ConstraintDecoder<A>, value: unknown): A =>
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error", errors: "all" })(value)

/** As many entries of a list as the example shows. */
const first = <A>(entries: ReadonlyArray<A>, like: ReadonlyArray<unknown>) => entries.slice(0, like.length)

describe("the committed document", () => {
  it("equals the document that is derived from the contract", () =>
    expect(committed, HOW_TO_RENEW).toEqual(JSON.parse(JSON.stringify(openApiDocument(EXAMPLES_PUBLIC_URL)))))

  it("has an example of every operation, and no other", () =>
    expect(Object.keys(EXAMPLES).sort()).toEqual(operations.map(({ operationId }) => operationId).sort()))

  it.each(operations)(
    "shows a value for everything that $operationId requires",
    ({ operationId, parameters, requestBody }) => {
      const unshown = parameters.filter(({ example, required }) => required && example === undefined)
      expect(unshown).toEqual([])
      expect(EXAMPLES[operationId]!.request !== undefined).toBe(requestBody !== undefined)
    }
  )
})

describe.each(Object.entries(CODECS))("the example of %s", (operationId, { request, response }) => {
  const example = EXAMPLES[operationId]!

  it("has a response that matches its schema", () =>
    expect(() => decode(response, example.response), HOW_TO_RENEW).not.toThrow())

  it("has a request that its schema accepts", () => {
    if (request === undefined) expect(example.request).toBeUndefined()
    else expect(() => decode(request, example.request)).not.toThrow()
  })

  it("has the version of the rules in force", () => {
    const versions = [...JSON.stringify(example.response).matchAll(/rl1-[0-9a-f]{12}/g)].map(([version]) => version)
    expect(new Set([...versions, ruleVersion]).size, HOW_TO_RENEW).toBe(1)
  })
})

describe("the engine's figures are shown in", () => {
  it("a projection", () => {
    const shown = decode(ProjectionResult, EXAMPLES["runProjection"]!.response)
    const start = startMonthOf(new Date(shown.provenance.computedAtUtc))
    const request = decode(ProjectionRequest, EXAMPLES["runProjection"]!.request)
    const outcome = project(currentLaw, request, start)
    if (outcome._tag === "Refusal") return expect.fail(outcome.kind)
    expect(shown, HOW_TO_RENEW).toEqual(identified(projectionAnswer(outcome, request), shown.provenance))
  })

  it("a comparison", () => {
    const shown = decode(ScenarioComparisonResult, EXAMPLES["compareScenarios"]!.response)
    const start = startMonthOf(new Date(shown.provenance.computedAtUtc))
    const { arms, ...rest } = decode(ComparisonRequest, EXAMPLES["compareScenarios"]!.request)
    const outcome = compare(currentLaw, { arms, ...rest }, start)
    if (outcome._tag === "RefusedArms") return expect.fail("an arm is refused")
    const figures = comparisonAnswer(outcome, arms).projections.map(({ provenance: _, ...figures }) => figures)
    expect(shown, HOW_TO_RENEW).toMatchObject({ projections: figures, lowestCostLabel: outcome.lowestCostLabel })
  })

  it("a calculation", () => {
    const shown = decode(LoanCalcResult, EXAMPLES["calculateLoan"]!.response)
    const request = decode(KeylessLoanRequest, EXAMPLES["calculateLoan"]!.request)
    const asOf = new Date(shown.asOf)
    const answer = keylessText(calculate(currentLaw, request, startMonthOf(asOf)), request, asOf)
    expect(shown, HOW_TO_RENEW).toEqual(JSON.parse(answer))
  })

  it("a whole book under every plan", async () => {
    const shown = decode(PlansResult, EXAMPLES["comparePlans"]!.response)
    const request = decode(PlansRequest, EXAMPLES["comparePlans"]!.request)
    const answer = TestClock.setTime(Date.parse(shown.asOf)).pipe(
      Effect.andThen(plansUnrecorded(request)),
      Effect.provide(Engine.layer),
      Effect.provide(TestClock.layer()),
      Effect.runPromise
    )
    const { citations, knownOmissions, ...figures } = await answer
    expect(shown, HOW_TO_RENEW).toEqual({
      ...figures,
      citations: first(citations, shown.citations),
      knownOmissions: first(knownOmissions, shown.knownOmissions)
    })
  })

  it("an explanation", () => {
    const shown = decode(ExplainResult, EXAMPLES["explainPayment"]!.response)
    const request = decode(ExplainRequest, EXAMPLES["explainPayment"]!.request)
    const computedAt = new Date(shown.computedAtUtc)
    const outcome = explain(currentLaw, request, startMonthOf(computedAt), request.month - 1)
    if (outcome._tag === "Refusal") return expect.fail(outcome.kind)
    expect(shown, HOW_TO_RENEW).toEqual(explainedAnswer(outcome, request, computedAt))
  })

  it("the plans of loans, and the list of all plans", () => {
    const { loans } = decode(EligibilityRequest, EXAMPLES["getEligiblePlans"]!.request)
    expect(EXAMPLES["getEligiblePlans"]!.response, HOW_TO_RENEW).toMatchObject({
      loans: eligiblePlans(currentLaw, { loans, firstBorrowedOn: null })
    })
    expect(EXAMPLES["getPlanTypes"]!.response).toEqual(PLAN_TYPES)
  })

  it("the ledger, as far as it is shown", () => {
    const shown = decode(RulesResponse, EXAMPLES["getRules"]!.response)
    expect(shown, HOW_TO_RENEW).toEqual({
      ...publishedRules,
      constants: first(publishedRules.constants, shown.constants),
      knownOmissions: first(publishedRules.knownOmissions, shown.knownOmissions)
    })
  })
})

describe("docs/generated/reference.md", () => {
  it("is what the contract gives", () => {
    expect(readFileSync(REFERENCE_FILE, "utf8"), HOW_TO_RENEW).toBe(renderReference())
  })
})

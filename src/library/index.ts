/**
 * `repayment-of-record/engine`: the engine of the service as functions, for a program, a page, a worker or a notebook.
 * Nothing is sent or kept, no clock is read, and one set of inputs has one set of figures, those of the service.
 *
 *     const answer = project({ scenario, loans }, { start: { year: 2026, month: 12 } })
 *
 * Requests have the shape and the bounds of the HTTP bodies, defaults too. One that is not valid throws a RequestError, which
 * names every field that is wrong; a plan that gives no figures is a Refusal, which is an answer and not an error.
 */
import type { KeylessLoanRequest as Calculate } from "../../schema/calculator.ts"
import type { ComparisonRequest as Compare } from "../../schema/comparison.ts"
import type { EligibilityRequest as Eligible, LoanEligibility } from "../../schema/eligibility.ts"
import type { ExplainRequest as Explain } from "../../schema/explanation.ts"
import * as shapes from "../../schema/generated/shapes.ts"
import type { ProjectionRequest as Project } from "../../schema/projection.ts"
import type {
  ComparisonRequest,
  EligibilityRequest,
  ExplainRequest,
  KeylessLoanRequest,
  ProjectionRequest
} from "../client/plain/generated/contract.ts"
import type { Refusal } from "../engine/answer/refusals.ts"
import * as calculator from "../engine/calculator.ts"
import * as comparison from "../engine/comparison.ts"
import * as eligibility from "../engine/eligibility.ts"
import * as explanation from "../engine/explanation.ts"
import * as months from "../engine/months.ts"
import * as projection from "../engine/projection.ts"
import { GUARD_MONTHS } from "../engine/schedule/tally.ts"
import { makeWorkspace } from "../engine/schedule/workspace.ts"
import { refusalMessages } from "../messages/refusals.ts"
import { checkerOf } from "./check.ts"
import { checkedCount, type From, lawUnder, startOf, type UnderLaw } from "./options.ts"

export { releasedAtUtc, ruleVersion } from "../../ledger/release.ts"
export type {
  ComparisonRequest,
  EligibilityRequest,
  ExplainRequest,
  FilingStatus,
  KeylessLoanRequest,
  Loan,
  LoanEligibility,
  LoanType,
  PlanType,
  ProjectionRequest,
  Scenario,
  State
} from "../client/plain/generated/contract.ts"
export type { Obstacle, Refusal, RefusedLoan } from "../engine/answer/refusals.ts"
export type { Calculation } from "../engine/calculator.ts"
export type { Comparison, RefusedArms } from "../engine/comparison.ts"
export type { Explanation } from "../engine/explanation.ts"
export { currentLaw, type Law } from "../engine/law/law.ts"
export type { Projection } from "../engine/projection.ts"
export { type StartMonth, startMonthOf } from "../engine/schedule/calendar.ts"
export { RequestError, type RequestErrors } from "./check.ts"
export { type From, lawOf, type UnderLaw } from "./options.ts"

/** One call is over before the next begins, so all of this module share the columns that they work in. */
const workspace = makeWorkspace()

/**
 * The requests as the engine reads them: names in canonical spelling, and a value for whatever was left out. Every function
 * below asks for itself; these are for who wants to know of a request beforehand.
 * @throws RequestError
 */
export const decode = {
  projection: checkerOf<Project>(shapes.ProjectionRequest),
  comparison: checkerOf<Compare>(shapes.ComparisonRequest),
  explanation: checkerOf<Explain>(shapes.ExplainRequest),
  eligibility: checkerOf<Eligible>(shapes.EligibilityRequest),
  calculation: checkerOf<Calculate>(shapes.KeylessLoanRequest)
}

/**
 * One loan book under one plan, from the first month of repayment to the last, or why the plan gives no answer: the figures of
 * POST /v1/projection, in its units, with the ids of the rules that they rest on.
 * @throws RequestError
 */
export const project = (request: ProjectionRequest, from: From): projection.Projection | Refusal =>
  projection.project(lawUnder(from), decode.projection(request), startOf(from), workspace)

/**
 * Two to ten scenarios side by side, and the label of the one that costs least; or every arm that is refused.
 * @throws RequestError
 */
export const compare = (request: ComparisonRequest, from: From): comparison.Comparison | comparison.RefusedArms =>
  comparison.compare(lawUnder(from), decode.comparison(request), startOf(from), workspace)

/**
 * One loan under every plan, each computed or excluded. Rates and growth are percents here, as in POST /v1/calculators/loan.
 * @throws RequestError
 */
export const calculate = (request: KeylessLoanRequest, from: From): calculator.Calculation =>
  calculator.calculate(lawUnder(from), decode.calculation(request), startOf(from), workspace)

/**
 * How the payment of one month comes about, step by step; `month` of the request counts from 1, that of the answer from 0.
 * @throws RequestError
 */
export const explain = (request: ExplainRequest, from: From): explanation.Explanation | Refusal => {
  const asked = decode.explanation(request)
  return explanation.explain(lawUnder(from), asked, startOf(from), asked.month - 1, workspace)
}

/**
 * The plans that each loan can elect, in the order of the request.
 * @throws RequestError
 */
export const eligiblePlans = (request: EligibilityRequest, under: UnderLaw = {}): ReadonlyArray<LoanEligibility> =>
  eligibility.eligiblePlans(lawUnder(under), decode.eligibility(request).loans, workspace)

/**
 * What all loans together pay in each month, in dollars and not rounded, or why the plan gives no answer.
 * @param from `count`: how many months from the first one on; without it as many as the projection has
 * @throws RequestError
 */
export const monthlyPayments = (
  request: ProjectionRequest,
  from: From & { readonly count?: number | undefined }
): Float64Array | Refusal => {
  const [law, start, asked] = [lawUnder(from), startOf(from), decode.projection(request)]
  if (from.count !== undefined) return months.monthlyPayments(law, asked, start, checkedCount(from.count), workspace)
  const projected = projection.project(law, asked, start, workspace)
  if (projected._tag === "Refusal") return projected
  const all = (projected.monthsToFinish ?? GUARD_MONTHS - 1) + 1
  return months.monthlyPayments(law, asked, start, all, workspace)
}

/** Why a plan gives no answer, one sentence for each loan concerned. */
export const reasonsOf = (refusal: Refusal, under: UnderLaw = {}): ReadonlyArray<string> =>
  refusalMessages(lawUnder(under), refusal, [])

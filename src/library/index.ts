/**
 * The package `@repayment-of-record/engine`: the service's engine as functions, for programs, pages,
 * workers and notebooks. The functions are pure and return the service's figures. They send and
 * store nothing, and read no clock.
 *
 *     const answer = project({ scenario, loans }, { start: { year: 2026, month: 12 } })
 *
 * Requests have the shape, bounds and defaults of the HTTP bodies: US dollars, and fractions for
 * rates (0.06 is 6 percent). An invalid request throws a RequestError that names the wrong fields.
 * A plan that has no answer gives a Refusal, which is returned, not thrown.
 */
import type { KeylessLoanRequest as Calculate } from "../../schema/calculator.ts"
import type { ComparisonRequest as Compare } from "../../schema/comparison.ts"
import type { CoupleRequest as Pair } from "../../schema/couple.ts"
import type { EligibilityRequest as Eligible, LoanEligibility } from "../../schema/eligibility.ts"
import type { ExplainRequest as Explain } from "../../schema/explanation.ts"
import * as shapes from "../../schema/generated/shapes.ts"
import type { PathsRequest as Paths } from "../../schema/paths.ts"
import type { PlansRequest as Plans } from "../../schema/plans.ts"
import type { ProjectionRequest as Project } from "../../schema/projection.ts"
import type {
  ComparisonRequest,
  EligibilityRequest,
  ExplainRequest,
  KeylessLoanRequest,
  Loan,
  PlansRequest,
  PlanType,
  ProjectionRequest,
  Scenario
} from "../client/plain/generated/contract.ts"
import * as engine from "../engine/index.ts"
import { contradictionMessages } from "../messages/contradictions.ts"
import { refusalMessages } from "../messages/refusals.ts"
import { boundedErrors } from "../request/fieldErrors.ts"
import { checkerOf, RequestError } from "./check.ts"
import { checkedCount, checkedLaw, type From, startOf, type UnderLaw } from "./options.ts"

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
  PlansRequest,
  PlanType,
  ProjectionRequest,
  Scenario,
  State
} from "../client/plain/generated/contract.ts"
export {
  type BestPath,
  type Calculation,
  type ClosedPlan,
  type Comparison,
  type Couple,
  type CoupleReturn,
  currentLaw,
  type EveryPlan,
  type Explanation,
  type Law,
  type NoReturn,
  type Obstacle,
  type OpenPlan,
  type Path,
  type Projection,
  type Refusal,
  type RefusedArms,
  type RefusedLoan,
  type StartMonth,
  startMonthOf
} from "../engine/index.ts"
export { RequestError, type RequestErrors } from "./check.ts"
export { type From, lawOf, type UnderLaw } from "./options.ts"

/** Scratch memory that all functions share, because calls are synchronous and never overlap. */
const workspace = engine.makeWorkspace()

/**
 * Decoders of requests: names get their canonical spelling, and absent members their defaults. The
 * functions below decode on their own; use these to validate a request in advance.
 * @throws RequestError
 */
export const decode = {
  projection: checkerOf<Project>(shapes.ProjectionRequest),
  comparison: checkerOf<Compare>(shapes.ComparisonRequest),
  couple: checkerOf<Pair>(shapes.CoupleRequest),
  paths: checkerOf<Paths>(shapes.PathsRequest),
  plans: checkerOf<Plans>(shapes.PlansRequest),
  explanation: checkerOf<Explain>(shapes.ExplainRequest),
  eligibility: checkerOf<Eligible>(shapes.EligibilityRequest),
  calculation: checkerOf<Calculate>(shapes.KeylessLoanRequest)
}

/**
 * Projects one loan book under one plan, from the first month of repayment to the last. Returns the
 * figures of POST /v1/projection in its units (US dollars, `monthsToFinish` from 0), with the ids
 * of the rules applied. A Refusal says why the plan has no answer.
 * @throws RequestError
 */
export const project = (request: ProjectionRequest, from: From): engine.Projection | engine.Refusal =>
  engine.project(checkedLaw(from), decode.projection(request), startOf(from), workspace)

/**
 * Compares two to ten scenarios, and returns their projections and the label of the cheapest. If
 * any arm is refused, returns all refused arms instead.
 * @throws RequestError
 */
export const compare = (request: ComparisonRequest, from: From): engine.Comparison | engine.RefusedArms =>
  engine.compare(checkedLaw(from), decode.comparison(request), startOf(from), workspace)

/** The request of a projection, whose plan and changes of plan are replaced. */
export interface PathsRequest extends ProjectionRequest {
  /** The plan that the borrower is in, with which every path then begins. */
  readonly currentPlan?: PlanType | null | undefined
}

/**
 * Finds the plan, or the plan and one later change to another, with the lowest cost of those tried:
 * everything paid plus the tax on forgiveness, or with a `discountRate` what both are worth today.
 * It tries every plan that can be elected. A Refusal says why the current plan has no answer, or
 * the first plan if none has.
 * @throws RequestError
 */
export const bestPath = (request: PathsRequest, from: From): engine.BestPath | engine.Refusal =>
  engine.bestPath(checkedLaw(from), decode.paths(request), startOf(from), workspace)

/**
 * Projects all loans under every plan that can be chosen; the other plans are closed, each with the
 * reason. `bestPath` and `currentPlan` of the request are for the function of that name.
 * @throws RequestError
 */
export const comparePlans = (request: PlansRequest, from: From): engine.EveryPlan => {
  const [law, start, decoded] = [checkedLaw(from), startOf(from), decode.plans(request)]
  const book = engine.bookOf(decoded)
  refuseContradictions(engine.contradictionsOf(law, book, start))
  return engine.everyPlan(law, book, start, workspace)
}

/** One of a couple, with the own income and the own loans. */
export interface Spouse
  extends Pick<Scenario, "adjustedGrossIncome" | "firstBorrowedOn" | "pauses" | "workingTowardsPslf"> {
  /** Absent or null: none. */
  readonly loans?: ReadonlyArray<Loan> | null | undefined
}

/** A married couple, with the incomes of the first year. On separate returns the first claims the dependents. */
export interface CoupleRequest
  extends Pick<Scenario, "annualIncomeGrowth" | "annualPriceGrowth" | "dependents" | "discountRate" | "state"> {
  readonly first: Spouse
  readonly second: Spouse
  /** Whether each separate return carries half of both incomes: in community property states alone. */
  readonly splitIncome?: boolean | null | undefined
}

/**
 * Finds, on a joint and on separate returns, the plan of each spouse that costs least, and the
 * income tax that separate returns add. Null if neither owes anything.
 * @throws RequestError
 */
export const couple = (request: CoupleRequest, from: From): engine.Couple | null => {
  const [law, start, decoded] = [checkedLaw(from), startOf(from), decode.couple(request)]
  refuseContradictions(engine.contradictionsOfCouple(law, decoded, start))
  return engine.coupleOf(law, decoded, start, workspace) ?? null
}

/**
 * Computes one loan under every plan; each plan is computed or excluded. Rates and growth are in
 * percent (6 is 6 percent), as in POST /v1/calculators/loan.
 * @throws RequestError
 */
export const calculate = (request: KeylessLoanRequest, from: From): engine.Calculation => {
  const [law, start, decoded] = [checkedLaw(from), startOf(from), decode.calculation(request)]
  refuseContradictions(engine.contradictionsOfLoan(law, decoded, start))
  return engine.calculate(law, decoded, start, workspace)
}

const refuseContradictions = (contradictions: ReadonlyArray<engine.Contradiction>): void => {
  if (contradictions.length > 0) throw new RequestError(boundedErrors(contradictionMessages(contradictions)))
}

/**
 * Explains the payment of one month, step by step. `month` counts from 1 in the request, and from 0
 * in the result. A Refusal says why the plan has no answer.
 * @throws RequestError
 */
export const explain = (request: ExplainRequest, from: From): engine.Explanation | engine.Refusal => {
  const decoded = decode.explanation(request)
  return engine.explain(checkedLaw(from), decoded, startOf(from), decoded.month - 1, workspace)
}

/**
 * Lists the plans that each loan can elect, in the order of the request.
 * @throws RequestError
 */
export const eligiblePlans = (request: EligibilityRequest, under: UnderLaw = {}): ReadonlyArray<LoanEligibility> => {
  const [law, decoded] = [checkedLaw(under), decode.eligibility(request)]
  refuseContradictions(engine.contradictoryDates(law, { ...decoded, path: ["firstBorrowedOn"] }))
  return engine.eligiblePlans(law, decoded, workspace)
}

/**
 * The payment of each month, for all loans together, in US dollars and not rounded. A Refusal says
 * why the plan has no answer.
 * @param from `count`: the number of months, 1 to 600; by default those of the projection
 * @throws RequestError
 */
export const monthlyPayments = (
  request: ProjectionRequest,
  from: From & { readonly count?: number | undefined }
): Float64Array | engine.Refusal => {
  const [law, start, decoded] = [checkedLaw(from), startOf(from), decode.projection(request)]
  if (from.count !== undefined) return engine.monthlyPayments(law, decoded, start, checkedCount(from.count), workspace)
  const projected = engine.project(law, decoded, start, workspace)
  if (projected._tag === "Refusal") return projected
  const all = (projected.monthsToFinish ?? engine.GUARD_MONTHS - 1) + 1
  return engine.monthlyPayments(law, decoded, start, all, workspace)
}

/** The messages of a refusal: why the plan has no answer, one sentence per loan concerned. */
export const reasonsOf = (refusal: engine.Refusal, under: UnderLaw = {}): ReadonlyArray<string> =>
  refusalMessages(checkedLaw(under), refusal, [])

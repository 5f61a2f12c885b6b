/**
 * The engine's face: what other folders may use of it. Everything here is pure and runs in a
 * browser. Two smaller faces: `Engine.ts`, the same computation as an Effect service, and
 * `law/decidingDays.ts`, which is loaded without the rest.
 */

// The questions. Each takes the law, a request, a start month and scratch memory.

export { type BestPath, bestPath, omissionsOf, type Path } from "./bestPath.ts"
export { type Calculation, calculate, contradictionsOfLoan, type ExcludedPlan, type Exclusion } from "./calculator.ts"
export { type Comparison, compare, lowestOf, type RefusedArms } from "./comparison.ts"
export {
  type Couple,
  type CoupleReturn,
  contradictionsOfCouple,
  coupleOf,
  type NoReturn,
  splitsIncome
} from "./couple.ts"
export { eligiblePlans } from "./eligibility.ts"
export { type BookRequest, bookOf, type ClosedPlan, type EveryPlan, everyPlan, type OpenPlan } from "./everyPlan.ts"
export { explainTax } from "./explained/tax.ts"
export { type Explanation, explain, type PaymentPart } from "./explanation.ts"
export { monthByMonth, monthlyPayments } from "./months.ts"
export { costCents, type Projection, project } from "./projection.ts"
export type { EngineRequest } from "./run.ts"
export { makeWorkspace, type Workspace } from "./schedule/workspace.ts"

// Why there is no answer, and what to remark on one.

export { type Contradiction, contradictionsOf, contradictoryDates } from "./answer/contradictions.ts"
export type { ChangeReason, Obstacle, Refusal, RefusedLoan } from "./answer/refusals.ts"
export type { Remark } from "./answer/remarks.ts"

// The law in force, and what it makes of households and loan types.

export { erasOf, familySizeOf, Household, type HouseholdScenario, isJoint, NO_ADDITIONS } from "./law/household.ts"
export { currentLaw, type Law, lawOf, RELEASE_DATE } from "./law/law.ts"
export { type LoanTraits, ruleOfFamily } from "./law/loan-types.ts"
export { FEDERAL_BRACKETS } from "./tax/federal.ts"

// The plans.

export { endOf } from "./plans/ending.ts"
export { type EnginePlan, type Plan, TIERED_STANDARD } from "./plans/plan.ts"
export { CALCULATOR_PLANS, planOf, WIRE_PLANS } from "./plans/registry.ts"
export { standard } from "./plans/standard.ts"

// Loans, months and cents; what the dates of the loans tell; the steps of an explanation.

export type { Step, Term } from "./law/trace.ts"
export { isEmpty } from "./schedule/book.ts"
export { dateOfMonth, indexOfMonth, MONTHS_PER_YEAR, type StartMonth, startMonthOf } from "./schedule/calendar.ts"
export type { DateObstacle, History } from "./schedule/history.ts"
export { dateObstacle, firstOwedFrom, hasDates, historyOf, owedBefore } from "./schedule/history.ts"
export type { LoanMonth } from "./schedule/month.ts"
export { forThreshold, fromCents, toCents } from "./schedule/rounding.ts"
export { GUARD_MONTHS } from "./schedule/tally.ts"
export type { Steps } from "./steps.ts"

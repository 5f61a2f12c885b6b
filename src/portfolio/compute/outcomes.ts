/** The outcomes of one borrower under every plan of a run, and the result rows made of them. */
import type { PlanType } from "../../../schema/scenario.ts"
import {
  costCents,
  fromCents,
  type Law,
  lowestOf,
  type Obstacle,
  type Projection,
  project,
  type Refusal,
  type Workspace
} from "../../engine/index.ts"
import { isElectable } from "../../messages/plans.ts"
import type { Borrower } from "../read/borrower.ts"
import { type Outcomes, ofRun, type PlanOutcome, type PlanRefusal, type Question } from "../results/portfolio.ts"
import type { OfRun, Reason, ResultRow } from "../results/rows.ts"

/** False for a contradiction. None remains here, because chunk.ts rejects such borrowers. */
const isOfPlan = (outcome: Projection | Refusal): outcome is PlanOutcome =>
  outcome._tag === "Projection" || outcome.kind !== "contradiction"

const isProjection = (outcome: PlanOutcome): outcome is Projection => outcome._tag === "Projection"

const lowestIn = (outcomes: ReadonlyArray<PlanOutcome>): number => {
  const answered = outcomes.filter(isProjection)
  const lowest = lowestOf(answered, isElectable)
  return lowest === -1 ? -1 : outcomes.indexOf(answered[lowest]!)
}

export const outcomesOf = (law: Law, question: Question, borrower: Borrower, workspace: Workspace): Outcomes => {
  const { loans } = borrower
  const under = (planType: PlanType): PlanOutcome => {
    const scenario = { ...borrower, planType, label: null }
    const outcome = project(law, { scenario, loans, includeYearly: false }, question.start, workspace)
    if (!isOfPlan(outcome)) throw new RangeError("A borrower with contradictions was not rejected.")
    return outcome
  }
  const ofPlans = question.plans.map(under)
  const present = borrower.currentPlan ?? question.baseline
  const now = ofPlans[question.plans.indexOf(present)] ?? under(present)
  return { ofPlans, lowest: lowestIn(ofPlans), now: isProjection(now) ? now : undefined }
}

const REASON_OF: Readonly<Record<Exclude<Obstacle["_tag"], "ByDate">, Reason>> = {
  Closed: "closed",
  BalanceTooSmall: "balance-too-small",
  NotNewBorrower: "not-new-borrower",
  TermSpent: "term-spent",
  TimeServed: "time-served",
  ServiceDone: "service-done"
}

const wordOf = (obstacle: Obstacle): Reason => {
  if (obstacle._tag !== "ByDate") return REASON_OF[obstacle._tag]
  return obstacle.reason._tag === "NewLoans" ? "new-loans" : "loan-date"
}

const reasonOf = ({ loans }: Refusal): string => [...new Set(loans.map(({ obstacle }) => wordOf(obstacle)))].join(" ")

const DATE = "YYYY-MM-DD".length
interface Place extends OfRun {
  readonly borrowerId: string
  readonly planType: PlanType
}

/** Written out without spreads, for speed, because a million borrowers have ten million rows. */
const withFigures = (
  { borrowerId, planType, repaymentStart, ruleVersion }: Place,
  projection: Projection,
  isLowest: boolean
): ResultRow => ({
  borrowerId,
  planType,
  outcome: "answered",
  reason: null,
  year1MonthlyPayment: projection.year1MonthlyPayment,
  monthsToFinish: projection.monthsToFinish,
  payoffOrForgivenessDate: projection.payoffOrForgivenessDate?.slice(0, DATE) ?? null,
  totalOutOfPocket: projection.totalOutOfPocket,
  amountForgiven: projection.amountForgiven,
  forgivenessTaxesOwed: projection.forgivenessTaxesOwed,
  totalCost: fromCents(costCents(projection)),
  forgivenessType: projection.forgivenessType,
  loansBeside: projection.outside?.loans.length ?? 0,
  isLowest,
  ruleVersion,
  repaymentStart,
  answerId: null
})

const withoutFigures = (
  { borrowerId, planType, repaymentStart, ruleVersion }: Place,
  refusal: PlanRefusal
): ResultRow => ({
  borrowerId,
  planType,
  outcome: refusal.kind === "change" ? "ineligible" : refusal.kind,
  reason: reasonOf(refusal),
  year1MonthlyPayment: null,
  monthsToFinish: null,
  payoffOrForgivenessDate: null,
  totalOutOfPocket: null,
  amountForgiven: null,
  forgivenessTaxesOwed: null,
  totalCost: null,
  forgivenessType: null,
  loansBeside: null,
  isLowest: false,
  ruleVersion,
  repaymentStart,
  answerId: null
})

export const rowsOf = (
  question: Question,
  { borrowerId, discountRate }: Borrower,
  { lowest, ofPlans }: Outcomes
): ReadonlyArray<ResultRow> => {
  const { repaymentStart, ruleVersion } = ofRun(question)
  return ofPlans.map((outcome, index) => {
    const place = { borrowerId, planType: question.plans[index]!, ruleVersion, repaymentStart }
    const row = isProjection(outcome) ? withFigures(place, outcome, index === lowest) : withoutFigures(place, outcome)
    if (discountRate === null) return row
    return { ...row, presentValue: isProjection(outcome) ? outcome.presentValue! : null }
  })
}

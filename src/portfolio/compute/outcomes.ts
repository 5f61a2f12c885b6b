/** One borrower under every plan of a run: the figures of each, or why there are none, and which costs least. */
import { ruleVersion } from "../../../ledger/release.ts"
import type { PlanType } from "../../../schema/scenario.ts"
import type { Refusal } from "../../engine/answer/refusals.ts"
import { lowestOf } from "../../engine/comparison.ts"
import type { Law } from "../../engine/law/law.ts"
import { costCents, type Projection, project } from "../../engine/projection.ts"
import { dateOfMonth, type StartMonth } from "../../engine/schedule/calendar.ts"
import { fromCents } from "../../engine/schedule/rounding.ts"
import type { Workspace } from "../../engine/schedule/workspace.ts"
import { isElectable } from "../../messages/plans.ts"
import type { Borrower } from "../read/borrower.ts"
import type { OfRun, ResultRow } from "../results/rows.ts"

export type PlanOutcome = Projection | Refusal

/** A borrower's outcomes, in the order of the plans that were asked for. */
export interface Outcomes {
  readonly ofPlans: ReadonlyArray<PlanOutcome>
  /** Index of the lowest cost among plans that can still be elected; -1 where none has figures. */
  readonly lowest: number
  /** What the borrower has now, else the baseline: none where it has no figures. */
  readonly now: Projection | undefined
}

/** What is asked of every borrower. */
export interface Question {
  readonly plans: ReadonlyArray<PlanType>
  /** What borrowers without a current plan are compared with. */
  readonly baseline: PlanType
  readonly start: StartMonth
}

const isProjection = (outcome: PlanOutcome): outcome is Projection => outcome._tag === "Projection"

const lowestIn = (outcomes: ReadonlyArray<PlanOutcome>): number => {
  const answered = outcomes.filter(isProjection)
  const lowest = lowestOf(answered, isElectable)
  return lowest === -1 ? -1 : outcomes.indexOf(answered[lowest]!)
}

export const outcomesOf = (law: Law, question: Question, borrower: Borrower, workspace: Workspace): Outcomes => {
  const { loans } = borrower
  const under = (planType: PlanType): PlanOutcome =>
    project(
      law,
      { scenario: { ...borrower, planType, label: null }, loans, includeYearly: false },
      question.start,
      workspace
    )
  const ofPlans = question.plans.map(under)
  const present = borrower.currentPlan ?? question.baseline
  const now = ofPlans[question.plans.indexOf(present)] ?? under(present)
  return { ofPlans, lowest: lowestIn(ofPlans), now: isProjection(now) ? now : undefined }
}

const REASONS: Readonly<Record<Refusal["loans"][number]["obstacle"]["_tag"], string>> = {
  Closed: "closed",
  BalanceTooSmall: "balance-too-small",
  NotNewBorrower: "not-new-borrower",
  TermSpent: "term-spent",
  TimeServed: "time-served",
  ServiceDone: "service-done"
}

const reasonOf = ({ loans }: Refusal): string =>
  [...new Set(loans.map(({ obstacle }) => REASONS[obstacle._tag]))].join(" ")

const DATE = "YYYY-MM-DD".length
const MONTH = "YYYY-MM".length

export const monthText = (month: StartMonth): string => dateOfMonth(month, 0).slice(0, MONTH)

export const ofRun = ({ start }: Question): OfRun => ({ ruleVersion, repaymentStart: monthText(start) })

interface Place extends OfRun {
  readonly borrowerId: string
  readonly planType: PlanType
}

/** Ten million rows are made of a million borrowers, so each is written out. */
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

const withoutFigures = ({ borrowerId, planType, repaymentStart, ruleVersion }: Place, refusal: Refusal): ResultRow => ({
  borrowerId,
  planType,
  outcome: refusal.kind,
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

/** The rows of a borrower, one a plan, in the order of the columns. */
export const rowsOf = (
  question: Question,
  { borrowerId }: Borrower,
  { lowest, ofPlans }: Outcomes
): ReadonlyArray<ResultRow> => {
  const { repaymentStart, ruleVersion } = ofRun(question)
  return ofPlans.map((outcome, index) => {
    const place = { borrowerId, planType: question.plans[index]!, ruleVersion, repaymentStart }
    return isProjection(outcome) ? withFigures(place, outcome, index === lowest) : withoutFigures(place, outcome)
  })
}

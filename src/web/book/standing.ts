/** The law's view of a plan for a book: notes, events that close the plan, and its successors. */
import { omissionOtherStateTax, omissionTerritoryTax } from "../../../ledger/omissions/forgiveness-tax.ts"
import {
  omissionCommunityProperty,
  omissionParentPlusConsolidationWindow
} from "../../../ledger/omissions/income-driven.ts"
import { omissionPslfOtherPlans } from "../../../ledger/omissions/repayment.ts"
import { newLoanPlans202607 } from "../../../ledger/rules/new-loans.ts"
import type { Loan } from "../../../schema/loan.ts"
import type { FilingStatus } from "../../../schema/scenario.ts"
import {
  currentLaw,
  type EnginePlan,
  type EngineRequest,
  endOf,
  explain,
  GUARD_MONTHS,
  isEmpty,
  MONTHS_PER_YEAR,
  type Plan,
  type Projection,
  type StartMonth,
  type Term,
  TIERED_STANDARD
} from "../../engine/index.ts"
import { END_OF_PLANS, LOANS_OUTSIDE_PLAN, MONTHS_BEHIND_PLAN } from "../../messages/plans.ts"
import { INCOME_BASED, isAmong, isLeaving, notRefused, workspace } from "./asking.ts"
import { type DateNote, dateNotes } from "./dates.ts"
import { dueFrom, endsFirst } from "./pauses.ts"
import { owedOf, type ReadBook } from "./reading.ts"

/** A note next to a line's figures. */
export type LineNote =
  | DateNote
  /** The plan ends in July 2028, and the loans pass to another. */
  | "ends"
  /** The borrower is on Income-Based, which is left only for Standard or RAP. */
  | "fromIncomeBased"
  /** Leaving Income-Based for it adds unpaid interest to principal. */
  | "leaving"
  /** The plan ends before the first payment. */
  | "endsFirst"
  /** The plan cannot take some of the loans, so they are repaid separately. */
  | "beside"
  /** The plan requires that the payment by income be lower than the ten-year payment. */
  | "hardship"
  /** Payments below the ten-year amount do not count for public service. */
  | "uncertified"
  /** Its payments never count for public service. */
  | "neverCertified"
  /** Open to a consolidation that repaid a Parent PLUS loan only after a timely payment by income. */
  | "window"
  /** A payment under it makes a consolidation of a Parent PLUS loan eligible for Income-Based. */
  | "opensIbr"
  /** Counted months shorten its term. */
  | "shortened"
  /** More is forgiven than is owed today. */
  | "grows"
  /** Two returns may cost more income tax than one, which a couple's answer counts. */
  | "apart"

/** The law's view of a line. */
export interface Standing {
  /** The place whose tax is not modeled, so that the figure is the federal tax alone. */
  readonly uncountedTax: "state" | "territory" | "none"
  /** Whether the state's law may split the spouses' income on separate returns. */
  readonly mayBeSplit: boolean
  /** The event that would close the plan: a new Direct loan (also a consolidation), or only a consolidation. */
  readonly closedBy: "loan" | "consolidation" | "nothing"
  /** Whether all of its loans are Perkins loans, whose terms a school sets. */
  readonly isOfSchool: boolean
  /** Whether the first payment by income is below the ten-year payment, if the plan requires that. */
  readonly hasHardship: boolean
  /** The plans that take the loans when this one ends; none if it does not, or no debt is left. */
  readonly successors: ReadonlyArray<EnginePlan>
  readonly notes: ReadonlyArray<LineNote>
}

/** A plan, and its figures for a book on a return. */
interface Projected {
  readonly plan: Plan
  readonly filing: FilingStatus
  readonly book: ReadBook
  readonly start: StartMonth
  readonly figures: Projection
  readonly request: EngineRequest
}

const { plans: NEW_LOAN_PLANS } = currentLaw.read(newLoanPlans202607)

/** Whether a first payment by income would open Income-Based to a loan. */
const isBeforeFirstMonth = (loan: Loan): boolean =>
  !isEmpty(loan) &&
  loan.idrMonthsInRepayment === 0 &&
  currentLaw.traitsOf[loan.loanType].eligibility["INCOME BASED"] === "after-counted-month"

const notesOf = ({ book, figures, filing, plan, start }: Projected): ReadonlyArray<LineNote> => {
  const { amountForgiven, citations, monthsToFinish, omissions } = figures
  const isYours = plan.planType === book.currentPlan
  const found: ReadonlyArray<readonly [LineNote, boolean]> = [
    ["ends", citations.includes(END_OF_PLANS)],
    ["endsFirst", citations.includes(END_OF_PLANS) && endsFirst(plan, book, start)],
    ["beside", citations.includes(LOANS_OUTSIDE_PLAN)],
    [
      "fromIncomeBased",
      isLeaving(plan.planType, book) && !isAmong([...INCOME_BASED.mayBeLeftFor, TIERED_STANDARD], plan.planType)
    ],
    ["leaving", isLeaving(plan.planType, book) && book.loans.some(({ interestBalance }) => interestBalance > 0)],
    ["hardship", plan.planType === "PAY AS YOU EARN" && !isYours],
    ["uncertified", plan.kind === "fixed" && omissions.includes(omissionPslfOtherPlans.id)],
    ["neverCertified", plan.planType === TIERED_STANDARD && book.household.workingTowardsPslf],
    ["window", omissions.includes(omissionParentPlusConsolidationWindow.id)],
    ["shortened", citations.includes(MONTHS_BEHIND_PLAN)],
    ["opensIbr", plan.planType === "INCOME CONTINGENT" && book.loans.some(isBeforeFirstMonth)],
    ["grows", amountForgiven > owedOf(book) && (monthsToFinish ?? GUARD_MONTHS) >= MONTHS_PER_YEAR],
    [
      "apart",
      plan.kind === "income-driven" &&
        book.filings.length > 1 &&
        filing === book.filings[1] &&
        book.separately === undefined
    ]
  ]
  return [
    ...(isYours ? [] : dateNotes(plan.planType, book, start)),
    ...found.flatMap(([note, holds]) => (holds ? [note] : []))
  ]
}

/** The traits of the loans that are repaid under the plan. */
const traitsIn = ({ loans }: ReadBook, { outside }: Projection) =>
  loans.flatMap((loan, position) =>
    isEmpty(loan) || outside?.loans.includes(position) ? [] : [currentLaw.traitsOf[loan.loanType]]
  )

/** @rule new-loan-plans-2026-07 */
const closedBy = ({ book, figures, plan }: Projected): Standing["closedBy"] => {
  if (NEW_LOAN_PLANS.some((one) => one === plan.planType)) return "nothing"
  return traitsIn(book, figures).some(({ direct }) => direct) ? "loan" : "consolidation"
}

/** Whether the first payment by income is lower than the cap, the ten-year payment. @rule ten-year-cap-basis */
const hasHardship = ({ book, figures, request, start }: Projected): boolean => {
  const due = dueFrom(book, start).filter((month, at) => month !== undefined && !figures.outside?.loans.includes(at))
  const first = Math.min(...due.map((month) => month!))
  const { parts } = notRefused(explain(currentLaw, request, start, first, workspace))
  const steps = parts.flatMap(({ group, steps }) => (group === "plan" ? steps : []))
  const valueOf = (wanted: Term) => steps.find(({ term }) => term === wanted)?.value
  return (valueOf("incomePayment") ?? 0) < (valueOf("paymentCap") ?? Number.POSITIVE_INFINITY)
}

/** @rule idr-sunset-default */
const successorsOf = ({ plan, request, start }: Projected): ReadonlyArray<EnginePlan> => {
  if (plan.kind !== "income-driven") return []
  const { parts } = notRefused(explain(currentLaw, request, start, endOf(currentLaw, plan, start), workspace))
  return [...new Set(parts.flatMap(({ group, planType }) => (group === "successor" ? [planType] : [])))]
}

const uncountedTax = ({ omissions }: Projection): Standing["uncountedTax"] => {
  if (omissions.includes(omissionTerritoryTax.id)) return "territory"
  return omissions.includes(omissionOtherStateTax.id) ? "state" : "none"
}

export const standingOf = (projected: Projected): Standing => {
  const { book, figures } = projected
  const notes = notesOf(projected)
  return {
    notes,
    uncountedTax: uncountedTax(figures),
    mayBeSplit: figures.omissions.includes(omissionCommunityProperty.id) && book.separately === undefined,
    closedBy: closedBy(projected),
    isOfSchool: traitsIn(book, figures).every(({ family }) => family === "perkins"),
    hasHardship: notes.includes("hardship") && hasHardship(projected),
    successors: notes.includes("ends") ? successorsOf(projected) : []
  }
}

/**
 * The sunset of ICR (INCOME CONTINGENT) and PAYE (PAY AS YOU EARN) on July 1, 2028. From then on an
 * open loan is repaid under a successor: RAP, or IBR if RAP cannot take the loan. The law moves
 * borrowers there if they choose nothing; other choices are not modeled. The loans of one successor
 * have a payment of their own, and on a joint return a share of their own.
 */
import { type Circumstances, only } from "../../../ledger/circumstances.ts"
import { idrSunsetDefault } from "../../../ledger/rules/income-based.ts"
import type { Household } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import type { Trace } from "../law/trace.ts"
import { type Book, type Books, moveLoans, NEVER } from "../schedule/book.ts"
import { indexOfMonth, type StartMonth } from "../schedule/calendar.ts"
import { type Service, setForgivenessMonths } from "../schedule/forgiveness.ts"
import { firstOwedFrom, type History } from "../schedule/history.ts"
import type { Holdings } from "../schedule/holdings.ts"
import type { IncomeDrivenTerms } from "../schedule/income-driven.ts"
import type { EnginePlan, IncomeDrivenPlan } from "./plan.ts"
import { planOf } from "./registry.ts"

const planNamed = (planType: EnginePlan): IncomeDrivenPlan => {
  const plan = planOf(planType)
  if (plan.kind !== "income-driven") throw new RangeError(`${planType} cannot succeed an income-driven plan`)
  return plan
}

/** The sunset, with its plans. */
const sunsetOf = (law: Law) => {
  const { plans, successors, successorsOfNewBorrowers, ...dates } = law.read(idrSunsetDefault)
  return {
    ...dates,
    plans: plans.map(planNamed),
    successors: successors.map(planNamed),
    successorsOfNewBorrowers: successorsOfNewBorrowers.map(planNamed)
  }
}

/** Whether dates show a new borrower of July 1, 2014. @rule idr-sunset-default */
export const isNewSince2014 = (law: Law, history: History | undefined): boolean =>
  history !== undefined && firstOwedFrom(history, law.derived(sunsetOf).newBorrowersFrom)

/**
 * The successors of a plan, in order of preference; none if the plan does not end.
 * @param isNew whether dates show a new borrower of July 1, 2014
 */
export const successorsOf = (law: Law, plan: IncomeDrivenPlan, isNew: boolean): ReadonlyArray<IncomeDrivenPlan> => {
  const { plans, successors, successorsOfNewBorrowers } = law.derived(sunsetOf)
  if (!plans.includes(plan)) return []
  return isNew ? successorsOfNewBorrowers : successors
}

/** Index of the first month under the successors, at least 0; `NEVER` if the plan does not end. */
export const endOf = (law: Law, plan: IncomeDrivenPlan, start: StartMonth): number => {
  const { endsOn, plans } = law.derived(sunsetOf)
  return plans.includes(plan) ? Math.max(0, indexOfMonth(start, endsOn)) : NEVER
}

/** The input of a move to the successors; `books` has the plan's own loans as the plan ends. */
interface Passage {
  readonly law: Law
  readonly plan: IncomeDrivenPlan
  readonly books: Books
  readonly household: Household
  readonly held: Holdings
  readonly service: Service
  /** The month in which the plan ends. */
  readonly from: number
}

/** Circumstances of an answer when a loan moves to a successor, by the successor's rank. */
export const PASSED_TO: ReadonlyArray<Circumstances> = [
  only.passedOver | only.passedToFirst,
  only.passedOver | only.passedToSecond
]

/** A successor, and its terms for the loans that moved to it. */
export interface Succession {
  readonly successor: IncomeDrivenPlan
  readonly terms: IncomeDrivenTerms
  readonly book: Book
  readonly rank: number
}

/** Traces of a succession: the steps that set the terms, and the steps of the forgiveness month. */
interface SuccessionTraces {
  readonly terms: Trace
  readonly ends: Trace
}

/**
 * Moves the open loans to the first successor that takes them, each successor with one payment for
 * its own loans. The last successor takes all remaining loans. The loans need no counted month,
 * because they are in an income-driven plan at that moment.
 * @param tracesOf called once for each successor that gets a loan
 * @law Pub. L. 119-21, section 82001(a)(3); 34 CFR 685.209(c)(7)   @rule idr-sunset-default
 */
export const moveToSuccessors = (
  { books, from, held, household, law, plan, service }: Passage,
  tracesOf?: () => SuccessionTraces
): ReadonlyArray<Succession> => {
  const successors = successorsOf(law, plan, isNewSince2014(law, held.history))
  const successions: Array<Succession> = []
  successors.forEach((successor, rank) => {
    const book = books.passed[rank]!
    const isLast = rank === successors.length - 1
    moveLoans(books.inPlan, book, (traits) => isLast || successor.openTo(traits) === "open")
    if (book.size === 0) return
    const traces = tracesOf?.()
    const planMonths = successor.forgivenessMonths(law, book, traces?.ends)
    setForgivenessMonths(law, book, { from, planMonths, service }, traces?.ends)
    successions.push({ successor, terms: successor.begin({ law, book, household, held }, traces?.terms), book, rank })
  })
  return successions
}

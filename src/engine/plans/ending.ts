/**
 * The sunset of ICR (INCOME CONTINGENT) and PAYE (PAY AS YOU EARN) on July 1, 2028. From then on an
 * open loan is repaid under a successor: RAP, or IBR if RAP cannot take the loan. The law moves
 * borrowers there if they choose nothing; other choices are not modeled. The loans of one successor
 * have a payment of their own, and on a joint return a share of their own.
 */
import { type Circumstances, only } from "../../../ledger/circumstances.ts"
import { idrSunsetDefault } from "../../../ledger/rules/income-based.ts"
import type { Law } from "../law/law.ts"
import { type Book, type Books, moveLoans, NEVER } from "../schedule/book.ts"
import { indexOfMonth, type StartMonth } from "../schedule/calendar.ts"
import { firstOwedFrom, type History } from "../schedule/history.ts"
import type { Holdings } from "../schedule/holdings.ts"
import type { EnginePlan, IncomeDrivenPlan, Plan } from "./plan.ts"
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
export const endOf = (law: Law, plan: Plan, start: StartMonth): number => {
  const { endsOn, plans } = law.derived(sunsetOf)
  return plan.kind === "income-driven" && plans.includes(plan) ? Math.max(0, indexOfMonth(start, endsOn)) : NEVER
}

/** The input of a move to the successors; `books` has the plan's own loans as the plan ends. */
interface Passage {
  readonly law: Law
  readonly plan: IncomeDrivenPlan
  readonly own: Book
  readonly books: Books
  readonly held: Holdings
}

/** Circumstances of an answer when a loan moves to a successor, by the successor's rank. */
export const PASSED_TO: ReadonlyArray<Circumstances> = [
  only.passedOver | only.passedToFirst,
  only.passedOver | only.passedToSecond
]

/** A successor, and the loans that moved to it. */
interface Succession {
  readonly successor: IncomeDrivenPlan
  readonly book: Book
  readonly rank: number
}

/**
 * Moves the open loans to the first successor that takes them, each successor with one payment for
 * its own loans. The last successor takes all remaining loans. A counted month is not required of
 * them, because a loan is in an income-driven plan at that moment.
 * @law Pub. L. 119-21, section 82001(a)(3); 34 CFR 685.209(c)(7)   @rule idr-sunset-default
 */
export const moveToSuccessors = ({ books, held, law, own, plan }: Passage): ReadonlyArray<Succession> => {
  const successors = successorsOf(law, plan, isNewSince2014(law, held.history))
  return successors.flatMap((successor, rank) => {
    const book = books.passed[rank]!
    const isLast = rank === successors.length - 1
    moveLoans(own, book, (traits) => isLast || successor.openTo(traits) === "open")
    return book.held === 0 ? [] : [{ successor, book, rank }]
  })
}

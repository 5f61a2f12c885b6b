/**
 * The sunset of ICR (INCOME CONTINGENT) and PAYE (PAY AS YOU EARN) on July 1, 2028. From then on an
 * open loan is repaid under a successor: RAP, or IBR at 15 percent if RAP cannot take the loan. The
 * law moves borrowers there if they choose nothing; other choices are not modeled.
 */
import { type Circumstances, only } from "../../../ledger/circumstances.ts"
import { idrSunsetDefault } from "../../../ledger/rules/income-based.ts"
import type { Household } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import type { Trace } from "../law/trace.ts"
import { type Books, moveLoans, NEVER, recordUnfinished } from "../schedule/book.ts"
import { MONTHS_PER_YEAR, type StartMonth } from "../schedule/calendar.ts"
import { setForgivenessMonths } from "../schedule/forgiveness.ts"
import type { IncomeDrivenMonths, IncomeDrivenTerms } from "../schedule/income-driven.ts"
import type { EnginePlan, IncomeDrivenPlan } from "./plan.ts"
import { planOf } from "./registry.ts"

const planNamed = (planType: EnginePlan): IncomeDrivenPlan => {
  const plan = planOf(planType)
  if (plan.kind !== "income-driven") throw new RangeError(`${planType} cannot succeed an income-driven plan`)
  return plan
}

const ends = (law: Law, { planType }: IncomeDrivenPlan): boolean => {
  const plans: ReadonlyArray<string> = law.read(idrSunsetDefault).plans
  return plans.includes(planType)
}

/** The successors of a plan, in order of preference; none if the plan does not end. */
export const successorsOf = (law: Law, plan: IncomeDrivenPlan): ReadonlyArray<IncomeDrivenPlan> =>
  ends(law, plan) ? law.read(idrSunsetDefault).successors.map(planNamed) : []

/** Index of the first month under the successors, at least 0; `NEVER` if the plan does not end. */
export const endOf = (law: Law, plan: IncomeDrivenPlan, start: StartMonth): number => {
  if (!ends(law, plan)) return NEVER
  const [year, month] = law.read(idrSunsetDefault).endsOn.split("-").map(Number)
  return Math.max(0, (year! - start.year) * MONTHS_PER_YEAR + month! - start.month)
}

/** The input of a move to the successors: the plan's own loans as they are when the plan ends. */
interface Passage {
  readonly law: Law
  readonly plan: IncomeDrivenPlan
  readonly books: Books
  readonly household: Household
  readonly workingTowardsPslf: boolean
  /** Receives the steps that set the successors' terms. */
  readonly trace?: Trace
  /** Receives the steps that set the month of forgiveness. */
  readonly ends?: Trace
}

type PassedMonths = Pick<IncomeDrivenMonths, "from" | "until" | "tally">

/** Circumstances of an answer when a loan moves to a successor, by the successor's rank. */
export const PASSED_TO: ReadonlyArray<Circumstances> = [
  only.passedOver | only.passedToFirst,
  only.passedOver | only.passedToSecond
]

/** A successor and its terms for the loans moved to it, which are in `books.passed`. */
interface Succession {
  readonly successor: IncomeDrivenPlan
  readonly terms: IncomeDrivenTerms
}

/**
 * For each successor in order: moves the open loans that it takes to `books.passed`, sets their
 * terms, and calls `repay`. The last successor takes all remaining loans. A counted month is not
 * required of them, because a loan is in an income-driven plan at that moment.
 * @law Pub. L. 119-21, section 82001(a)(3); 34 CFR 685.209(c)(7)   @rule idr-sunset-default
 */
export const moveToSuccessors = (passage: Passage, repay: (succession: Succession, rank: number) => void): void => {
  const { books, ends, household, law, trace, plan, workingTowardsPslf } = passage
  const { inPlan, passed: book } = books
  const successors = successorsOf(law, plan)
  successors.forEach((successor, rank) => {
    const isLast = rank === successors.length - 1
    moveLoans(inPlan, book, (traits) => isLast || successor.openTo(traits) === "open")
    if (book.size === 0) return
    setForgivenessMonths(law, book, successor.forgivenessMonths(law, book, ends), workingTowardsPslf, ends)
    repay({ successor, terms: successor.begin({ law, book, household }, trace) }, rank)
  })
}

/** Repays the open loans under the successors. Each successor has one payment for its own loans. */
export const repayUnderSuccessors = (passage: Passage, { from, tally, until }: PassedMonths): Circumstances => {
  const { books, household } = passage
  const { passed: book } = books
  let passedTo = 0
  moveToSuccessors(passage, ({ terms }, rank) => {
    if (terms.repay({ book, household, from, until, tally }) > 0) recordUnfinished(book, tally)
    passedTo |= PASSED_TO[rank]!
  })
  return passedTo
}

/**
 * The end of INCOME CONTINGENT and PAY AS YOU EARN: a loan that is still open in that month is repaid under a successor from
 * then on. That is where the law places a borrower who does not choose; another choice is not modeled.
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

/** The plans that its loans pass to, the first that takes a type first; none where the plan does not end. */
export const successorsOf = (law: Law, plan: IncomeDrivenPlan): ReadonlyArray<IncomeDrivenPlan> =>
  ends(law, plan) ? law.read(idrSunsetDefault).successors.map(planNamed) : []

/** Index of the first month under the successors, 0 when repayment starts in or after it, `NEVER` for other plans. */
export const endOf = (law: Law, plan: IncomeDrivenPlan, start: StartMonth): number => {
  if (!ends(law, plan)) return NEVER
  const [year, month] = law.read(idrSunsetDefault).endsOn.split("-").map(Number)
  return Math.max(0, (year! - start.year) * MONTHS_PER_YEAR + month! - start.month)
}

/** What passing over needs: own loans as they stand when the plan ends. */
interface Passage {
  readonly law: Law
  readonly plan: IncomeDrivenPlan
  readonly books: Books
  readonly household: Household
  readonly workingTowardsPslf: boolean
  /** Hears how the successors' terms are set. */
  readonly trace?: Trace
  /** Hears when they forgive. */
  readonly ends?: Trace
}

type PassedMonths = Pick<IncomeDrivenMonths, "from" | "until" | "tally">

/** What holds of an answer when a loan passes to a successor, by the rank of the successor. */
export const PASSED_TO: ReadonlyArray<Circumstances> = [
  only.passedOver | only.passedToFirst,
  only.passedOver | only.passedToSecond
]

/** A successor, and its terms for the loans that have passed to it, which are in the book of passed loans. */
interface Succession {
  readonly successor: IncomeDrivenPlan
  readonly terms: IncomeDrivenTerms
}

/**
 * Passes to each successor in turn the open loans that it takes, and sets its terms for them, before `repay` repays them.
 * The last one takes whatever is left, without asking for a counted month: the loan is in an income-driven plan when it
 * passes.
 * @law Pub. L. 119-21, section 82001(a)(3); 34 CFR 685.209(c)(7)   @rule idr-sunset-default
 */
export const passOver = (passage: Passage, repay: (succession: Succession, rank: number) => void): void => {
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

/** Repays the open own loans under the successors, each over its own loans with a payment of its own, to the end. */
export const repayUnderSuccessors = (passage: Passage, { from, tally, until }: PassedMonths): Circumstances => {
  const { books, household } = passage
  const { passed: book } = books
  let passedTo = 0
  passOver(passage, ({ terms }, rank) => {
    if (terms.repay({ book, household, from, until, tally }) > 0) recordUnfinished(book, tally)
    passedTo |= PASSED_TO[rank]!
  })
  return passedTo
}

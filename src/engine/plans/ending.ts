/**
 * The end of INCOME CONTINGENT and PAY AS YOU EARN: a loan that is still open in that month is repaid under a successor from
 * then on. That is where the law places a borrower who does not choose; another choice is not modeled.
 */
import { type Circumstances, only } from "../../../ledger/circumstances.ts"
import { idrSunsetDefault } from "../../../ledger/rules/income-based.ts"
import type { Household } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import { type Books, moveLoans, NEVER, recordUnfinished } from "../schedule/book.ts"
import { MONTHS_PER_YEAR, type StartMonth } from "../schedule/calendar.ts"
import { setForgivenessMonths } from "../schedule/forgiveness.ts"
import type { Tally } from "../schedule/tally.ts"
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

/** What passing over needs: own loans as they stand when month `from` begins. */
export interface Passage {
  readonly law: Law
  readonly plan: IncomeDrivenPlan
  readonly books: Books
  readonly household: Household
  readonly workingTowardsPslf: boolean
  readonly from: number
  readonly until: number
  readonly tally: Tally
}

/** What holds of an answer when a loan passes to a successor, by the rank of the successor. */
export const PASSED_TO: ReadonlyArray<Circumstances> = [
  only.passedOver | only.passedToFirst,
  only.passedOver | only.passedToSecond
]

/**
 * Repays the open own loans under the successors, each over its own loans with a payment of its own. The last one takes
 * whatever is left, without asking for a counted month: the loan is in an income-driven plan when it passes.
 * @law Pub. L. 119-21, section 82001(a)(3); 34 CFR 685.209(c)(7)   @rule idr-sunset-default
 */
export const repayUnderSuccessors = (passage: Passage): Circumstances => {
  const { books, from, household, law, plan, tally, until, workingTowardsPslf } = passage
  const { inPlan, passed: book } = books
  const successors = successorsOf(law, plan)
  let passedTo = 0
  successors.forEach((successor, rank) => {
    const isLast = rank === successors.length - 1
    moveLoans(inPlan, book, (traits) => isLast || successor.openTo(traits) === "open")
    if (book.size === 0) return
    setForgivenessMonths(law, book, successor.forgivenessMonths(law, book), workingTowardsPslf)
    if (successor.repay({ law, book, household, from, until, tally }) > 0) recordUnfinished(book, tally)
    passedTo |= PASSED_TO[rank]!
  })
  return passedTo
}

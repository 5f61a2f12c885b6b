/**
 * STANDARD: level payments over ten years, or over the term of a consolidation loan. Also how the loans are repaid that
 * the chosen plan cannot take. What is forgiven there for public service is forgiven in the month loop.
 */
import { consolidationStandardTerms, standardPlanTerms } from "../../../ledger/rules/fixed-plans.ts"
import type { Law } from "../law/law.ts"
import type { LoanTraits } from "../law/loan-types.ts"
import type { Trace } from "../law/trace.ts"
import type { Book } from "../schedule/book.ts"
import { pslfMonth } from "../schedule/forgiveness.ts"
import type { Holdings } from "../schedule/holdings.ts"
import { levelSchedule } from "../schedule/level.ts"
import { fixedPlan } from "./plan.ts"
import { consolidationTerm, traced } from "./terms.ts"

/**
 * Term of a loan on STANDARD, in months.
 * @law 34 CFR 685.208(b), 685.220(i)   @rule standard-plan-terms, consolidation-standard-terms
 */
const term = (law: Law, traits: LoanTraits, held: Holdings, trace?: Trace): number =>
  traits.consolidation
    ? consolidationTerm(law, traits, held, trace)
    : traced(law.read(standardPlanTerms).months, "term", standardPlanTerms, trace)

/** Ten-year STANDARD is a qualifying plan of public service. @law 34 CFR 685.219(c)   @rule pslf-qualifying-plans */
const countsForPslf = (law: Law, months: number): boolean => months === law.read(standardPlanTerms).months

/**
 * Months behind a loan. On the ten-year term of a Direct loan qualifying public-service payments count as well, because
 * each of them was a month of repayment; so payoff comes no later than public-service forgiveness would.
 * @law 20 U.S.C. 1087e(m)(3)(A)   @rule fixed-plan-prior-months
 */
const monthsBehind = (law: Law, book: Book, slot: number, months: number): number =>
  countsForPslf(law, months) && book.traits[slot]!.direct
    ? Math.max(book.priorIdrMonths[slot]!, book.pslfCount[slot]!)
    : book.priorIdrMonths[slot]!

export const standard = fixedPlan({
  planType: "STANDARD",
  calculator: { id: "standard", label: "Standard" },
  parityVerified: true,
  openTo: ({ eligibility }) => eligibility.STANDARD,
  terms: [standardPlanTerms],
  term,
  monthsBehind,
  termRule: ({ consolidation }) => (consolidation ? consolidationStandardTerms : standardPlanTerms),
  countsForPslf,
  schedule: (law, book, trace) => levelSchedule(law, book, standardPlanTerms, trace)
})

/** The loans that the chosen plan cannot take, and what their terms hang on. */
export interface OutsidePlan {
  readonly law: Law
  readonly book: Book
  readonly held: Holdings
  readonly workingTowardsPslf: boolean
}

/**
 * Sets the payments of the loans that the chosen plan cannot take: a fresh STANDARD term with its own minimum. A public
 * servant's Direct loan on the ten-year term is forgiven after its 120th payment; `ends` hears of that.
 * @law 34 CFR 685.210; 685.219(c)   @rule loans-outside-the-plan
 */
export const scheduleOutsidePlan = (outside: OutsidePlan, trace?: Trace, ends?: Trace): number => {
  const { book, held, law, workingTowardsPslf } = outside
  for (let slot = 0; slot < book.size; slot++) {
    const months = term(law, book.traits[slot]!, held, trace?.of(book.position[slot]!))
    book.monthsLeft[slot] = months
    if (workingTowardsPslf && countsForPslf(law, months)) {
      book.forgivenAt[slot] = pslfMonth(law, book, slot, ends?.of(book.position[slot]!))
      book.forgivenAsPslf[slot] = 1
    }
  }
  return levelSchedule(law, book, standardPlanTerms, trace)
}

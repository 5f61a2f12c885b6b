/**
 * STANDARD: the ten-year Standard plan, or 10 to 30 years for a consolidation loan.
 * Payment a month: the annuity of each loan over the months left, at least $50 over all loans.
 * Formula: `levelSchedule` in src/engine/schedule/level.ts, `annuity` in
 * src/engine/schedule/annuity.ts.
 *
 * Loans that another plan cannot take are repaid on a fresh STANDARD term: `scheduleOutsidePlan`.
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

/**
 * Only the ten-year term qualifies for PSLF.
 * @law 34 CFR 685.219(c)   @rule pslf-qualifying-plans
 */
const countsForPslf = (law: Law, months: number): boolean => months === law.read(standardPlanTerms).months

/**
 * Months of the term already used up. On the ten-year term of a Direct loan, PSLF payments count
 * too, because each was a month of repayment. So payoff comes no later than PSLF would.
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

/** The loans that the chosen plan cannot take, and the input of their terms. */
export interface OutsidePlan {
  readonly law: Law
  readonly book: Book
  readonly held: Holdings
  readonly workingTowardsPslf: boolean
}

/**
 * Sets the payments of loans that the chosen plan cannot take: a fresh STANDARD term and minimum.
 * With PSLF, a Direct loan on the ten-year term is forgiven after its 120th payment.
 * @param ends receives the steps that set the month of forgiveness
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

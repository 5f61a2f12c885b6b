/**
 * STANDARD: the ten-year Standard plan, or 10 to 30 years for a consolidation loan.
 * Payment a month: the annuity of each loan over the months left, at least $50 over all loans.
 * Formula: `levelSchedule` in src/engine/schedule/level.ts, `annuity` in
 * src/engine/schedule/annuity.ts.
 *
 * Loans that another plan cannot take are repaid on a fresh STANDARD term (src/engine/repayment.ts).
 */
import {
  consolidationStandardTerms,
  standardPlanTerms,
  tieredStandardPlanTerms
} from "../../../ledger/rules/fixed-plans.ts"
import type { Law } from "../law/law.ts"
import type { LoanTraits } from "../law/loan-types.ts"
import type { Trace } from "../law/trace.ts"
import { type Book, NEVER, someKind } from "../schedule/book.ts"
import type { Holdings } from "../schedule/holdings.ts"
import { levelSchedule } from "../schedule/level.ts"
import { type FixedPlan, fixedPlan, TIERED_STANDARD } from "./plan.ts"
import { consolidationTerm, traced } from "./terms.ts"
import { tieredStandard } from "./tiered-standard.ts"

/** Whether STANDARD means Tiered Standard: for Direct loans of a borrower with a new loan. */
const isTiered = ({ direct }: LoanTraits, { history }: Holdings): boolean => history?.isNew === true && direct

/**
 * The plan of a loan under a fixed plan. If the borrower has a new loan, Tiered Standard replaces
 * STANDARD.
 * @law 20 U.S.C. 1087e(d)(7)(A)-(C)   @rule new-loan-plans-2026-07, tiered-standard-plan-terms
 */
export const planForLoan = (plan: FixedPlan, traits: LoanTraits, held: Holdings): FixedPlan =>
  plan.asNew !== plan.planType && isTiered(traits, held) ? tieredStandard : plan

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
  asNew: TIERED_STANDARD,
  schedule: (law, book, month, held, trace) => scheduleStandard(law, book, month, held, trace)
})

/** A fresh term of STANDARD for a loan, in months. */
export const freshTerm = (law: Law, traits: LoanTraits, held: Holdings, trace?: Trace): number =>
  planForLoan(standard, traits, held).term(law, traits, held, trace)

const OF_TIERED = { sum: "allTieredPayments", raise: "tieredRaise" } as const

/** Sets the level payments: those of Tiered Standard and those of STANDARD have a minimum each. */
const scheduleStandard = (law: Law, book: Book, month: number, held: Holdings, trace?: Trace): number => {
  if (held.history?.isNew !== true) return levelSchedule(law, book, month, { terms: standardPlanTerms }, trace)
  const isOfTiered = (traits: LoanTraits) => isTiered(traits, held)
  const isOther = (traits: LoanTraits) => !isTiered(traits, held)
  const areMixed = someKind(book, isOfTiered) && someKind(book, isOther)
  const tiered = { terms: tieredStandardPlanTerms, holds: isOfTiered, ...(areMixed ? { named: OF_TIERED } : {}) }
  if (someKind(book, isOfTiered)) levelSchedule(law, book, month, tiered, trace)
  if (someKind(book, isOther)) levelSchedule(law, book, month, { terms: standardPlanTerms, holds: isOther }, trace)
  return NEVER
}

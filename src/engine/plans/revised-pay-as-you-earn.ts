/**
 * REVISED PAY AS YOU EARN on its 2015 terms: a tenth of discretionary income without a cap, and part of the uncovered
 * interest waived. It cannot be elected any more; a projection shows what it would have been.
 */

import { type Household, shareOf } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import type { Book } from "../schedule/book.ts"
import type { IncomeDrivenTerms } from "../schedule/income-driven.ts"
import { discretionaryIncome, monthlyShareOf, withSmallPaymentRule } from "./shared.ts"

/** Whether a loan of the book was for graduate study. Of the loan types only one says so. */
export const hasGraduateLoan = (book: Book): boolean => book.kinds.some(({ graduate }) => graduate)

/** Months to forgiveness: longer with a graduate loan. @rule repaye-terms */
export const revisedPayAsYouEarnMonths = (law: Law, book: Book): number =>
  hasGraduateLoan(book) ? law.repaye.forgivenessMonthsGraduate : law.repaye.forgivenessMonthsUndergraduate

/** @law 80 FR 67203 (30 October 2015)   @rule repaye-terms, repaye-interest-subsidy */
export const revisedPayAsYouEarnTerms = (law: Law, household: Household, book: Book): IncomeDrivenTerms => {
  const plan = law.repaye
  const proration = shareOf(household, book.total)
  return {
    payment: (income) => {
      const discretionary = discretionaryIncome(household, income, plan.povertyMultiple)
      return withSmallPaymentRule(law, monthlyShareOf(discretionary, plan.discretionaryRate, proration))
    },
    subsidizedWaiverMonths: plan.subsidizedFullMonths,
    waiverShare: plan.otherwiseShare
  }
}

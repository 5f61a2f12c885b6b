/**
 * INCOME BASED, INCOME BASED (OLD) and PAY AS YOU EARN: a rate of discretionary income, capped at the ten-year standard
 * amount. They differ in rate and months only. No new-borrower date is tested: a request carries none.
 */

import { type Household, shareOf } from "../law/household.ts"
import type { CappedPlanTerms, Law } from "../law/law.ts"
import type { Book } from "../schedule/book.ts"
import type { IncomeDrivenTerms } from "../schedule/income-driven.ts"
import { discretionaryIncome, monthlyShareOf, tenYearCap, withSmallPaymentRule } from "./shared.ts"

/**
 * @law INCOME BASED: 20 U.S.C. 1098e(e), 34 CFR 685.209(f)(2), (k)(2)   @rule ibr-new-terms
 * @law INCOME BASED (OLD): 20 U.S.C. 1098e(a)-(b), 34 CFR 685.209(f)(3), (k)(1)   @rule ibr-old-terms
 * @law PAY AS YOU EARN: 34 CFR 685.209(f)(2), (k)(2)   @rule paye-terms
 */
export const cappedTerms = (law: Law, plan: CappedPlanTerms, household: Household, book: Book): IncomeDrivenTerms => {
  const cap = tenYearCap(law, book)
  const proration = shareOf(household, book.total)
  return {
    payment: (income) => {
      const discretionary = discretionaryIncome(household, income, plan.povertyMultiple)
      const uncapped = monthlyShareOf(discretionary, plan.discretionaryRate, proration)
      return withSmallPaymentRule(law, Math.min(uncapped, cap))
    },
    subsidizedWaiverMonths: law.subsidizedInterestMonths,
    waiverShare: 0
  }
}

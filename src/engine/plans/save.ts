/**
 * SAVE on the terms of the vacated 2023 rule: a weighted rate of discretionary income above 225 % of the guideline, all
 * uncovered interest waived, earlier forgiveness of small original balances. It cannot be elected any more.
 */

import { type Household, shareOf } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import type { Book } from "../schedule/book.ts"
import type { IncomeDrivenTerms } from "../schedule/income-driven.ts"
import { forThreshold } from "../schedule/rounding.ts"
import { hasGraduateLoan } from "./revised-pay-as-you-earn.ts"
import { discretionaryIncome, monthlyShareOf, withSmallPaymentRule } from "./shared.ts"

const originals = (book: Book, graduateOnly: boolean): number => {
  let sum = 0
  for (let j = 0; j < book.size; j++) if (!graduateOnly || book.traits[j]!.graduate) sum += book.original[j]!
  return sum
}

/** Rate of discretionary income, weighted by original balances. */
const weightedRate = (law: Law, book: Book): number => {
  const all = originals(book, false)
  const graduate = all === 0 ? 0 : originals(book, true) / all
  const { discretionaryRateGraduate, discretionaryRateUndergraduate } = law.save
  return discretionaryRateUndergraduate * (1 - graduate) + discretionaryRateGraduate * graduate
}

/**
 * Months to forgiveness: 120 for 12,000 dollars of original balances, 12 more for each further 1,000 or part of it.
 * @law 88 FR 43820, 34 CFR 685.209(k)(3) of that rule   @rule save-early-forgiveness, save-terms
 */
export const saveMonths = (law: Law, book: Book): number => {
  const { baseBalance, baseMonths, stepBalance, stepMonths } = law.save.early
  const longest = hasGraduateLoan(book) ? law.save.forgivenessMonthsGraduate : law.save.forgivenessMonthsUndergraduate
  const above = forThreshold(originals(book, false)) - baseBalance
  if (above <= 0) return baseMonths
  return Math.min(longest, baseMonths + stepMonths * Math.ceil(forThreshold(above) / stepBalance))
}

/** @law 88 FR 43820, 34 CFR 685.209(f)(1), (h) of that rule   @rule save-terms */
export const saveTerms = (law: Law, household: Household, book: Book): IncomeDrivenTerms => {
  const rate = weightedRate(law, book)
  const proration = shareOf(household, book.total)
  return {
    payment: (income) => {
      const discretionary = discretionaryIncome(household, income, law.save.povertyMultiple)
      return withSmallPaymentRule(law, monthlyShareOf(discretionary, rate, proration))
    },
    subsidizedWaiverMonths: 0,
    waiverShare: 1
  }
}

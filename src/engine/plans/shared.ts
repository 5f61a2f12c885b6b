/** What the income-driven plans share: discretionary income, the ten-year cap and the small-payment rule. */

import type { Household } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import { annuity } from "../schedule/annuity.ts"
import type { Book } from "../schedule/book.ts"
import { MONTHS_PER_YEAR } from "../schedule/calendar.ts"
import { forThreshold } from "../schedule/rounding.ts"

/**
 * Income above a multiple of the poverty guideline, in dollars a year.
 * @law 34 CFR 685.209(b); 20 U.S.C. 1098e(a)(3)
 */
export const discretionaryIncome = (household: Household, income: number, povertyMultiple: number): number =>
  Math.max(0, income - povertyMultiple * household.guideline)

/** A share of discretionary income, in dollars a month, after proration. */
export const monthlyShareOf = (discretionary: number, rate: number, proration: number): number =>
  ((rate * discretionary) / MONTHS_PER_YEAR) * proration

/** Sum of the level payments that repay each loan from its starting balance over `months`, in dollars a month. */
export const levelPayments = (book: Book, months: number): number => {
  let sum = 0
  for (let j = 0; j < book.size; j++) sum += annuity(book.principal[j]! + book.interest[j]!, book.rate[j]!, months)
  return sum
}

/**
 * The ten-year standard amount that caps a payment, in dollars a month, fixed at the start.
 * @law 34 CFR 685.209(f)(2)(ii), (f)(3)(ii)   @rule standard-plan-terms, ten-year-cap-floor
 */
export const tenYearCap = (law: Law, book: Book): number =>
  Math.max(law.tenYearCapFloor, levelPayments(book, law.standardMonths))

/**
 * Under 5 dollars nothing is due; from 5 to under 10 dollars, 10.
 * @law 34 CFR 685.209(g)(1)   @rule idr-small-payment-rule
 */
export const withSmallPaymentRule = (law: Law, payment: number): number => {
  const tested = forThreshold(payment)
  const { below, raisedBelow, raisedTo, reducedTo } = law.smallPayment
  if (tested < below) return reducedTo
  return tested < raisedBelow ? raisedTo : payment
}

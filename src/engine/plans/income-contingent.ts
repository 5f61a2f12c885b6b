/**
 * INCOME CONTINGENT: the lesser of a fifth of discretionary income and the twelve-year payment times the income
 * percentage factor. No interest is waived, no other cap applies.
 */
import type { FilingStatus } from "../../../schema/scenario.ts"
import { type Household, shareOf } from "../law/household.ts"
import type { IncomePercentageRow, Law } from "../law/law.ts"
import type { Book } from "../schedule/book.ts"
import type { IncomeDrivenTerms } from "../schedule/income-driven.ts"
import { forThreshold } from "../schedule/rounding.ts"
import { discretionaryIncome, levelPayments, monthlyShareOf } from "./shared.ts"

const PERCENT = 100
/** The percentage is taken to a billionth before it is rounded, since doubles miss exact halves. */
const PERCENT_NOISE = 1e9

/** A percentage rounded half up to two decimals. */
const roundPercent = (percent: number): number => {
  const clean = Math.round(percent * PERCENT_NOISE) / PERCENT_NOISE
  return Math.floor(Math.round(clean * PERCENT * PERCENT_NOISE) / PERCENT_NOISE + 0.5) / PERCENT
}

/**
 * The income percentage factor, in percent: linear between the rows, held at the first and the last.
 * @law 34 CFR 685.209(f)(4); yearly notice of the Department of Education   @rule icr-income-percentage-factors-2026
 */
export const incomePercentage = (law: Law, status: FilingStatus, income: number): number => {
  const rows = status === "Single" ? law.icr.single : law.icr.marriedOrHeadOfHousehold
  let after = 0
  while (after < rows.length && income > rows[after]!.agi) after++
  if (after === 0) return rows[0]!.percent
  if (after === rows.length) return rows[rows.length - 1]!.percent
  return roundPercent(between(rows[after - 1]!, rows[after]!, income))
}

const between = (low: IncomePercentageRow, high: IncomePercentageRow, income: number): number =>
  low.percent + ((income - low.agi) * (high.percent - low.percent)) / (high.agi - low.agi)

/**
 * More than nothing but under 5 dollars is 5 dollars.
 * @law 34 CFR 685.209(g)(2)   @rule icr-minimum-payment
 */
const withMinimum = (law: Law, payment: number): number => {
  const tested = forThreshold(payment)
  return tested > 0 && tested < law.icr.minimumWhenPositive ? law.icr.minimumWhenPositive : payment
}

/** @law 34 CFR 685.209(b)(4)(iii), (f)(4), (k)(1); 20 U.S.C. 1087e(e)   @rule icr-terms */
export const incomeContingentTerms = (law: Law, household: Household, book: Book): IncomeDrivenTerms => {
  const { amortizationMonths, discretionaryRate, povertyMultiple } = law.icr
  const twelveYear = levelPayments(book, amortizationMonths)
  const proration = shareOf(household, book.total)
  return {
    payment: (income) => {
      const discretionary = discretionaryIncome(household, income, povertyMultiple)
      const ofIncome = monthlyShareOf(discretionary, discretionaryRate, proration)
      const ofDebt = (incomePercentage(law, household.filingStatus, income) / PERCENT) * twelveYear
      return withMinimum(law, Math.min(ofIncome, ofDebt))
    },
    subsidizedWaiverMonths: 0,
    waiverShare: 0
  }
}

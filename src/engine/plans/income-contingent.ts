/**
 * INCOME CONTINGENT: ICR, the Income-Contingent Repayment plan, which ends on July 1, 2028.
 * Payment a month: the lesser of two amounts. One is 20 percent of income above the poverty
 * guideline, divided by 12. The other is the twelve-year payment times the income percentage
 * factor. The balance is forgiven after 300 months.
 * Formula: `begin` and `incomePercentage` in this file, with `discretionaryPayment` and
 * `levelPayments` in src/engine/plans/shared.ts.
 *
 * No interest is waived and no other cap applies. A joint payment is not divided by the spouses'
 * loans. Only spouses who repay under this plan together share one, and a request cannot say that.
 * For loans still open at the end see src/engine/plans/ending.ts.
 */
import { idrForgivenessCount } from "../../../ledger/rules/income-based.ts"
import { icrFactorLookup, icrMinimumPayment, icrTerms } from "../../../ledger/rules/income-contingent.ts"
import { icrIncomePercentageFactors } from "../../../ledger/rules/income-contingent-factors.ts"
import type { FilingStatus } from "../../../schema/scenario.ts"
import type { Household } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import type { Trace } from "../law/trace.ts"
import { type IncomeDrivenTerms, SplitTerms } from "../schedule/income-driven.ts"
import { forThreshold } from "../schedule/rounding.ts"
import { type Beginning, incomeDrivenPlan } from "./plan.ts"
import { discretionaryPayment, GUIDELINE, INCOME_AND_COUNT, levelPayments, SPLIT } from "./shared.ts"
import { traced } from "./terms.ts"

/** A row of the factor table: an income in dollars a year, and the percentage there. */
interface FactorRow {
  readonly agi: number
  readonly percent: number
}

const PERCENT = 100
/** Percentages are cleaned to a billionth before rounding, because doubles miss exact halves. */
const PERCENT_NOISE = 1e9

/** A percentage rounded half up to two decimals. */
const roundPercent = (percent: number): number => {
  const clean = Math.round(percent * PERCENT_NOISE) / PERCENT_NOISE
  return Math.floor(Math.round(clean * PERCENT * PERCENT_NOISE) / PERCENT_NOISE + 0.5) / PERCENT
}

const factorRows = (law: Law, status: FilingStatus): ReadonlyArray<FactorRow> =>
  law.read(icrIncomePercentageFactors)[law.read(icrFactorLookup).column[status]]

/**
 * The income percentage factor, in percent: linear between rows, constant beyond both ends. The
 * incomes of the rows rise with prices.
 * @law 34 CFR 685.209(f)(4); yearly notice of the Department of Education
 * @rule icr-income-percentage-factors-*, icr-factor-lookup
 */
const incomePercentage = (
  rows: ReadonlyArray<FactorRow>,
  { income, prices }: Pick<Household, "income" | "prices">,
  trace?: Trace
): number => {
  let after = 0
  while (after < rows.length && income > rows[after]!.agi * prices) after++
  const below = rows[after - 1]
  const above = rows[after]
  if (trace !== undefined) traceRows(trace, below, above)
  if (below === undefined) return rows[0]!.percent
  if (above === undefined) return below.percent
  return roundPercent(between(below, above, income, prices))
}

/** Traces the two rows around a percentage, or the one row at an end of the table. */
const traceRows = (trace: Trace, below: FactorRow | undefined, above: FactorRow | undefined): void => {
  const rules = [icrIncomePercentageFactors, icrFactorLookup]
  if (below !== undefined) trace("lowerIncome", below.agi, ...rules)
  if (below !== undefined) trace("lowerPercentage", below.percent, ...rules)
  if (above !== undefined) trace("upperIncome", above.agi, ...rules)
  if (above !== undefined) trace("upperPercentage", above.percent, ...rules)
}

const between = (low: FactorRow, high: FactorRow, income: number, prices: number): number =>
  low.percent + ((income - low.agi * prices) * (high.percent - low.percent)) / ((high.agi - low.agi) * prices)

/**
 * A payment above 0 and below $5 becomes $5.
 * @law 34 CFR 685.209(g)(2)   @rule icr-minimum-payment
 */
const withMinimum = (minimum: number, payment: number): number => {
  const tested = forThreshold(payment)
  return tested > 0 && tested < minimum ? minimum : payment
}

const begin = ({ book, household, law }: Beginning, trace?: Trace): IncomeDrivenTerms => {
  const { amortizationMonths, paymentRate, povertyMultiple } = law.read(icrTerms)
  const minimum = law.read(icrMinimumPayment).minimumWhenPositive
  const twelveYear = levelPayments(book, amortizationMonths, icrTerms, trace)
  trace?.("twelveYearPayment", twelveYear, icrTerms)
  const formula = { paymentRate, povertyMultiple, rule: icrTerms, debt: null }
  return new SplitTerms({
    payment: (loanTrace) => {
      const byIncome = discretionaryPayment(household, formula, loanTrace)
      const percent = incomePercentage(factorRows(law, household.filingStatus), household, loanTrace)
      const byDebt = (percent / PERCENT) * twelveYear
      const lesser = Math.min(byIncome, byDebt)
      const payment = withMinimum(minimum, lesser)
      loanTrace?.("incomePercentage", percent, icrIncomePercentageFactors, icrFactorLookup)
      loanTrace?.("factoredPayment", byDebt, icrTerms)
      loanTrace?.("lesserPayment", lesser, icrTerms)
      loanTrace?.("raisedPayment", payment, icrMinimumPayment, idrForgivenessCount)
      return payment
    },
    subsidizedWaiverMonths: 0,
    waiverShare: 0,
    waivedBy: null
  })
}

/** @law 34 CFR 685.209(b)(4)(iii), (f)(4), (k)(1); 20 U.S.C. 1087e(e)   @rule icr-terms */
export const incomeContingent = incomeDrivenPlan({
  planType: "INCOME CONTINGENT",
  calculator: { id: "icr", label: "Income-Contingent" },
  parityVerified: true,
  openTo: ({ eligibility }) => eligibility["INCOME CONTINGENT"],
  terms: [icrTerms, icrFactorLookup, icrMinimumPayment],
  citesForHousehold: [INCOME_AND_COUNT, GUIDELINE, { rules: [icrIncomePercentageFactors] }, SPLIT],
  forgivenessMonths: (law, _book, trace) =>
    traced(law.read(icrTerms).forgivenessMonths, "forgivenessMonths", icrTerms, trace),
  begin
})

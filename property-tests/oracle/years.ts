/**
 * The household in force in each projection year. A year begins with the incomes of the year
 * before, grown by a year, and with what the request changes from that year on.
 */
import { type Decimal, mul, ONE } from "./decimal.ts"
import type { Borrower, Change, Situation } from "./wire.ts"

export interface Household extends Situation {
  readonly state: string | null
  /** What has become of a dollar: (1 + price growth)^k in projection year k. */
  readonly prices: Decimal
}

/** What a change sends replaces what was in force, and a sent income is that of its own year. */
const changed = (before: Situation, change: Change | undefined): Situation => ({
  status: change?.status ?? before.status,
  income: change?.income ?? before.income,
  spouseIncome: change?.spouseIncome ?? before.spouseIncome,
  spouseLoans: change?.spouseLoans ?? before.spouseLoans,
  dependents: change?.dependents ?? before.dependents,
  towardsPslf: change?.towardsPslf ?? before.towardsPslf,
  familySize: change?.familySize ?? before.familySize,
  extraPayment: change?.extraPayment ?? before.extraPayment,
  budget: change?.budget ?? before.budget
})

const grown = (situation: Situation, growth: Decimal): Situation => ({
  ...situation,
  income: mul(situation.income, ONE + growth),
  spouseIncome: mul(situation.spouseIncome, ONE + growth)
})

/** The household of projection year `year`, which is months 12 year to 12 year + 11. */
export function householdIn(borrower: Borrower, year: number): Household {
  let situation = borrower.firstYear
  let prices = ONE
  for (let k = 1; k <= year; k++) {
    const change = borrower.changes.find((each) => each.year === k)
    situation = changed(grown(situation, borrower.incomeGrowth), change)
    prices = mul(prices, ONE + borrower.priceGrowth)
  }
  return { ...situation, state: borrower.state, prices }
}

/** The household in force in a month. */
export const householdInMonth = (borrower: Borrower, month: number): Household =>
  householdIn(borrower, Math.floor(month / 12))

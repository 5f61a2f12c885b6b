/**
 * What the borrower pays above the scheduled payments: an extra each month, what is left of a
 * budget, and lump sums. It waives and matches nothing, and changes no scheduled payment.
 */
import { type Account, payToBalance } from "./accounts.ts"
import { totalOf } from "./book.ts"
import { monthsFrom, type Start } from "./calendar.ts"
import { type Decimal, larger, smaller, ZERO } from "./decimal.ts"
import type { Borrower } from "./wire.ts"
import type { Household } from "./years.ts"

/** The highest rate first, and of equal rates the loan that comes earlier in the request. */
function byRate(a: Account, b: Account): number {
  if (a.loan.rate !== b.loan.rate) return a.loan.rate > b.loan.rate ? -1 : 1
  return a.loan.index - b.loan.index
}

/**
 * 34 CFR 685.211(a)(1), 682.209(b)(1): pays loan after loan, in each the unpaid interest before
 * principal, until the amount is spent or nothing is owed. The month's scheduled payments are made.
 * @param open open loans of the book, in the plan and outside it
 * @returns what is paid
 */
export function payExtra(open: ReadonlyArray<Account>, extra: Decimal): Decimal {
  let left = smaller(extra, totalOf(open.map((a) => a.principal + a.interest)))
  let paid = ZERO
  for (const a of open.toSorted(byRate)) {
    const part = payToBalance(a, left)
    left -= part
    paid += part
  }
  return paid
}

/** The extra of a month: as sent, or what the scheduled payments leave of the budget if more. */
export const extraOf = ({ budget, extraPayment }: Household, scheduled: Decimal): Decimal =>
  larger(extraPayment, budget - scheduled)

export const lumpSumIn = ({ lumpSums }: Borrower, month: number, start: Start): Decimal =>
  totalOf(lumpSums.filter(({ on }) => monthsFrom(start, on) === month).map(({ amount }) => amount))

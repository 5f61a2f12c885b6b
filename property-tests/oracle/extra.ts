/**
 * What the borrower pays each month above the scheduled payments. It waives and matches nothing,
 * and changes no scheduled payment.
 */
import { type Account, payToBalance } from "./accounts.ts"
import { totalOf } from "./book.ts"
import { type Decimal, smaller, ZERO } from "./decimal.ts"

/** The highest rate first, and of equal rates the loan that comes earlier in the request. */
function byRate(a: Account, b: Account): number {
  if (a.loan.rate !== b.loan.rate) return a.loan.rate > b.loan.rate ? -1 : 1
  return a.loan.index - b.loan.index
}

/**
 * 34 CFR 685.211(a)(1), 682.209(b)(1): pays loan after loan, in each the unpaid interest before
 * principal, until the amount is spent or nothing is owed. The month's scheduled payments are made.
 * @param open all open loans of the book, in the plan and outside it
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

/**
 * The month loop of the fixed plans: each loan is repaid by its own payment. The last month of the
 * term pays all that is owed. Unpaid interest bears no interest, so a loan with unpaid interest at
 * the start ends sooner. Kahan summation keeps rounding errors from adding up over hundreds of
 * months.
 */

import { type Book, closeLoan, NEVER } from "./book.ts"
import { MONTHS_PER_YEAR } from "./calendar.ts"
import { type Beyond, monthsWithin, moreOn } from "./extra.ts"
import { CLOSED_BELOW } from "./rounding.ts"
import type { Tally } from "./tally.ts"

/** The months `from` to `until - 1` of a book. */
interface FixedMonths {
  readonly book: Book
  readonly from: number
  readonly until: number
  readonly tally: Tally
  readonly beyond?: Beyond | undefined
}

/**
 * Repays every due loan on its own schedule. `levelMonths` is `NEVER` for level payments. Returns
 * the number of due loans still open.
 */
export const repayFixed = (months: FixedMonths, levelMonths: number): number => {
  const { book } = months
  let open = 0
  for (let slot = 0; slot < book.size; slot++)
    if (book.isOpen[slot] === 1 && repayLoan(months, slot, levelMonths)) open++
  return open
}

/** What the due loans pay in the month in which their payments are set, in dollars. */
export const scheduledIn = (
  { interest, isOpen, monthsLeft, payment, principal, rate, size }: Book,
  month: number
): number => {
  let sum = 0
  for (let slot = 0; slot < size; slot++) {
    if (isOpen[slot] === 0) continue
    const owed = principal[slot]! + interest[slot]! + principal[slot]! * rate[slot]!
    sum += month === monthsLeft[slot]! - 1 ? owed : Math.min(payment[slot]!, owed)
  }
  return sum
}

/**
 * The months from one on in which every due loan pays the same and stays open, at most: interest
 * is left out of account.
 */
export const steadyFixed = (book: Book, levelMonths: number, month: number, beyond: Beyond | undefined): number => {
  let months = NEVER
  for (let slot = 0; slot < book.size; slot++) {
    if (book.isOpen[slot] === 0) continue
    const payment = book.payment[slot]! + moreOn(book, slot, beyond)
    months = Math.min(
      months,
      monthsWithin(book.principal[slot]! + book.interest[slot]!, payment),
      book.monthsLeft[slot]! - 1 - month,
      nextRise(levelMonths, book.setIn[slot]!, month) - month
    )
  }
  return months
}

/** Index of the first month at or after `from` in which the payment of a schedule set in a month rises. */
const nextRise = (levelMonths: number, setIn: number, from: number): number =>
  setIn + levelMonths * Math.max(1, Math.ceil((from - setIn) / levelMonths))

/**
 * Repays one loan until its `monthsLeft` by its `payment`, which is multiplied by `levelRatio` every
 * `levelMonths`. Returns whether the loan is still open. One function, for speed.
 * @rule interest-accrual, payment-application-order
 */
export const repayLoan = (
  { beyond, book, from, tally, until }: FixedMonths,
  slot: number,
  levelMonths: number
): boolean => {
  const rate = book.rate[slot]!
  const final = book.monthsLeft[slot]! - 1
  const end = Math.min(final + 1, until)
  let principal = book.principal[slot]!
  let interest = book.interest[slot]!
  // What is paid beyond what is due is one payment with it, because these plans waive nothing.
  let payment = book.payment[slot]! + moreOn(book, slot, beyond)
  let nextLevel = nextRise(levelMonths, book.setIn[slot]!, from)
  let principalError = book.principalError[slot]!
  let interestError = book.interestError[slot]!
  let accrued = 0
  let month = from
  for (let year = Math.floor(from / MONTHS_PER_YEAR); month < end; year++) {
    const stop = Math.min((year + 1) * MONTHS_PER_YEAR, end)
    let paid = 0
    for (; month < stop; month++) {
      if (month === nextLevel) {
        payment *= book.levelRatio[slot]!
        book.payment[slot] = payment
        nextLevel += levelMonths
      }
      const due = principal * rate
      const owed = principal + interest + due
      accrued += due
      if (owed <= payment || month === final) {
        tally.paid[year]! += paid + owed
        endLoan(book, slot, month, accrued, tally)
        return false
      }
      paid += payment
      const beyond = payment - due
      if (beyond < interest) {
        const change = -beyond - interestError
        const after = interest + change
        interestError = after - interest - change
        interest = after
      } else {
        const change = due + (interest - payment) - principalError
        const after = principal + change
        principalError = after - principal - change
        principal = after
        interest = 0
      }
      if (principal + interest < CLOSED_BELOW) {
        tally.paid[year]! += paid
        endLoan(book, slot, month, accrued, tally)
        return false
      }
    }
    tally.paid[year]! += paid
    if (month < until && month % MONTHS_PER_YEAR === 0) tally.leave(month, principal, interest)
  }
  tally.accrued += accrued
  book.principal[slot] = principal
  book.interest[slot] = interest
  book.principalError[slot] = principalError
  book.interestError[slot] = interestError
  return true
}

/** Closes a loan paid off in a month. */
const endLoan = (book: Book, slot: number, month: number, accrued: number, tally: Tally): void => {
  tally.accrued += accrued
  tally.endedIn(month)
  closeLoan(book, slot)
}

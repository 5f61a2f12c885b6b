/**
 * The month loop of the fixed plans: each loan is repaid by its own payment. The last month of the
 * term pays all that is owed. Unpaid interest bears no interest, so a loan with unpaid interest at
 * the start ends sooner. Kahan summation keeps rounding errors from adding up over hundreds of
 * months.
 */

import { type Book, closeLoan } from "./book.ts"
import { MONTHS_PER_YEAR } from "./calendar.ts"
import type { Extra } from "./extra.ts"
import { CLOSED_BELOW } from "./rounding.ts"
import type { Tally } from "./tally.ts"

/** The months `from` to `until - 1` of a book. */
interface FixedMonths {
  readonly book: Book
  readonly from: number
  readonly until: number
  readonly tally: Tally
}

/**
 * Repays every open loan on its own schedule. `levelMonths` is `NEVER` for level payments. Returns
 * the number of loans still open. With an extra payment, the loop ends when its loan closes.
 */
export const repayFixed = (months: FixedMonths, levelMonths: number, extra?: Extra): number => {
  const { book } = months
  let open = 0
  if (extra !== undefined && repayLoan(months, extra.slot, levelMonths, extra)) open++
  const until = extra === undefined ? months.until : Math.min(months.until, extra.stoppedAt)
  const others = extra === undefined ? months : { ...months, until }
  for (let slot = 0; slot < book.size; slot++) {
    if (slot === extra?.slot || book.principal[slot]! + book.interest[slot]! === 0) continue
    if (repayLoan(others, slot, levelMonths)) open++
  }
  return open
}

/** Index of the first month at or after `from` in which the payment rises. */
const nextRise = (levelMonths: number, from: number): number => levelMonths * Math.max(1, Math.ceil(from / levelMonths))

/**
 * Repays one loan over its `monthsLeft` by its `payment`, which is multiplied by `levelRatio` every
 * `levelMonths`. The balance left in month `forgivenAt` is forgiven as PSLF. Returns whether the loan
 * is still open. One function, for speed.
 * @rule interest-accrual, payment-application-order, extra-payment-order
 */
export const repayLoan = (
  { book, from, tally, until }: FixedMonths,
  slot: number,
  levelMonths: number,
  extra?: Extra
): boolean => {
  const rate = book.rate[slot]!
  const forgivenAt = book.forgivenAt[slot]!
  const final = book.monthsLeft[slot]! - 1
  const end = Math.min(final + 1, forgivenAt + 1, until)
  let principal = book.principal[slot]!
  let interest = book.interest[slot]!
  let payment = book.payment[slot]!
  let nextLevel = nextRise(levelMonths, from)
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
        if (month === 0) tally.firstPayment += owed
        tally.paid[year]! += paid + owed
        extra?.close(month, 0)
        endLoan(book, slot, month, accrued, tally)
        return false
      }
      if (month === 0) tally.firstPayment += payment
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
        extra?.close(month, 0)
        endLoan(book, slot, month, accrued, tally)
        return false
      }
      if (extra !== undefined) {
        const left = principal + interest
        if (left - extra.amount < CLOSED_BELOW) {
          tally.paid[year]! += paid + extra.close(month, left)
          endLoan(book, slot, month, accrued, tally)
          return false
        }
        const toInterest = Math.min(extra.amount, interest)
        interest -= toInterest
        const change = toInterest - extra.amount - principalError
        const after = principal + change
        principalError = after - principal - change
        principal = after
        paid += extra.amount
      }
    }
    tally.paid[year]! += paid
    if (month % MONTHS_PER_YEAR === 0 && month <= forgivenAt) tally.leave(month, principal, interest)
  }
  tally.accrued += accrued
  book.principal[slot] = principal
  book.interest[slot] = interest
  book.principalError[slot] = principalError
  book.interestError[slot] = interestError
  return leaveOpen(book, slot, month, tally)
}

/** Closes a loan paid off in a month. */
const endLoan = (book: Book, slot: number, month: number, accrued: number, tally: Tally): void => {
  tally.accrued += accrued
  tally.endedIn(month)
  closeLoan(book, slot)
}

/** Handles a balance left after the last month, which is forgiven or stays open. */
const leaveOpen = (book: Book, slot: number, month: number, tally: Tally): boolean => {
  const forgivenAt = book.forgivenAt[slot]!
  if (month !== forgivenAt + 1) return true
  tally.forgive(forgivenAt, book.principal[slot]! + book.interest[slot]!, true)
  tally.endedIn(forgivenAt)
  closeLoan(book, slot)
  return false
}

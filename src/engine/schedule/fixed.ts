/**
 * The month loop of the fixed plans: one loan, its own payment, until it is closed. The month that ends the term pays
 * what is owed. Unpaid interest bears none, so a loan that starts with it ends sooner. Balances are lowered by compensated
 * sums (Kahan), so that hundreds of months leave the error of one.
 */

import { type Book, NEVER } from "./book.ts"
import { MONTHS_PER_YEAR } from "./calendar.ts"
import { CLOSED_BELOW } from "./rounding.ts"
import type { Tally } from "./tally.ts"

/** Every `months` the payment is multiplied by `ratio`. */
export interface Levels {
  readonly months: number
  readonly ratio: number
}

/** One payment for the whole term. */
export const LEVEL: Levels = { months: NEVER, ratio: 1 }

/**
 * Repays one loan of the book by its `payment`, over its `monthsLeft`, and adds it to the tally. What is left in the
 * month `forgivenAt` is forgiven as PSLF. No month from `until` on is run. One piece, for speed.
 * @rule interest-accrual, payment-application-order
 */
export const repayFixed = (book: Book, slot: number, levels: Levels, until: number, tally: Tally): void => {
  const rate = book.rate[slot]!
  const forgivenAt = book.forgivenAt[slot]!
  const final = book.monthsLeft[slot]! - 1
  const end = Math.min(final + 1, forgivenAt + 1, until)
  let principal = book.principal[slot]!
  let interest = book.interest[slot]!
  let payment = book.payment[slot]!
  let nextLevel = levels.months
  let principalError = 0
  let interestError = 0
  let accrued = 0
  let month = 0
  for (let year = 0; month < end; year++) {
    const stop = Math.min((year + 1) * MONTHS_PER_YEAR, end)
    let paid = 0
    for (; month < stop; month++) {
      if (month === nextLevel) {
        payment *= levels.ratio
        nextLevel += levels.months
      }
      const due = principal * rate
      const owed = principal + interest + due
      accrued += due
      if (owed <= payment || month === final) {
        if (month === 0) tally.firstPayment += owed
        tally.paid[year]! += paid + owed
        tally.accrued += accrued
        tally.endedIn(month)
        return
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
        tally.accrued += accrued
        tally.endedIn(month)
        return
      }
    }
    tally.paid[year]! += paid
    if (month % MONTHS_PER_YEAR === 0 && month <= forgivenAt) {
      tally.principalLeft[year]! += principal
      tally.interestLeft[year]! += interest
    }
  }
  tally.accrued += accrued
  finishOpen(forgivenAt, principal, interest, month, tally)
}

/** The months ran out with a balance: it is forgiven, or the horizon was reached. */
const finishOpen = (forgivenAt: number, principal: number, interest: number, month: number, tally: Tally): void => {
  if (month === forgivenAt + 1) {
    tally.forgive(forgivenAt, principal + interest, true)
    tally.endedIn(forgivenAt)
    return
  }
  tally.unfinished = true
  tally.openPrincipal += principal
  tally.openInterest += interest
}

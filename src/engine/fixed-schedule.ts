/**
 * The month loop of the fixed plans: one loan, its own payment, until it is closed. The month that ends the term pays
 * what is owed. Unpaid interest bears none, so a loan that starts with it ends sooner. Balances are lowered by compensated
 * sums (Kahan), so that hundreds of months leave the error of one.
 */

import { NEVER } from "./book.ts"
import { MONTHS_PER_YEAR } from "./calendar.ts"
import { CLOSED_BELOW } from "./rounding.ts"
import type { Tally } from "./tally.ts"

export interface FixedLoan {
  readonly principal: number
  readonly interest: number
  /** Rate per month. */
  readonly rate: number
  /** Payments left: the last of them is made in month `months - 1`. */
  readonly months: number
  /** Payment of the first level, in dollars a month. */
  readonly payment: number
  /** Every `levelMonths` the payment is multiplied by `levelRatio`. */
  readonly levelMonths: number
  readonly levelRatio: number
  /** Month at whose end what is left is forgiven as PSLF, or `NEVER`. */
  readonly forgivenAt: number
}

/** One payment for the whole term. */
export const level = { levelMonths: NEVER, levelRatio: 1 } as const

/** Repays one loan and adds it to the tally. No month from `horizonMonths` on is run. */
export const repayFixed = (loan: FixedLoan, horizonMonths: number, tally: Tally): void => {
  const { forgivenAt, levelMonths, levelRatio, rate } = loan
  const final = loan.months - 1
  const end = Math.min(loan.months, forgivenAt + 1, horizonMonths)
  let principal = loan.principal
  let interest = loan.interest
  let payment = loan.payment
  let nextLevel = levelMonths
  let principalError = 0
  let interestError = 0
  let accrued = 0
  let month = 0
  for (let year = 0; month < end; year++) {
    const stop = Math.min((year + 1) * MONTHS_PER_YEAR, end)
    let paid = 0
    for (; month < stop; month++) {
      if (month === nextLevel) {
        payment *= levelRatio
        nextLevel += levelMonths
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
        const change = interest - beyond - principalError
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
  finishOpen(loan, principal, interest, month, tally)
}

/** The months ran out with a balance: it is forgiven, or the horizon was reached. */
const finishOpen = (loan: FixedLoan, principal: number, interest: number, month: number, tally: Tally): void => {
  if (month === loan.forgivenAt + 1) {
    tally.forgive(loan.forgivenAt, principal + interest, true)
    tally.endedIn(loan.forgivenAt)
    return
  }
  tally.unfinished = true
  tally.openPrincipal += principal
  tally.openInterest += interest
}

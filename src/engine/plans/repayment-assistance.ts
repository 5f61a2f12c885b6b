/**
 * REPAYMENT ASSISTANCE: a band rate of the whole income, less 50 dollars a dependent, and at least 10. What interest the
 * payment leaves is waived, and principal is matched. The law states its tests on all loans together, so the loans are
 * one pool here: every month lowers their principal, and their unpaid interest, in the same proportion.
 */

import { type Household, shareOf } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import { type Book, closeSmall, NEVER } from "../schedule/book.ts"
import { MONTHS_PER_YEAR } from "../schedule/calendar.ts"
import { forgiveDue, nextForgiveness } from "../schedule/forgiveness.ts"
import { leaveOpen } from "../schedule/income-driven.ts"
import { CLOSED_BELOW, forThreshold } from "../schedule/rounding.ts"
import type { Tally } from "../schedule/tally.ts"

/**
 * Base payment in dollars a year. A band includes its upper bound, and its rate applies to the whole income.
 * @law 20 U.S.C. 1087e(q)(4)(B); 34 CFR 685.209(f)(5)   @rule rap-base-payment-bands
 */
export const basePayment = (law: Law, income: number): number => {
  const tested = forThreshold(income)
  const bands = law.rap.bands
  let band = bands[bands.length - 1]!
  for (let k = 0; k < bands.length; k++) {
    const upTo = bands[k]!.notOver
    if (upTo !== null && tested <= upTo) {
      band = bands[k]!
      break
    }
  }
  return band.flatAnnual ?? income * band.rate
}

/**
 * Monthly payment in dollars, before "at most what is owed". Proration comes before the minimum.
 * @law 34 CFR 685.209(f)(5), (g)(3)   @rule rap-dependent-reduction, rap-minimum-payment, rap-joint-proration
 */
export const repaymentAssistancePayment = (law: Law, household: Household, proration: number, income: number): number =>
  Math.max(
    law.rap.minimumMonthly,
    (basePayment(law, income) / MONTHS_PER_YEAR - law.rap.perDependentMonthly * household.dependents) * proration
  )

/** The loans as one debt, since the last month in which a loan left it. */
interface Pool {
  principal: number
  interest: number
  /** What rounding has added to the principal so far; taken back by the next change. */
  principalError: number
  readonly startPrincipal: number
  readonly startInterest: number
  /** Rate per month. It stays the same while every loan shrinks in proportion. */
  readonly rate: number
  /** No open loan's balance is below this share of the pool's principal; 0 with a loan of unpaid interest alone. */
  readonly smallestShare: number
}

const gather = (book: Book): Pool => {
  let principal = 0
  let interest = 0
  let due = 0
  let smallest = Number.POSITIVE_INFINITY
  for (let j = 0; j < book.size; j++) {
    const balance = book.principal[j]! + book.interest[j]!
    principal += book.principal[j]!
    interest += book.interest[j]!
    due += book.principal[j]! * book.rate[j]!
    if (balance > 0) smallest = Math.min(smallest, book.principal[j]!)
  }
  return {
    principal,
    interest,
    principalError: 0,
    startPrincipal: principal,
    startInterest: interest,
    rate: principal === 0 ? 0 : due / principal,
    smallestShare: principal === 0 ? 0 : smallest / principal
  }
}

/** What is owed after the first month's accrual. */
const owedFirst = ({ interest, principal, rate }: Pool): number => principal + interest + principal * rate

/** Gives the pool's change to its loans, in proportion. */
const spread = (book: Book, { interest, principal, startInterest, startPrincipal }: Pool): void => {
  const principalLeft = shareLeft(principal, startPrincipal)
  const interestLeft = shareLeft(interest, startInterest)
  for (let j = 0; j < book.size; j++) {
    book.principal[j]! *= principalLeft
    book.interest[j]! *= interestLeft
  }
}

/** What is left of a starting amount, as a share. */
const shareLeft = (after: number, start: number): number => (start === 0 ? 0 : after / start)

/** Whether a loan of the pool is below half a cent. */
const hasClosing = (book: Book, pool: Pool): boolean => {
  if (pool.smallestShare * pool.principal >= CLOSED_BELOW) return false
  const principalLeft = shareLeft(pool.principal, pool.startPrincipal)
  const interestLeft = shareLeft(pool.interest, pool.startInterest)
  for (let j = 0; j < book.size; j++) {
    const balance = book.principal[j]! * principalLeft + book.interest[j]! * interestLeft
    if (balance < CLOSED_BELOW && book.forgivenAt[j] !== NEVER) return true
  }
  return false
}

/** Repays the book and adds it to the tally. No month from `horizonMonths` on is run. */
export const repayWithAssistance = (
  law: Law,
  book: Book,
  household: Household,
  horizonMonths: number,
  tally: Tally
): void => {
  const proration = shareOf(household, book.total)
  let pool = gather(book)
  let open = book.size
  let month = 0
  let income = household.income
  let payment = repaymentAssistancePayment(law, household, proration, income)
  if (horizonMonths > 0) tally.firstPayment += Math.min(payment, owedFirst(pool))
  let forgiveness = nextForgiveness(book)
  let yearEnd = MONTHS_PER_YEAR
  while (open > 0 && month < horizonMonths) {
    month = payPool(law, pool, month, Math.min(yearEnd, forgiveness + 1, horizonMonths), payment, tally)
    if (month > forgiveness || month === horizonMonths || hasClosing(book, pool)) {
      spread(book, pool)
      open = forgiveDue(book, month - 1, closeSmall(book, month - 1, tally), tally)
      pool = gather(book)
      forgiveness = nextForgiveness(book)
    }
    if (month === yearEnd) {
      tally.principalLeft[month / MONTHS_PER_YEAR - 1]! += pool.principal
      tally.interestLeft[month / MONTHS_PER_YEAR - 1]! += pool.interest
      yearEnd += MONTHS_PER_YEAR
      if (household.growthFactor !== 1) {
        income *= household.growthFactor
        payment = repaymentAssistancePayment(law, household, proration, income)
      }
    }
  }
  if (open > 0) leaveOpen(book, tally)
}

/**
 * Months from `from` on, until `stop` or until a loan may have closed; returns the month after the last one run.
 * @law 34 CFR 685.209(h)(4); 20 U.S.C. 1087e(q)(2)   @rule rap-interest-waiver, rap-principal-match
 */
const payPool = (law: Law, pool: Pool, from: number, stop: number, payment: number, tally: Tally): number => {
  const { rate, smallestShare } = pool
  const matchMax = law.rap.matchMax
  let { interest, principal, principalError } = pool
  let paid = 0
  let accrued = 0
  let waived = 0
  let matched = 0
  let month = from
  do {
    const due = principal * rate
    const owed = principal + interest + due
    const pay = Math.min(payment, owed)
    const toInterest = pay < due ? pay : due
    const afterInterest = pay - toInterest
    const toOlder = afterInterest < interest ? afterInterest : interest
    const toPrincipal = afterInterest - toOlder
    const lowered = toPrincipal < matchMax ? Math.min(matchMax, pay, principal) : toPrincipal
    const change = -lowered - principalError
    const after = principal + change
    principalError = after - principal - change
    principal = after
    interest -= toOlder
    paid += pay
    accrued += due
    waived += due - toInterest
    matched += lowered - toPrincipal
    month++
  } while (month < stop && smallestShare * principal >= CLOSED_BELOW)
  pool.principal = principal
  pool.interest = interest
  pool.principalError = principalError
  tally.add(from, paid, accrued, waived)
  tally.matched += matched
  return month
}

/**
 * REPAYMENT ASSISTANCE: a band rate of the whole income, less 50 dollars a dependent, and at least 10. What interest the
 * payment leaves is waived, and principal is matched. The law states its tests on all loans together, so the loans are
 * one pool here: every month lowers their principal, and their unpaid interest, in the same proportion.
 */
import { type Book, NEVER } from "../book.ts"
import { MONTHS_PER_YEAR } from "../calendar.ts"
import { forgiveDue, nextForgiveness } from "../forgiveness.ts"
import { type Household, shareOf } from "../household.ts"
import { leaveOpen, recordYearEnd } from "../income-driven-schedule.ts"
import type { Law } from "../law.ts"
import { CLOSED_BELOW, forThreshold } from "../rounding.ts"
import type { Tally } from "../tally.ts"

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

/** The pool during a run of months in which no loan leaves it. */
interface Pool {
  principal: number
  interest: number
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
  let open = book.size
  let month = 0
  let income = household.income
  let payment = repaymentAssistancePayment(law, household, proration, income)
  while (open > 0 && month < horizonMonths) {
    if (month > 0 && month % MONTHS_PER_YEAR === 0 && household.growthFactor !== 1) {
      income *= household.growthFactor
      payment = repaymentAssistancePayment(law, household, proration, income)
    }
    const yearEnd = month - (month % MONTHS_PER_YEAR) + MONTHS_PER_YEAR
    const stop = Math.min(yearEnd, nextForgiveness(book) + 1, horizonMonths)
    month = payPool(law, book, month, stop, payment, tally)
    open = closeSmall(book, month - 1, tally)
    open = forgiveDue(book, month - 1, open, tally)
    if (month === yearEnd && open > 0) recordYearEnd(book, month, tally)
  }
  if (open > 0) leaveOpen(book, tally)
}

/**
 * Months from `from` on, until `stop` or until a loan may have closed; returns the month after the last one run.
 * @law 34 CFR 685.209(h)(4); 20 U.S.C. 1087e(q)(2)   @rule rap-interest-waiver, rap-principal-match
 */
const payPool = (law: Law, book: Book, from: number, stop: number, payment: number, tally: Tally): number => {
  const atStart = poolOf(book)
  const rate = meanRate(book, atStart.principal)
  const smallest = smallestBalanceShare(book, atStart)
  const matchMax = law.rap.matchMax
  let { interest, principal } = atStart
  let paid = 0
  let month = from
  let mayClose = false
  while (month < stop && !mayClose) {
    const due = principal * rate
    const pay = Math.min(payment, principal + interest + due)
    const toInterest = Math.min(pay, due)
    const toOlder = Math.min(pay - toInterest, interest)
    const toPrincipal = pay - toInterest - toOlder
    const match = toPrincipal < matchMax ? Math.min(Math.min(matchMax, pay) - toPrincipal, principal - toPrincipal) : 0
    principal -= toPrincipal + match
    interest -= toOlder
    paid += pay
    tally.accrued += due
    tally.waived += due - toInterest
    tally.matched += match
    if (month === 0) tally.firstPayment += pay
    mayClose = smallest * principal < CLOSED_BELOW
    month++
  }
  tally.paid[Math.floor(from / MONTHS_PER_YEAR)]! += paid
  scale(book, atStart, { principal, interest })
  return month
}

const poolOf = (book: Book): Pool => {
  let principal = 0
  let interest = 0
  for (let j = 0; j < book.size; j++) {
    principal += book.principal[j]!
    interest += book.interest[j]!
  }
  return { principal, interest }
}

/** Rate per month of the pool. It stays the same while every loan shrinks in proportion. */
const meanRate = (book: Book, principal: number): number => {
  let due = 0
  for (let j = 0; j < book.size; j++) due += book.principal[j]! * book.rate[j]!
  return principal === 0 ? 0 : due / principal
}

/**
 * A lower bound: no open loan's balance is below this share of the pool's principal until the run ends. A loan with
 * unpaid interest alone gives 0, which makes every run one month long.
 */
const smallestBalanceShare = (book: Book, pool: Pool): number => {
  let smallest = 1
  for (let j = 0; j < book.size; j++) {
    if (book.principal[j]! + book.interest[j]! < CLOSED_BELOW) continue
    smallest = Math.min(smallest, pool.principal === 0 ? 0 : book.principal[j]! / pool.principal)
  }
  return smallest
}

/** Spreads the pool's change over its loans in proportion. */
const scale = (book: Book, before: Pool, after: Pool): void => {
  const principalLeft = before.principal === 0 ? 0 : after.principal / before.principal
  const interestLeft = before.interest === 0 ? 0 : after.interest / before.interest
  for (let j = 0; j < book.size; j++) {
    book.principal[j]! *= principalLeft
    book.interest[j]! *= interestLeft
  }
}

/** Closes the loans below half a cent; returns how many are open. */
const closeSmall = (book: Book, month: number, tally: Tally): number => {
  let open = 0
  for (let j = 0; j < book.size; j++) {
    const balance = book.principal[j]! + book.interest[j]!
    if (balance >= CLOSED_BELOW) open++
    else if (balance > 0 || book.forgivenAt[j] !== NEVER) {
      book.principal[j] = 0
      book.interest[j] = 0
      book.forgivenAt[j] = NEVER
      tally.endedIn(month)
    }
  }
  return open
}

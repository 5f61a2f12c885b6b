/**
 * The month loop of REPAYMENT ASSISTANCE (RAP), with its interest waiver and principal match. The
 * law applies both to all loans together, so the loans are one pool. Each month lowers the
 * principal of all loans in one proportion, and their unpaid interest in another. Kahan summation
 * keeps rounding errors from adding up over hundreds of months.
 */
import { type Book, closeDust } from "./book.ts"
import { MONTHS_PER_YEAR, yearAfter } from "./calendar.ts"
import type { Beyond } from "./extra.ts"
import {
  type IncomeDrivenMonths,
  type IncomeDrivenTerms,
  recordYearEnd,
  type SpentBy,
  YearlyPayment
} from "./income-driven.ts"
import type { LoanMoved, MonthPaid } from "./month.ts"
import { CLOSED_BELOW } from "./rounding.ts"

/** The parameters of the plan. */
interface Pooled extends Pick<IncomeDrivenTerms, "payment"> {
  /**
   * In dollars. Each month, principal falls by at least this amount or the payment, whichever is
   * less. The match makes up the difference.
   */
  readonly matchMax: number
  readonly rules: SpentBy
}

/**
 * Terms that treat the loans as one pool. A class instead of closures, because every projection
 * creates one.
 */
export class PooledTerms implements IncomeDrivenTerms, Pooled {
  readonly yearly: YearlyPayment
  readonly payment: Pooled["payment"]
  readonly matchMax: number
  readonly rules: SpentBy

  constructor({ matchMax, payment, rules }: Pooled) {
    this.yearly = new YearlyPayment(payment)
    this.payment = payment
    this.matchMax = matchMax
    this.rules = rules
  }

  turn(): void {}

  repay(months: IncomeDrivenMonths): number {
    return repayPooled(months, this)
  }

  received({ accrued, paid }: MonthPaid, loan: LoanMoved): number {
    const toInterest = paid < accrued ? (loan.accrued * paid) / accrued : loan.accrued
    return toInterest + loan.toUnpaidInterest + loan.toPrincipal
  }

  spentBy(): SpentBy {
    return this.rules
  }
}

/** The due loans as one debt, rebuilt whenever a loan leaves. */
interface Pool {
  principal: number
  interest: number
  /** Kahan compensation: rounding errors so far, subtracted at the next change. */
  principalError: number
  interestError: number
  readonly startPrincipal: number
  readonly startInterest: number
  /** Rate per month. It is constant while all loans shrink in proportion. */
  rate: number
  /** The loan that is paid beyond what is due, and its balances; those of a pool without one are 0. */
  readonly beyond: Beyond | undefined
  ownPrincipal: number
  ownInterest: number
  readonly startOwnPrincipal: number
  readonly startOwnInterest: number
  /** Lower bound of an open loan's share of the principal; 0 if a loan has only interest. */
  readonly smallestShare: number
}

const gather = (book: Book, asked: Beyond | undefined): Pool => {
  const beyond = asked?.book === book ? asked : undefined
  const ownPrincipal = beyond === undefined ? 0 : book.principal[beyond.slot]!
  const ownInterest = beyond === undefined ? 0 : book.interest[beyond.slot]!
  let principal = 0
  let interest = 0
  let principalError = 0
  let interestError = 0
  let due = 0
  let smallest = Number.POSITIVE_INFINITY
  for (let j = 0; j < book.size; j++) {
    const balance = book.principal[j]! + book.interest[j]!
    principal += book.principal[j]!
    interest += book.interest[j]!
    principalError += book.principalError[j]!
    interestError += book.interestError[j]!
    due += book.principal[j]! * book.rate[j]!
    if (balance > 0) smallest = Math.min(smallest, book.principal[j]!)
  }
  return {
    principal,
    interest,
    principalError,
    interestError,
    startPrincipal: principal,
    startInterest: interest,
    rate: principal === 0 ? 0 : due / principal,
    beyond,
    ownPrincipal,
    ownInterest,
    startOwnPrincipal: ownPrincipal,
    startOwnInterest: ownInterest,
    smallestShare: principal === 0 ? 0 : smallest / principal
  }
}

/** The share that is left of each loan's principal and unpaid interest, but for the loan paid beyond what is due. */
const sharesLeft = (pool: Pool) => ({
  principalLeft: shareLeft(pool.principal - pool.ownPrincipal, pool.startPrincipal - pool.startOwnPrincipal),
  interestLeft: shareLeft(pool.interest - pool.ownInterest, pool.startInterest - pool.startOwnInterest)
})

/** Writes the pool's change back to its loans, in proportion. */
const spread = (book: Book, pool: Pool): void => {
  const { interestLeft, principalLeft } = sharesLeft(pool)
  for (let j = 0; j < book.size; j++) {
    book.principal[j]! *= principalLeft
    book.interest[j]! *= interestLeft
    book.principalError[j] = 0
    book.interestError[j] = 0
  }
  if (pool.beyond === undefined) return
  book.principal[pool.beyond.slot] = pool.ownPrincipal
  book.interest[pool.beyond.slot] = pool.ownInterest
}

const shareLeft = (after: number, start: number): number => (start === 0 ? 0 : after / start)

/** Whether a loan of the pool has fallen below half a cent. */
const hasClosing = (book: Book, pool: Pool): boolean => {
  if (pool.smallestShare * pool.principal >= CLOSED_BELOW) return false
  const { interestLeft, principalLeft } = sharesLeft(pool)
  for (let j = 0; j < book.size; j++) {
    if (j === pool.beyond?.slot) continue
    const balance = book.principal[j]! * principalLeft + book.interest[j]! * interestLeft
    if (balance < CLOSED_BELOW && book.isOpen[j] === 1) return true
  }
  return false
}

const repayPooled = (months: IncomeDrivenMonths, terms: PooledTerms): number => {
  const { book, from, tally, until } = months
  let { open } = months
  let month = from
  while (open > 0 && month < until) {
    const pool = gather(book, months.beyond)
    for (;;) {
      month =
        pool.beyond === undefined ? payPool(months, terms, pool, month, until) : payBeyond(months, terms, pool, month)
      if (month >= until || hasClosing(book, pool)) break
      if (month % MONTHS_PER_YEAR === 0) tally.leave(month, pool.principal, pool.interest)
    }
    spread(book, pool)
    open = closeDust(book, month - 1, tally)
    if (month < until && month % MONTHS_PER_YEAR === 0) recordYearEnd(book, month, tally)
  }
  return open
}

/** Runs a month, then pays one loan beyond what is due, so its share of the pool falls. Returns the next month. */
const payBeyond = (months: IncomeDrivenMonths, terms: PooledTerms, pool: Pool, month: number): number => {
  const { amount, book, slot } = pool.beyond!
  const { interest, principal } = pool
  payPool(months, terms, pool, month, month + 1)
  const ownInterest = pool.ownInterest * shareLeft(pool.interest, interest)
  const toInterest = Math.min(amount, ownInterest)
  const toPrincipal = amount - toInterest
  const due = pool.principal * pool.rate - toPrincipal * book.rate[slot]!
  pool.ownInterest = ownInterest - toInterest
  pool.ownPrincipal = pool.ownPrincipal * shareLeft(pool.principal, principal) - toPrincipal
  pool.interest = Math.max(0, pool.interest - toInterest)
  pool.principal -= toPrincipal
  pool.rate = pool.principal > 0 ? due / pool.principal : 0
  months.tally.add(month, amount, 0, 0)
  return month + 1
}

/**
 * Runs months until a loan may have closed. It moves the household and sets the payment of each year.
 * Returns the first month that was not run.
 * @law 34 CFR 685.209(h)(4); 20 U.S.C. 1087e(q)(2)
 * @rule rap-interest-waiver, rap-principal-match, rap-payment-application
 */
const payPool = (
  { household, tally }: IncomeDrivenMonths,
  { matchMax, yearly }: PooledTerms,
  pool: Pool,
  from: number,
  until: number
): number => {
  const { rate, smallestShare } = pool
  let { interest, interestError, principal, principalError } = pool
  let month = from
  for (;;) {
    const payment = yearly.in(household, month)
    const start = month
    const end = Math.min(yearAfter(start), until)
    let paid = 0
    let accrued = 0
    let waived = 0
    let matched = 0
    do {
      const due = principal * rate
      const owed = principal + interest + due
      const pay = payment < owed ? payment : owed
      const beyond = pay - due
      let toPrincipal = 0
      if (beyond < 0) waived -= beyond
      else if (beyond < interest) {
        const change = -beyond - interestError
        const after = interest + change
        interestError = after - interest - change
        interest = after
      } else {
        toPrincipal = beyond - interest
        interest = 0
        interestError = 0
      }
      let lowered = toPrincipal
      if (toPrincipal < matchMax) {
        lowered = Math.min(matchMax, pay, principal)
        matched += lowered - toPrincipal
      }
      const change = -lowered - principalError
      const after = principal + change
      principalError = after - principal - change
      principal = after
      paid += pay
      accrued += due
      month++
    } while (month < end && smallestShare * principal >= CLOSED_BELOW)
    tally.add(start, paid, accrued, waived)
    tally.matched += matched
    if (month >= until || smallestShare * principal < CLOSED_BELOW) break
    tally.leave(month, principal, interest)
  }
  pool.principal = principal
  pool.interest = interest
  pool.principalError = principalError
  pool.interestError = interestError
  return month
}

/**
 * The month loop of REPAYMENT ASSISTANCE (RAP), with its interest waiver and principal match. The
 * law applies both to all loans together, so the loans are one pool. Each month lowers the
 * principal of all loans in one proportion, and their unpaid interest in another. Kahan summation
 * keeps rounding errors from adding up over hundreds of months.
 */
import { type Book, closeDust, NEVER } from "./book.ts"
import { MONTHS_PER_YEAR, yearAfter } from "./calendar.ts"
import type { Extra } from "./extra.ts"
import { forgiveDue, nextForgiveness } from "./forgiveness.ts"
import type { IncomeDrivenMonths, IncomeDrivenTerms, SpentBy, Stretch } from "./income-driven.ts"
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
  readonly payment: Pooled["payment"]
  readonly matchMax: number
  readonly rules: SpentBy

  constructor({ matchMax, payment, rules }: Pooled) {
    this.payment = payment
    this.matchMax = matchMax
    this.rules = rules
  }

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

/** The open loans as one debt, rebuilt whenever a loan leaves. */
interface Pool {
  principal: number
  interest: number
  /** Kahan compensation: rounding errors so far, subtracted at the next change. */
  principalError: number
  interestError: number
  readonly startPrincipal: number
  readonly startInterest: number
  /** Rate per month. It is constant while all loans shrink in proportion. */
  readonly rate: number
  /** Lower bound of an open loan's share of the principal; 0 if a loan has only interest. */
  readonly smallestShare: number
}

/** @param except the slot of a loan that is kept apart, or -1 */
const gather = (book: Book, except: number): Pool => {
  let principal = 0
  let interest = 0
  let principalError = 0
  let interestError = 0
  let due = 0
  let smallest = Number.POSITIVE_INFINITY
  for (let j = 0; j < book.size; j++) {
    if (j === except) continue
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
    smallestShare: principal === 0 ? 0 : smallest / principal
  }
}

/** Total owed after the next month's accrual. */
const owedFirst = ({ interest, principal, rate }: Pool): number => principal + interest + principal * rate

/** Writes the pool's change back to its loans, in proportion. */
const spread = (book: Book, except: number, { interest, principal, startInterest, startPrincipal }: Pool): void => {
  const principalLeft = shareLeft(principal, startPrincipal)
  const interestLeft = shareLeft(interest, startInterest)
  for (let j = 0; j < book.size; j++) {
    if (j === except) continue
    book.principal[j]! *= principalLeft
    book.interest[j]! *= interestLeft
    book.principalError[j] = 0
    book.interestError[j] = 0
  }
}

const shareLeft = (after: number, start: number): number => (start === 0 ? 0 : after / start)

/** Whether a loan of the pool has fallen below half a cent. */
const hasClosing = (book: Book, except: number, pool: Pool): boolean => {
  if (pool.smallestShare * pool.principal >= CLOSED_BELOW) return false
  const principalLeft = shareLeft(pool.principal, pool.startPrincipal)
  const interestLeft = shareLeft(pool.interest, pool.startInterest)
  for (let j = 0; j < book.size; j++) {
    if (j === except) continue
    const balance = book.principal[j]! * principalLeft + book.interest[j]! * interestLeft
    if (balance < CLOSED_BELOW && book.forgivenAt[j] !== NEVER) return true
  }
  return false
}

const repayPooled = (repayment: IncomeDrivenMonths, terms: PooledTerms): number => {
  const { book, extra, from, household, tally, until } = repayment
  const apart = extra === undefined ? -1 : extra.slot
  let pool = gather(book, apart)
  let open = book.size
  let month = from
  household.enter(Math.floor(from / MONTHS_PER_YEAR))
  let payment = terms.payment()
  if (from === 0 && until > 0) tally.firstPayment += Math.min(payment, owedFirst(pool) + owedApart(book, apart))
  let forgiveness = nextForgiveness(book)
  while (open > 0 && month < until && extra?.stoppedAt !== month) {
    const stretch = { from: month, stop: Math.min(forgiveness + 1, until), payment }
    month =
      extra === undefined ? payPool(repayment, terms, pool, stretch) : payApart(repayment, terms, pool, extra, stretch)
    if (month > forgiveness || month === until || extra?.stoppedAt === month || hasClosing(book, apart, pool)) {
      spread(book, apart, pool)
      open = forgiveDue(book, month - 1, closeDust(book, month - 1, tally), tally)
      pool = gather(book, apart)
      forgiveness = nextForgiveness(book)
    }
    if (open === 0) break
    if (month % MONTHS_PER_YEAR === 0) {
      const principal = pool.principal + (apart < 0 ? 0 : book.principal[apart]!)
      tally.leave(month, principal, pool.interest + (apart < 0 ? 0 : book.interest[apart]!))
    }
    // Needed within a year, too, because `payPool` ran past the ends of years and set their payments.
    if (household.enter(Math.floor(month / MONTHS_PER_YEAR))) payment = terms.payment()
  }
  return open
}

/**
 * Runs the months until `stop`, or until a loan may have closed. It moves the household and sets the
 * payment of each year. Returns the first month that was not run.
 * @law 34 CFR 685.209(h)(4); 20 U.S.C. 1087e(q)(2)
 * @rule rap-interest-waiver, rap-principal-match, rap-payment-application
 */
const payPool = (
  { household, tally }: IncomeDrivenMonths,
  terms: PooledTerms,
  pool: Pool,
  { from, payment: paymentBefore, stop }: Stretch
): number => {
  const { matchMax } = terms
  const { rate, smallestShare } = pool
  let payment = paymentBefore
  let { interest, interestError, principal, principalError } = pool
  let month = from
  for (;;) {
    const start = month
    const end = Math.min(yearAfter(start), stop)
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
    if (month >= stop || smallestShare * principal < CLOSED_BELOW) break
    tally.leave(month, principal, interest)
    if (household.enter(month / MONTHS_PER_YEAR)) payment = terms.payment()
  }
  pool.principal = principal
  pool.interest = interest
  pool.principalError = principalError
  pool.interestError = interestError
  return month
}

/** The debt of the loan that is kept apart, after the next month's accrual; 0 if there is none. */
const owedApart = ({ interest, principal, rate }: Book, slot: number): number =>
  slot < 0 ? 0 : principal[slot]! + interest[slot]! + principal[slot]! * rate[slot]!

/**
 * The same months with an extra payment on one loan, which is kept apart from the pool because it
 * does not shrink in proportion to the others. It takes its share of every month's payment, waiver
 * and match first, and then the extra payment. The loop ends when it closes, or with the year of
 * `from`.
 * @law 34 CFR 685.209(h)(4); 20 U.S.C. 1087e(q)(2); 34 CFR 685.211(a)(1)
 * @rule rap-interest-waiver, rap-principal-match, rap-payment-application, extra-payment-order
 */
const payApart = (
  { book, tally }: IncomeDrivenMonths,
  { matchMax }: PooledTerms,
  pool: Pool,
  extra: Extra,
  stretch: Stretch
): number => {
  const { from, payment } = stretch
  const stop = Math.min(yearAfter(from), stretch.stop)
  const { amount, slot } = extra
  const rate = book.rate[slot]!
  let principal = book.principal[slot]!
  let interest = book.interest[slot]!
  let poolPrincipal = pool.principal
  let poolInterest = pool.interest
  const others = poolPrincipal + poolInterest > 0
  let paid = 0
  let accrued = 0
  let waived = 0
  let matched = 0
  let month = from
  do {
    const due = poolPrincipal * pool.rate + principal * rate
    const principals = poolPrincipal + principal
    const interests = poolInterest + interest
    const pay = Math.min(payment, principals + interests + due)
    const toInterest = Math.min(pay, due)
    const toOlder = Math.min(pay - toInterest, interests)
    const toPrincipal = pay - toInterest - toOlder
    const lowered = toPrincipal < matchMax ? Math.min(matchMax, pay, principals) : toPrincipal
    const principalLeft = principals === 0 ? 0 : Math.max(0, 1 - lowered / principals)
    const interestLeft = interests === 0 ? 0 : Math.max(0, 1 - toOlder / interests)
    poolPrincipal *= principalLeft
    poolInterest *= interestLeft
    principal *= principalLeft
    interest *= interestLeft
    paid += pay
    accrued += due
    waived += due - toInterest
    matched += lowered - toPrincipal
    month++
    const left = principal + interest
    if (left - amount < CLOSED_BELOW) {
      paid += extra.close(month - 1, left)
      principal = 0
      interest = 0
      break
    }
    const extraToInterest = Math.min(amount, interest)
    interest -= extraToInterest
    principal -= amount - extraToInterest
    paid += amount
  } while (month < stop && (!others || pool.smallestShare * poolPrincipal >= CLOSED_BELOW))
  pool.principal = poolPrincipal
  pool.interest = poolInterest
  book.principal[slot] = principal
  book.interest[slot] = interest
  tally.add(from, paid, accrued, waived)
  tally.matched += matched
  return month
}

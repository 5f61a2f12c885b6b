/**
 * The month loop of the income-driven plans that split one payment over the loans (all but RAP).
 * The payment is set once a year. Interest is simple and never capitalizes. Kahan summation keeps
 * rounding errors from adding up over hundreds of months.
 */

import type { Rule } from "../../../ledger/entry.ts"
import { idrPaymentAllocation, paymentApplicationOrder } from "../../../ledger/rules/interest.ts"
import type { Household } from "../law/household.ts"
import type { Trace } from "../law/trace.ts"
import { type Book, closeDust, NEVER, NOT_SET } from "./book.ts"
import { MONTHS_PER_YEAR, yearAfter } from "./calendar.ts"
import { type Beyond, lower, monthsWithin } from "./extra.ts"
import type { LoanMoved, MonthPaid } from "./month.ts"
import { CLOSED_BELOW } from "./rounding.ts"
import type { Tally } from "./tally.ts"

/** The terms of a plan for a book. */
export interface IncomeDrivenTerms {
  /** Monthly payment of the household in force, in dollars, before it is limited to the debt. */
  readonly payment: (trace?: Trace) => number
  readonly yearly: YearlyPayment
  /** Prepares for the loans that are due from a month on, which differ from those before. */
  readonly turn: (book: Book, month: number) => void
  /** What the loans may lose each month beyond the payment, in dollars: the match. */
  readonly matchMax: number
  /** Repays the due loans and adds the months to the tally. Returns the number of those still open. */
  readonly repay: (months: IncomeDrivenMonths) => number
  /** A loan's part of a month's payment. */
  readonly received: (all: MonthPaid, loan: LoanMoved) => number
  /** The rules by which a payment is spent on this number of loans. */
  readonly spentBy: (loans: number) => SpentBy
}

/** The rules that limit and apply a month's payment, waive interest and match principal. */
export interface SpentBy {
  readonly paid: ReadonlyArray<Rule>
  readonly applied: ReadonlyArray<Rule>
  readonly waived: Rule | null
  readonly matched?: Rule
}

const ONE_LOAN = [paymentApplicationOrder]
const SEVERAL_LOANS = [paymentApplicationOrder, idrPaymentAllocation]

/**
 * The months from now on in which the due loans surely pay the whole payment, and the one that is
 * paid beyond it stays open; interest is left out of account.
 */
export const steadyIncomeDriven = (book: Book, fallsBy: number, beyond: Beyond | undefined): number => {
  let owed = 0
  for (let slot = 0; slot < book.size; slot++) owed += book.principal[slot]! + book.interest[slot]!
  if (beyond?.book !== book) return monthsWithin(owed, fallsBy)
  return monthsWithin(book.principal[beyond.slot]! + book.interest[beyond.slot]!, fallsBy + beyond.amount)
}

/** The parameters of a plan that splits one payment; everything else is common to these plans. */
interface Split extends Pick<IncomeDrivenTerms, "payment"> {
  /** Months in which a subsidized loan's uncovered interest is waived, prior months included. */
  readonly subsidizedWaiverMonths: number
  /** The share of uncovered interest that is waived in all other months. */
  readonly waiverShare: number
  /** The rule of the waiver; null if the plan waives nothing. */
  readonly waivedBy: Rule | null
}

/**
 * Terms that split one payment over the loans in proportion to their debt. A class instead of
 * closures, because every projection creates one.
 */
export class SplitTerms implements IncomeDrivenTerms, Split {
  readonly yearly: YearlyPayment
  readonly payment: Split["payment"]
  readonly subsidizedWaiverMonths: number
  readonly waiverShare: number
  readonly waivedBy: Rule | null
  readonly matchMax = 0
  /** The month from which the waived shares have to be set anew. */
  waiverEnd = NOT_SET

  constructor({ payment, subsidizedWaiverMonths, waivedBy, waiverShare }: Split) {
    this.yearly = new YearlyPayment(payment)
    this.payment = payment
    this.subsidizedWaiverMonths = subsidizedWaiverMonths
    this.waiverShare = waiverShare
    this.waivedBy = waivedBy
  }

  turn(book: Book, month: number): void {
    this.waiverEnd = NOT_SET
    for (let j = 0; j < book.size; j++) {
      if (book.fullWaiverUntil[j] !== NOT_SET) continue
      const hasWaiver = this.subsidizedWaiverMonths > 0 && book.traits[j]!.subsidized
      book.fullWaiverUntil[j] = hasWaiver ? month + this.subsidizedWaiverMonths - book.priorIdrMonths[j]! : 0
    }
  }

  repay(months: IncomeDrivenMonths): number {
    return repayFromIncome(months, this)
  }

  received({ owed, paid }: MonthPaid, loan: LoanMoved): number {
    return (loan.owed * paid) / owed
  }

  spentBy(loans: number): SpentBy {
    const applied = loans > 1 ? SEVERAL_LOANS : ONE_LOAN
    return { paid: applied, applied, waived: this.waivedBy }
  }
}

/** A book and the months to run: `from` to `until - 1`. */
export interface IncomeDrivenMonths {
  readonly book: Book
  /** The number of due loans that are open. */
  readonly open: number
  readonly household: Household
  readonly from: number
  readonly until: number
  readonly tally: Tally
  readonly beyond?: Beyond | undefined
  /** Receives the share of each loan's uncovered interest that is waived from `from` on. */
  readonly trace?: Trace
}

/** The payment of a plan, kept for the year in which the household was last asked. */
export class YearlyPayment {
  private readonly payment: IncomeDrivenTerms["payment"]
  private year = NOT_SET
  private dollars = 0

  constructor(payment: IncomeDrivenTerms["payment"]) {
    this.payment = payment
  }

  /** In the year of a month, in dollars a month. */
  in(household: Household, month: number): number {
    const year = Math.floor(month / MONTHS_PER_YEAR)
    if (year === this.year) return this.dollars
    const differs = household.enter(year)
    if (differs || this.year === NOT_SET) this.dollars = this.payment()
    this.year = year
    return this.dollars
  }
}

const repayFromIncome = (months: IncomeDrivenMonths, terms: SplitTerms): number => {
  const { book, from, household, tally, until } = months
  let { open } = months
  let month = from
  while (open > 0 && month < until) {
    if (month >= terms.waiverEnd) terms.waiverEnd = setWaiverShares(book, month, terms, months.trace)
    const changes = Math.min(terms.waiverEnd, until)
    const payment = terms.yearly.in(household, month)
    if (book.size === 1) {
      open = payOne(months, terms, month, changes)
      month = changes
    } else {
      const stop = Math.min(changes, yearAfter(month))
      open = paySplit(book, month, stop, payment, open, tally, months.beyond)
      month = stop
    }
    if (open > 0 && month < until && month % MONTHS_PER_YEAR === 0) recordYearEnd(book, month, tally)
  }
  return open
}

/**
 * Sets each due loan's waived share from `month` on; returns the next month in which one changes.
 * @law 20 U.S.C. 1098e(b)(3)(A)   @rule idr-subsidized-interest-months, subsidized-loan-types
 */
const setWaiverShares = (book: Book, month: number, terms: SplitTerms, trace?: Trace): number => {
  const { waiverShare } = terms
  let changes = NEVER
  for (let j = 0; j < book.size; j++) {
    const full = book.fullWaiverUntil[j]!
    book.waiverShare[j] = month < full ? 1 : waiverShare
    if (month < full && full < changes) changes = full
    if (trace !== undefined) traceWaiver(trace.of(book.position[j]!), terms, book, j, month)
  }
  return changes
}

/** Traces the waived share of a loan's uncovered interest, and the subsidy month behind it. */
const traceWaiver = (loanTrace: Trace, terms: SplitTerms, book: Book, slot: number, month: number): void => {
  const { subsidizedWaiverMonths, waivedBy, waiverShare } = terms
  const counts = subsidizedWaiverMonths > 0 && book.traits[slot]!.subsidized
  if (waivedBy === null || (waiverShare === 0 && !counts)) return
  if (counts) loanTrace("subsidizedMonth", subsidizedWaiverMonths - book.fullWaiverUntil[slot]! + month + 1, waivedBy)
  loanTrace("waivedShare", book.waiverShare[slot]!, waivedBy)
}

/** Total owed on the due loans after the next month's accrual. */
export const owedNext = ({ interest, principal, rate, size }: Book): number => {
  let total = 0
  for (let j = 0; j < size; j++) total += principal[j]! + interest[j]! + principal[j]! * rate[j]!
  return total
}

/**
 * Runs months `from` to `stop - 1` of one year, of several loans. Returns the number of loans still
 * open. One function, for speed.
 * @rule interest-accrual, payment-application-order, idr-payment-allocation
 */
const paySplit = (
  book: Book,
  from: number,
  stop: number,
  payment: number,
  stillOpen: number,
  tally: Tally,
  beyond: Beyond | undefined
): number => {
  const more = beyond?.book === book ? beyond.amount : 0
  const { interest, interestError, principal, principalError, rate, size, waiverShare } = book
  let open = stillOpen
  let paid = 0
  let accrued = 0
  let waived = 0
  let total = owedNext(book)
  for (let month = from; month < stop && open > 0; month++) {
    const pay = Math.min(payment, total)
    const share = pay / total
    paid += pay
    total = 0
    let stay = 0
    for (let j = 0; j < size; j++) {
      const before = principal[j]!
      const older = interest[j]!
      const due = before * rate[j]!
      const beyond = (before + older + due) * share - due
      accrued += due
      let left: number
      if (beyond <= older) {
        const waivedHere = beyond < 0 ? -beyond * waiverShare[j]! : 0
        const change = -beyond - waivedHere - interestError[j]!
        const after = older + change
        interestError[j] = after - older - change
        interest[j] = after
        waived += waivedHere
        left = before + after
        total += left + due
      } else {
        const change = older - beyond - principalError[j]!
        left = before + change
        principalError[j] = left - before - change
        principal[j] = left
        interest[j] = 0
        interestError[j] = 0
        total += left + left * rate[j]!
      }
      if (left >= CLOSED_BELOW) stay++
    }
    if (more > 0) {
      const before = principal[beyond!.slot]!
      lower(beyond!, more)
      paid += more
      total -= more + (before - principal[beyond!.slot]!) * rate[beyond!.slot]!
    }
    if (stay < open) {
      open = closeDust(book, month, tally)
      total = owedNext(book)
    }
  }
  tally.add(from, paid, accrued, waived)
  return open
}

/**
 * The same for one due loan, over all years until `stop`: it moves the household and sets the
 * payment of each. A separate loop, for speed: decision 0012.
 */
const payOne = (
  { beyond, book, household, tally }: IncomeDrivenMonths,
  { yearly }: SplitTerms,
  from: number,
  stop: number
): number => {
  const more = beyond?.book === book ? beyond.amount : 0
  const rate = book.rate[0]!
  const waiverShare = book.waiverShare[0]!
  let principal = book.principal[0]!
  let interest = book.interest[0]!
  let principalError = book.principalError[0]!
  let interestError = book.interestError[0]!
  let month = from
  for (;;) {
    const payment = yearly.in(household, month)
    const start = month
    const end = Math.min(yearAfter(start), stop)
    let paid = 0
    let accrued = 0
    let waived = 0
    do {
      const due = principal * rate
      const owed = principal + interest + due
      const pay = Math.min(payment, owed)
      const beyond = pay - due
      accrued += due
      paid += pay
      if (beyond <= interest) {
        const waivedHere = beyond < 0 ? -beyond * waiverShare : 0
        const change = -beyond - waivedHere - interestError
        const after = interest + change
        interestError = after - interest - change
        interest = after
        waived += waivedHere
      } else {
        const change = due + (interest - pay) - principalError
        const after = principal + change
        principalError = after - principal - change
        principal = after
        interest = 0
        interestError = 0
      }
      month++
      if (more > 0) {
        const toInterest = Math.min(more, interest)
        interest -= toInterest
        if (interest === 0) interestError = 0
        const change = toInterest - more - principalError
        const after = principal + change
        principalError = after - principal - change
        principal = after
        paid += more
      }
    } while (month < end && principal + interest >= CLOSED_BELOW)
    tally.add(start, paid, accrued, waived)
    if (month >= stop || principal + interest < CLOSED_BELOW) break
    tally.leave(month, principal, interest)
  }
  book.principal[0] = principal
  book.interest[0] = interest
  book.principalError[0] = principalError
  book.interestError[0] = interestError
  return closeDust(book, month - 1, tally)
}

/**
 * Adds the balances of the due loans at the end of a year to the tally; `month` is the first of the
 * next year.
 * @param loans the number of slots, if it is not that of the due loans
 */
export const recordYearEnd = (book: Book, month: number, tally: Tally, loans = book.size): void => {
  let principal = 0
  let interest = 0
  for (let j = 0; j < loans; j++) {
    principal += book.principal[j]!
    interest += book.interest[j]!
  }
  tally.leave(month, principal, interest)
}

/**
 * The month loop of the income-driven plans that split one payment over the loans (all but RAP).
 * The payment is set once a year. Interest is simple and never capitalizes. Kahan summation keeps
 * rounding errors from adding up over hundreds of months.
 */

import type { Rule } from "../../../ledger/entry.ts"
import { idrPaymentAllocation, paymentApplicationOrder } from "../../../ledger/rules/interest.ts"
import type { Household } from "../law/household.ts"
import type { Trace } from "../law/trace.ts"
import { type Book, closeDust, NEVER } from "./book.ts"
import { MONTHS_PER_YEAR, yearAfter } from "./calendar.ts"
import type { Extra } from "./extra.ts"
import { forgiveDue, nextForgiveness } from "./forgiveness.ts"
import type { LoanMoved, MonthPaid } from "./month.ts"
import { CLOSED_BELOW } from "./rounding.ts"
import type { Tally } from "./tally.ts"

/** The terms of a plan for a book. */
export interface IncomeDrivenTerms {
  /** Monthly payment of the household in force, in dollars, before it is limited to the debt. */
  readonly payment: (trace?: Trace) => number
  /** Repays the book and adds the months to the tally. Returns the number of loans still open. */
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
  readonly payment: Split["payment"]
  readonly subsidizedWaiverMonths: number
  readonly waiverShare: number
  readonly waivedBy: Rule | null

  constructor({ payment, subsidizedWaiverMonths, waivedBy, waiverShare }: Split) {
    this.payment = payment
    this.subsidizedWaiverMonths = subsidizedWaiverMonths
    this.waiverShare = waiverShare
    this.waivedBy = waivedBy
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
  readonly household: Household
  readonly from: number
  readonly until: number
  readonly tally: Tally
  /** The extra payments on a loan of the book. The loop ends when it closes. */
  readonly extra?: Extra | undefined
  /** Receives the share of each loan's uncovered interest that is waived from `from` on. */
  readonly trace?: Trace
}

/** Months `from` to `stop - 1`. */
export interface Stretch {
  readonly from: number
  readonly stop: number
  /** The payment in the year of `from`, in dollars a month. */
  readonly payment: number
}

const repayFromIncome = (repayment: IncomeDrivenMonths, terms: SplitTerms): number => {
  const { book, extra, from, household, tally, until } = repayment
  setFullWaiverMonths(book, terms.subsidizedWaiverMonths)
  let open = book.size
  let month = from
  household.enter(Math.floor(from / MONTHS_PER_YEAR))
  let payment = terms.payment()
  if (from === 0 && until > 0) tally.firstPayment += Math.min(payment, owedNext(book))
  let waiverEnd = setWaiverShares(book, month, terms, repayment.trace)
  let forgiveness = nextForgiveness(book)
  while (open > 0 && month < until && extra?.stoppedAt !== month) {
    const changes = Math.min(waiverEnd, forgiveness + 1, until)
    const stop = book.size === 1 ? changes : Math.min(changes, yearAfter(month))
    open =
      book.size === 1
        ? payOne(repayment, terms, { from: month, stop, payment })
        : paySplit(book, month, stop, payment, open, tally, extra)
    month = extra === undefined ? stop : Math.min(stop, extra.stoppedAt)
    if (month === waiverEnd) waiverEnd = setWaiverShares(book, month, terms)
    if (month > forgiveness) {
      open = forgiveDue(book, forgiveness, open, tally)
      forgiveness = nextForgiveness(book)
    }
    if (open === 0) break
    if (month % MONTHS_PER_YEAR === 0) recordYearEnd(book, month, tally)
    // Needed within a year, too, because `payOne` ran past the ends of years and set their payments.
    if (household.enter(Math.floor(month / MONTHS_PER_YEAR))) payment = terms.payment()
  }
  return open
}

/** @law 20 U.S.C. 1098e(b)(3)(A)   @rule idr-subsidized-interest-months, subsidized-loan-types */
const setFullWaiverMonths = (book: Book, subsidizedWaiverMonths: number): void => {
  for (let j = 0; j < book.size; j++) {
    book.fullWaiverMonths[j] = book.traits[j]!.subsidized ? subsidizedWaiverMonths - book.priorIdrMonths[j]! : 0
  }
}

/** Sets each loan's waived share from `month` on; returns the next month in which one changes. */
const setWaiverShares = (book: Book, month: number, terms: SplitTerms, trace?: Trace): number => {
  const { waiverShare } = terms
  let changes = NEVER
  for (let j = 0; j < book.size; j++) {
    const full = book.fullWaiverMonths[j]!
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
  if (counts) loanTrace("subsidizedMonth", book.priorIdrMonths[slot]! + month + 1, waivedBy)
  loanTrace("waivedShare", book.waiverShare[slot]!, waivedBy)
}

/** Total owed on all loans after the next month's accrual. */
const owedNext = ({ interest, principal, rate, size }: Book): number => {
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
  extra: Extra | undefined
): number => {
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
    if (extra !== undefined) {
      paid += extra.pay(book, month)
      total = owedNext(book)
      if (extra.stoppedAt === month + 1) {
        open = closeDust(book, month, tally)
        break
      }
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
 * The same for a book of one loan, over all years until `stop`. It moves the household and sets
 * each year's payment. It also makes the extra payment. A separate loop, for speed (decision 0012).
 */
const payOne = (
  { book, extra, household, tally }: IncomeDrivenMonths,
  terms: SplitTerms,
  { from, payment: paymentBefore, stop }: Stretch
): number => {
  const amount = extra === undefined ? 0 : extra.amount
  const rate = book.rate[0]!
  const waiverShare = book.waiverShare[0]!
  let principal = book.principal[0]!
  let interest = book.interest[0]!
  let principalError = book.principalError[0]!
  let interestError = book.interestError[0]!
  let payment = paymentBefore
  let month = from
  for (;;) {
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
      if (amount > 0) {
        const left = principal + interest
        if (left - amount < CLOSED_BELOW) {
          paid += extra!.close(month - 1, left)
          principal = 0
          interest = 0
          break
        }
        const toInterest = Math.min(amount, interest)
        interest -= toInterest
        const change = toInterest - amount - principalError
        const after = principal + change
        principalError = after - principal - change
        principal = after
        paid += amount
      }
    } while (month < end && principal + interest >= CLOSED_BELOW)
    tally.add(start, paid, accrued, waived)
    if (month >= stop || principal + interest < CLOSED_BELOW) break
    tally.leave(month, principal, interest)
    if (household.enter(month / MONTHS_PER_YEAR)) payment = terms.payment()
  }
  book.principal[0] = principal
  book.interest[0] = interest
  book.principalError[0] = principalError
  book.interestError[0] = interestError
  return closeDust(book, month - 1, tally)
}

/** Adds the balances at the end of a year to the tally; `month` is the first of the next year. */
const recordYearEnd = (book: Book, month: number, tally: Tally): void => {
  let principal = 0
  let interest = 0
  for (let j = 0; j < book.size; j++) {
    principal += book.principal[j]!
    interest += book.interest[j]!
  }
  tally.leave(month, principal, interest)
}

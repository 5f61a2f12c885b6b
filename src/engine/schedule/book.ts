/**
 * The loan book: the loans of a request as columns of numbers, with one slot per loan. A request
 * fills two books: the loans that the plan takes, and the others. A loan with a balance below half
 * a cent is ignored everywhere.
 */
import type { Loan } from "../../../schema/loan.ts"
import type { LoanTraits } from "../law/loan-types.ts"
import { MONTHS_PER_YEAR } from "./calendar.ts"
import { CLOSED_BELOW } from "./rounding.ts"
import type { Tally } from "./tally.ts"

/**
 * A month index that is never reached. `NEVER + 1` still fits in 32 bits, so loops count in
 * integers.
 */
export const NEVER = 2 ** 31 - 2
/** In place of a month that is not known yet. */
export const NOT_SET = -1

/** What a due month counts for. */
const COUNTS = ["rap", "other", "incomeDriven", "pslf"] as const
export const Counts = Object.fromEntries(COUNTS.map((name, bit) => [name, 1 << bit])) as Readonly<
  Record<(typeof COUNTS)[number], number>
>

export class Book {
  /** All loans of the book, in the slots from 0 on. */
  held = 0
  /** The loans that are due, in the first slots. Paused loans stand behind them. */
  size = 0
  /** Total of `balance`, so loans that were moved here count with their debt at the start. */
  total = 0
  principal = new Float64Array(0)
  interest = new Float64Array(0)
  /** Rate per month. */
  rate = new Float64Array(0)
  original = new Float64Array(0)
  /** Principal plus unpaid interest at the start, and that principal. */
  balance = new Float64Array(0)
  startPrincipal = new Float64Array(0)
  priorIdrMonths = new Float64Array(0)
  pslfCount = new Float64Array(0)
  /** Position in the request. */
  position = new Float64Array(0)
  /** By slot, like the columns; entries past `held` are stale. */
  readonly traits: Array<LoanTraits> = []
  /** The distinct traits of the book's loans. */
  readonly kinds: Array<LoanTraits> = []
  /** 1 until the loan is paid off or forgiven. */
  isOpen = new Float64Array(0)
  /** What a due month of the loan counts for under its plan: a set of `Counts`. */
  counts = new Float64Array(0)
  /** Due months so far: all, those toward REPAYMENT ASSISTANCE, those toward other plans, PSLF. */
  dueMonths = new Float64Array(0)
  rapMonths = new Float64Array(0)
  otherMonths = new Float64Array(0)
  servedMonths = new Float64Array(0)
  /** Due months under an income-driven plan. */
  incomeDrivenMonths = new Float64Array(0)
  /** Interest that accrued in the pause in force, in dollars. */
  pausedInterest = new Float64Array(0)
  /** Fixed plans: the first month after the term; months of the term that were already counted. */
  monthsLeft = new Float64Array(0)
  monthsBehind = new Float64Array(0)
  /** Fixed plans: the month from which the payments are set, or `NOT_SET`. */
  setIn = new Float64Array(0)
  /** Fixed plans: payment of the current level, in dollars a month. */
  payment = new Float64Array(0)
  /** Fixed plans: payment of a level divided by the payment of the previous level. */
  levelRatio = new Float64Array(0)
  /** The first month whose uncovered interest (what the payment does not cover) is not all waived, or `NOT_SET`. */
  fullWaiverUntil = new Float64Array(0)
  /** Months of that waiver that were left when its plan was last left, or `NOT_SET`. */
  waiverLeft = new Float64Array(0)
  /** The share of uncovered interest that is waived in the current months. */
  waiverShare = new Float64Array(0)
  /** Kahan compensation: the rounding error of each balance, subtracted at the next change. */
  principalError = new Float64Array(0)
  interestError = new Float64Array(0)
  private columns: ReadonlyArray<Float64Array> = []

  clear(capacity: number): void {
    this.held = 0
    this.size = 0
    this.total = 0
    // Setting the length to 0 would free memory that the next projection needs.
    while (this.kinds.length > 0) this.kinds.pop()
    if (this.principal.length >= capacity) return
    this.principal = new Float64Array(capacity)
    this.interest = new Float64Array(capacity)
    this.rate = new Float64Array(capacity)
    this.original = new Float64Array(capacity)
    this.balance = new Float64Array(capacity)
    this.startPrincipal = new Float64Array(capacity)
    this.priorIdrMonths = new Float64Array(capacity)
    this.pslfCount = new Float64Array(capacity)
    this.position = new Float64Array(capacity)
    this.isOpen = new Float64Array(capacity)
    this.counts = new Float64Array(capacity)
    this.dueMonths = new Float64Array(capacity)
    this.rapMonths = new Float64Array(capacity)
    this.otherMonths = new Float64Array(capacity)
    this.servedMonths = new Float64Array(capacity)
    this.incomeDrivenMonths = new Float64Array(capacity)
    this.pausedInterest = new Float64Array(capacity)
    this.setIn = new Float64Array(capacity)
    this.monthsLeft = new Float64Array(capacity)
    this.monthsBehind = new Float64Array(capacity)
    this.payment = new Float64Array(capacity)
    this.levelRatio = new Float64Array(capacity)
    this.fullWaiverUntil = new Float64Array(capacity)
    this.waiverLeft = new Float64Array(capacity)
    this.waiverShare = new Float64Array(capacity)
    this.principalError = new Float64Array(capacity)
    this.interestError = new Float64Array(capacity)
    this.columns = [
      ...[this.principal, this.interest, this.rate, this.original, this.balance, this.principalError],
      ...[
        this.startPrincipal,
        this.interestError,
        this.payment,
        this.levelRatio,
        this.waiverShare,
        this.pausedInterest
      ],
      ...[this.priorIdrMonths, this.pslfCount, this.position, this.isOpen, this.dueMonths, this.servedMonths],
      ...[this.rapMonths, this.otherMonths, this.incomeDrivenMonths, this.waiverLeft],
      ...[this.counts, this.monthsLeft, this.monthsBehind, this.setIn, this.fullWaiverUntil]
    ]
  }

  add(loan: Loan, traits: LoanTraits, position: number): void {
    const slot = this.begin()
    this.principal[slot] = loan.principalBalance
    this.interest[slot] = loan.interestBalance
    this.rate[slot] = loan.interestRate / MONTHS_PER_YEAR
    this.original[slot] = loan.disbursedAmount === 0 ? loan.principalBalance : loan.disbursedAmount
    this.priorIdrMonths[slot] = loan.idrMonthsInRepayment
    this.pslfCount[slot] = loan.pslfCount
    this.position[slot] = position
    this.traits[slot] = traits
    this.dueMonths[slot] = 0
    this.rapMonths[slot] = 0
    this.otherMonths[slot] = 0
    this.servedMonths[slot] = 0
    this.incomeDrivenMonths[slot] = 0
    this.pausedInterest[slot] = 0
    this.monthsBehind[slot] = 0
    this.setIn[slot] = NOT_SET
    this.fullWaiverUntil[slot] = NOT_SET
    this.waiverLeft[slot] = NOT_SET
    this.principalError[slot] = 0
    this.interestError[slot] = 0
    this.balance[slot] = loan.principalBalance + loan.interestBalance
    this.startPrincipal[slot] = loan.principalBalance
    this.total += this.balance[slot]!
    if (!this.kinds.includes(traits)) this.kinds.push(traits)
  }

  /** Adds a loan of another book as it is. */
  copy(from: Book, other: number): void {
    const slot = this.begin()
    for (let column = 0; column < this.columns.length; column++)
      this.columns[column]![slot] = from.columns[column]![other]!
    this.traits[slot] = from.traits[other]!
    this.total += this.balance[slot]!
    if (!this.kinds.includes(this.traits[slot]!)) this.kinds.push(this.traits[slot]!)
  }

  /** Exchanges two loans. */
  swap(one: number, other: number): void {
    if (one === other) return
    for (const column of this.columns) {
      const kept = column[one]!
      column[one] = column[other]!
      column[other] = kept
    }
    const kept = this.traits[one]!
    this.traits[one] = this.traits[other]!
    this.traits[other] = kept
  }

  /** The slot of a further loan, which is due and open. */
  private begin(): number {
    const slot = this.held++
    this.size = this.held
    this.isOpen[slot] = 1
    return slot
  }
}

/** Moves the open loans that `belongs` accepts to another book, which is emptied first. */
export const moveLoans = (from: Book, to: Book, belongs: (traits: LoanTraits) => boolean): void => {
  to.clear(from.held)
  for (let slot = 0; slot < from.held; slot++) {
    if (from.isOpen[slot] === 0 || !belongs(from.traits[slot]!)) continue
    to.copy(from, slot)
    closeLoan(from, slot)
  }
}

/** Closes a loan, so that its balance is 0 from now on. */
export const closeLoan = (book: Book, slot: number): void => {
  book.principal[slot] = 0
  book.interest[slot] = 0
  book.principalError[slot] = 0
  book.interestError[slot] = 0
  book.isOpen[slot] = 0
}

/**
 * Closes the open loans with less than half a cent left. Returns the number of loans still open.
 */
export const closeDust = (book: Book, month: number, tally: Tally): number => {
  let open = 0
  for (let j = 0; j < book.size; j++) {
    if (book.principal[j]! + book.interest[j]! >= CLOSED_BELOW) open++
    else if (book.isOpen[j] === 1) {
      closeLoan(book, j)
      tally.endedIn(month)
    }
  }
  return open
}

/** Records balances still open after the last month. */
export const recordUnfinished = (book: Book, tally: Tally): void => {
  tally.unfinished = true
  for (let j = 0; j < book.held; j++) {
    tally.openPrincipal += book.principal[j]!
    tally.openInterest += book.interest[j]!
  }
}

/** Principal plus unpaid interest of a loan as sent. */
export const balanceOf = (loan: Loan): number => loan.principalBalance + loan.interestBalance

export const isEmpty = (loan: Loan): boolean => balanceOf(loan) < CLOSED_BELOW

/** The loans of a request, split by whether the plan takes them. */
export interface Books {
  readonly inPlan: Book
  /** Loans that the plan cannot take, which are repaid on STANDARD. */
  readonly outsidePlan: Book
  /** Loans of the plan that moved to its successors when it ended, by the successors' rank. */
  readonly passed: ReadonlyArray<Book>
  /** The books after changes of plan, in turn. */
  readonly anew: ReadonlyArray<{ readonly own: Book; readonly beside: Book }>
}

/** Whether any kind of loan in the book satisfies a predicate. */
export const someKind = ({ kinds }: Book, holds: (traits: LoanTraits) => boolean): boolean => {
  for (let kind = 0; kind < kinds.length; kind++) if (holds(kinds[kind]!)) return true
  return false
}

/** Whether any loan of the book, given by its slot, satisfies a predicate. */
export const someLoan = (book: Book, holds: (slot: number) => boolean): boolean => {
  for (let slot = 0; slot < book.size; slot++) if (holds(slot)) return true
  return false
}

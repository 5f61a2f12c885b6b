/**
 * The loan book as columns of numbers, split into the loans that the plan takes and those repaid beside it. A loan under
 * half a cent is left out of every rule. Which loans a plan takes, amounts and months are decided elsewhere.
 */
import type { Loan } from "../../../schema/loan.ts"
import type { LoanTraits } from "../law/loan-types.ts"
import { MONTHS_PER_YEAR } from "./calendar.ts"
import { CLOSED_BELOW } from "./rounding.ts"
import type { Tally } from "./tally.ts"

/** A month index that never comes. The month after it is a small integer too, so that loops count in integers. */
export const NEVER = 2 ** 31 - 2

export class Book {
  size = 0
  /** Principal plus unpaid interest at the start, all loans. */
  total = 0
  principal = new Float64Array(0)
  interest = new Float64Array(0)
  /** Rate per month. */
  rate = new Float64Array(0)
  original = new Float64Array(0)
  priorIdrMonths = new Int32Array(0)
  pslfCount = new Int32Array(0)
  /** Position in the request. */
  position = new Int32Array(0)
  /** By slot, like the columns; past `size` they are of an earlier projection. */
  readonly traits: Array<LoanTraits> = []
  /** The traits found in the book, each once. */
  readonly kinds: Array<LoanTraits> = []
  /** Month at whose end the loan is forgiven, or `NEVER`. */
  forgivenAt = new Int32Array(0)
  /** 1 where that forgiveness is Public Service Loan Forgiveness. */
  forgivenAsPslf = new Uint8Array(0)
  /** Fixed plans: payments left, and the payment of the first level in dollars a month. */
  monthsLeft = new Int32Array(0)
  payment = new Float64Array(0)
  /** Each level's payment over the one before. */
  levelRatio = new Float64Array(0)
  /** Months for which all uncovered interest is waived, and the share waived in the months at hand. */
  fullWaiverMonths = new Int32Array(0)
  waiverShare = new Float64Array(0)
  /** What rounding has added to each balance so far; taken back by the next change, so that months do not add errors. */
  principalError = new Float64Array(0)
  interestError = new Float64Array(0)

  clear(capacity: number): void {
    this.size = 0
    this.total = 0
    // One by one: setting the length would throw the memory away, for every projection.
    while (this.kinds.length > 0) this.kinds.pop()
    if (this.principal.length >= capacity) return
    this.principal = new Float64Array(capacity)
    this.interest = new Float64Array(capacity)
    this.rate = new Float64Array(capacity)
    this.original = new Float64Array(capacity)
    this.priorIdrMonths = new Int32Array(capacity)
    this.pslfCount = new Int32Array(capacity)
    this.position = new Int32Array(capacity)
    this.forgivenAt = new Int32Array(capacity)
    this.forgivenAsPslf = new Uint8Array(capacity)
    this.monthsLeft = new Int32Array(capacity)
    this.payment = new Float64Array(capacity)
    this.levelRatio = new Float64Array(capacity)
    this.fullWaiverMonths = new Int32Array(capacity)
    this.waiverShare = new Float64Array(capacity)
    this.principalError = new Float64Array(capacity)
    this.interestError = new Float64Array(capacity)
  }

  add(loan: Loan, traits: LoanTraits, position: number): void {
    const slot = this.size++
    this.principal[slot] = loan.principalBalance
    this.interest[slot] = loan.interestBalance
    this.rate[slot] = loan.interestRate / MONTHS_PER_YEAR
    this.original[slot] = loan.disbursedAmount === 0 ? loan.principalBalance : loan.disbursedAmount
    this.priorIdrMonths[slot] = loan.idrMonthsInRepayment
    this.pslfCount[slot] = loan.pslfCount
    this.position[slot] = position
    this.traits[slot] = traits
    this.forgivenAt[slot] = NEVER
    this.principalError[slot] = 0
    this.interestError[slot] = 0
    this.total += loan.principalBalance + loan.interestBalance
    if (!this.kinds.includes(traits)) this.kinds.push(traits)
  }

  /** Adds a loan of another book as it stands there. Its forgiveness is not dated. */
  copy(from: Book, other: number): void {
    const slot = this.size++
    this.principal[slot] = from.principal[other]!
    this.interest[slot] = from.interest[other]!
    this.rate[slot] = from.rate[other]!
    this.original[slot] = from.original[other]!
    this.priorIdrMonths[slot] = from.priorIdrMonths[other]!
    this.pslfCount[slot] = from.pslfCount[other]!
    this.position[slot] = from.position[other]!
    this.traits[slot] = from.traits[other]!
    this.principalError[slot] = from.principalError[other]!
    this.interestError[slot] = from.interestError[other]!
    this.total += this.principal[slot]! + this.interest[slot]!
    if (!this.kinds.includes(this.traits[slot]!)) this.kinds.push(this.traits[slot]!)
  }
}

/** Moves the open loans of a book that `belongs` picks to another, which is emptied first. */
export const moveLoans = (from: Book, to: Book, belongs: (traits: LoanTraits) => boolean): void => {
  to.clear(from.size)
  for (let slot = 0; slot < from.size; slot++) {
    if (from.forgivenAt[slot] === NEVER || !belongs(from.traits[slot]!)) continue
    to.copy(from, slot)
    closeLoan(from, slot)
  }
}

/** Ends a loan: from now on it counts as nothing. */
export const closeLoan = (book: Book, slot: number): void => {
  book.principal[slot] = 0
  book.interest[slot] = 0
  book.principalError[slot] = 0
  book.interestError[slot] = 0
  book.forgivenAt[slot] = NEVER
}

/** Closes the loans below half a cent that are open until some month; returns how many are still open. */
export const closeDust = (book: Book, month: number, tally: Tally): number => {
  let open = 0
  for (let j = 0; j < book.size; j++) {
    if (book.principal[j]! + book.interest[j]! >= CLOSED_BELOW) open++
    else if (book.forgivenAt[j] !== NEVER) {
      closeLoan(book, j)
      tally.endedIn(month)
    }
  }
  return open
}

/** The months ran out with balances open. */
export const recordUnfinished = (book: Book, tally: Tally): void => {
  tally.unfinished = true
  for (let j = 0; j < book.size; j++) {
    tally.openPrincipal += book.principal[j]!
    tally.openInterest += book.interest[j]!
  }
}

/** The balance of a loan as sent: principal plus unpaid interest. */
export const balanceOf = (loan: Loan): number => loan.principalBalance + loan.interestBalance

export const isEmpty = (loan: Loan): boolean => balanceOf(loan) < CLOSED_BELOW

/** The loans of a request, split by what the plan takes. */
export interface Books {
  readonly inPlan: Book
  /** Loans that the plan cannot take. They are repaid beside it on STANDARD. */
  readonly outsidePlan: Book
  /** Own loans that have passed to a successor of the plan. */
  readonly passed: Book
}

/** Whether a kind of loan of the book has a trait. */
export const someKind = ({ kinds }: Book, holds: (traits: LoanTraits) => boolean): boolean => {
  for (let kind = 0; kind < kinds.length; kind++) if (holds(kinds[kind]!)) return true
  return false
}

/** Whether something holds of a loan of the book, given by its slot. */
export const someLoan = (book: Book, holds: (slot: number) => boolean): boolean => {
  for (let slot = 0; slot < book.size; slot++) if (holds(slot)) return true
  return false
}

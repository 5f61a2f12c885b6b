/**
 * Extra payments, which come after each month's payments due. All goes to one loan until it closes;
 * the rest of that month goes to the next loan.
 * @law 34 CFR 685.211(a)(1), 682.209(b)(1)   @rule extra-payment-order
 */
import { type Book, closeLoan, NEVER } from "./book.ts"
import { MONTHS_PER_YEAR } from "./calendar.ts"
import { CLOSED_BELOW } from "./rounding.ts"
import type { Tally } from "./tally.ts"

/** The extra payments of one loan, made by the loop that runs its months. */
export class Extra {
  /** Dollars a month. */
  readonly amount: number
  /** The loan's slot in its book. */
  readonly slot: number
  /** The first month after the one in which the loan closed, or `NEVER`. */
  stoppedAt = NEVER
  /** The rest of the extra payment that the loan did not take in its last month. */
  spill = 0

  constructor(amount: number, slot: number) {
    this.amount = amount
    this.slot = slot
  }

  /** Makes a month's extra payment: unpaid interest, then principal. Returns the amount taken. */
  pay({ interest, principal, principalError }: Book, month: number): number {
    const { amount, slot } = this
    const left = principal[slot]! + interest[slot]!
    if (left - amount < CLOSED_BELOW) {
      principal[slot] = 0
      interest[slot] = 0
      return this.close(month, left)
    }
    const toInterest = Math.min(amount, interest[slot]!)
    interest[slot]! -= toInterest
    const change = toInterest - amount - principalError[slot]!
    const after = principal[slot]! + change
    principalError[slot] = after - principal[slot]! - change
    principal[slot] = after
    return amount
  }

  /**
   * Records that the loan closes in a month, with `left` owed after the payment due. Returns the
   * extra payment that it takes, which is 0 if the payment due closed it.
   */
  close(month: number, left: number): number {
    const taken = left < CLOSED_BELOW ? 0 : Math.min(left, this.amount)
    this.stoppedAt = month + 1
    this.spill = this.amount - taken
    return taken
  }
}

/** An open loan, by its book and slot. */
export interface OpenLoan {
  readonly book: Book
  readonly slot: number
}

const balanceOf = ({ book, slot }: OpenLoan): number => book.principal[slot]! + book.interest[slot]!

/** Whether a loan comes before another: the higher rate first, then the order of the request. */
const comesBefore = (one: OpenLoan, other: OpenLoan): boolean => {
  const difference = one.book.rate[one.slot]! - other.book.rate[other.slot]!
  return difference > 0 || (difference === 0 && one.book.position[one.slot]! < other.book.position[other.slot]!)
}

/** The open loan to which an extra payment goes first; undefined if none is open. */
export const firstForExtra = (books: ReadonlyArray<Book>): OpenLoan | undefined => {
  let first: OpenLoan | undefined
  for (const book of books) {
    for (let slot = 0; slot < book.size; slot++) {
      const loan = { book, slot }
      if (balanceOf(loan) >= CLOSED_BELOW && (first === undefined || comesBefore(loan, first))) first = loan
    }
  }
  return first
}

/**
 * Lowers the balances at the end of a month that the loops have already run. If the month ends a
 * year, corrects the tally.
 */
export const lower = ({ book, slot }: OpenLoan, month: number, amount: number, tally: Tally): void => {
  const toInterest = Math.min(amount, book.interest[slot]!)
  const toPrincipal = Math.min(amount - toInterest, book.principal[slot]!)
  book.interest[slot]! -= toInterest
  book.principal[slot]! -= toPrincipal
  if ((month + 1) % MONTHS_PER_YEAR === 0) tally.leave(month + 1, -toPrincipal, -toInterest)
}

/** Pays an amount on the open loans in order, at the end of a month. Returns each loan's share. */
export const payExtra = (
  books: ReadonlyArray<Book>,
  amount: number,
  month: number,
  tally: Tally
): ReadonlyArray<OpenLoan & { readonly taken: number }> => {
  const paid: Array<OpenLoan & { readonly taken: number }> = []
  let left = amount
  while (left > 0) {
    const loan = firstForExtra(books)
    if (loan === undefined) break
    const owed = balanceOf(loan)
    const taken = Math.min(left, owed)
    left -= taken
    lower(loan, month, taken, tally)
    tally.add(month, taken, 0, 0)
    paid.push({ ...loan, taken })
    if (balanceOf(loan) >= CLOSED_BELOW) break
    lower(loan, month, balanceOf(loan), tally)
    closeLoan(loan.book, loan.slot)
    tally.endedIn(month)
  }
  return paid
}

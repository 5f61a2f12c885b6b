/**
 * Time-based forgiveness and PSLF, by counts: each due month adds to a loan's count of income-driven
 * months, and to its count of payments under public service.
 * @law 34 CFR 685.209(k); 685.219(e)(1)   @rule pslf-terms, idr-forgiveness-count, loan-programs
 */
import { type Book, Counts, closeLoan, NEVER } from "./book.ts"
import type { Tally } from "./tally.ts"

/** What forgives the loans of a group. */
export interface Forgiving {
  /** Months to forgiveness, prior ones included; `NEVER` under a fixed plan. */
  readonly planMonths: number
  /** Whether the count of REPAYMENT ASSISTANCE is asked, not that of the other plans. */
  readonly isRap: boolean
  /** Payments to PSLF, or `NEVER` while there is no public service. */
  payments: number
}

/** Due months until PSLF, at least one, or `NEVER`. */
export const monthsToPslf = (book: Book, slot: number, { payments }: Forgiving): number =>
  payments === NEVER || (book.counts[slot]! & Counts.pslf) === 0
    ? NEVER
    : Math.max(1, payments - book.pslfCount[slot]! - book.servedMonths[slot]!)

/** Due months until time-based forgiveness, at least one, or `NEVER`. */
export const monthsToTimeBased = (book: Book, slot: number, { isRap, planMonths }: Forgiving): number =>
  planMonths === NEVER
    ? NEVER
    : Math.max(1, planMonths - book.priorIdrMonths[slot]! - (isRap ? book.rapMonths : book.otherMonths)[slot]!)

/** Due months until the next forgiveness in a book, or `NEVER`. */
export const monthsToForgiveness = (book: Book, forgiving: Forgiving): number => {
  let next = NEVER
  for (let slot = 0; slot < book.size; slot++) {
    if (book.isOpen[slot] === 0) continue
    next = Math.min(next, monthsToTimeBased(book, slot, forgiving), monthsToPslf(book, slot, forgiving))
  }
  return next
}

/** As what a loan is forgiven at the end of a month in which it is due; undefined if it is not. */
export const forgivenAs = (book: Book, slot: number, forgiving: Forgiving): "Pslf" | "TimeBased" | undefined => {
  if (monthsToPslf(book, slot, forgiving) === 1) return "Pslf"
  return monthsToTimeBased(book, slot, forgiving) === 1 ? "TimeBased" : undefined
}

/**
 * Counts due months of a book's due loans.
 * @param atTenYears the months of REPAYMENT ASSISTANCE among them that count toward other plans
 */
export const countMonths = (book: Book, { payments }: Forgiving, months: number, atTenYears: number): void => {
  for (let slot = 0; slot < book.size; slot++) {
    const counts = book.counts[slot]!
    book.dueMonths[slot]! += months
    if ((counts & Counts.rap) !== 0) book.rapMonths[slot]! += months
    book.otherMonths[slot]! += (counts & Counts.other) === 0 ? atTenYears : months
    if ((counts & Counts.incomeDriven) !== 0) book.incomeDrivenMonths[slot]! += months
    if (payments !== NEVER && (counts & Counts.pslf) !== 0) book.servedMonths[slot]! += months
  }
}

/** Forgives the loans whose last month this is. Those before it are counted, this one is not. */
export const forgive = (book: Book, forgiving: Forgiving, month: number, tally: Tally): void => {
  for (let slot = 0; slot < book.size; slot++) {
    const as = book.isOpen[slot] === 1 ? forgivenAs(book, slot, forgiving) : undefined
    if (as === undefined) continue
    tally.forgive(month, book.principal[slot]! + book.interest[slot]!, as === "Pslf")
    tally.endedIn(month)
    closeLoan(book, slot)
  }
}

/**
 * The effect of one month on each loan, derived from the balances before and after it. The loops of
 * a projection run the month, so no formula is repeated here.
 */
import type { ForgivenessType } from "../../../schema/projection.ts"
import { type Book, closeDust, someLoan } from "./book.ts"
import { MONTHS_PER_YEAR } from "./calendar.ts"
import { type Forgiving, forgivenAs } from "./forgiveness.ts"
import { beyondRounding, CLOSED_BELOW } from "./rounding.ts"
import type { Tally } from "./tally.ts"

/** The amounts owed, accrued and paid in a month, for one loan or a book, in dollars. */
export interface MonthPaid {
  readonly owed: number
  readonly accrued: number
  readonly paid: number
}

/** The month of one loan before its part of the payment is known. */
export interface LoanMoved extends Omit<MonthPaid, "paid"> {
  readonly toUnpaidInterest: number
  readonly toPrincipal: number
}

/** The month of one loan, in unrounded dollars. */
export interface LoanMonth {
  /** Position in the request. */
  readonly loan: number
  /** At the start of the month. */
  readonly principal: number
  readonly unpaidInterest: number
  readonly owed: number
  readonly payment: number
  readonly interestAccrued: number
  /** Parts of the payment: this month's interest, older unpaid interest, principal. */
  readonly toInterest: number
  readonly toUnpaidInterest: number
  readonly toPrincipal: number
  /** The month's uncovered interest: waived, or added to the unpaid interest. */
  readonly interestWaived: number
  readonly interestAdded: number
  readonly principalMatched: number
  /** Forgiven at the end of the month. */
  readonly forgiven: number
  readonly forgivenessType: Exclude<ForgivenessType, "Teacher">
  readonly principalLeft: number
  readonly interestLeft: number
}

export interface OneMonth {
  readonly book: Book
  readonly month: number
  readonly tally: Tally
  /** What forgives loans of the book at the end of the month. */
  readonly forgiving: Forgiving
  /** Runs the month: changes the balances of the due loans and adds to the tally. */
  readonly run: () => void
  /** A loan's part of the payment. */
  readonly received: (all: MonthPaid, loan: LoanMoved, slot: number) => number
}

/** The balances of a loan before and after the month's payment. */
export interface Moved {
  readonly accrued: number
  readonly principal: number
  readonly interest: number
  readonly principalLeft: number
  readonly interestLeft: number
}

const sumOf = <A>(items: ReadonlyArray<A>, value: (item: A) => number): number =>
  items.reduce((sum, item) => sum + value(item), 0)

const owedOn = ({ accrued, interest, principal }: Moved): number => principal + interest + accrued

/** Runs the month, and closes dust only after it, so that balances show the payment alone. */
const movesOf = ({ book, month, run, tally }: OneMonth): ReadonlyArray<Moved> => {
  const principal = book.principal.slice(0, book.size)
  const interest = book.interest.slice(0, book.size)
  const isOpen = book.isOpen.slice(0, book.size)
  book.isOpen.fill(0, 0, book.size)
  tally.reset()
  run()
  book.isOpen.set(isOpen)
  const moves = Array.from(principal, (before, slot) => ({
    accrued: before * book.rate[slot]!,
    principal: before,
    interest: interest[slot]!,
    principalLeft: book.principal[slot]!,
    interestLeft: book.interest[slot]!
  }))
  closeDust(book, month, tally)
  return moves
}

/** The month of all loans together. */
interface AllLoans extends MonthPaid {
  /** The share of the month's reduction of principal that the match paid. */
  readonly matchedShare: number
}

/** The effect of a month's payment on a book, before the extra payment and the forgiveness. */
export interface MonthRun extends OneMonth {
  readonly moves: ReadonlyArray<Moved>
  readonly all: AllLoans
}

/** A loan's payment, its parts, and the match. */
const paymentOf = ({ received }: OneMonth, all: AllLoans, moved: Moved, slot: number) => {
  const { accrued, interest, interestLeft, principal, principalLeft } = moved
  const owed = owedOn(moved)
  const older = Math.max(0, interest - interestLeft)
  const lowered = beyondRounding(principal - principalLeft, owed)
  const principalMatched = lowered * all.matchedShare
  const paidDown = beyondRounding(lowered - principalMatched, owed)
  const payment = received(all, { owed, accrued, toUnpaidInterest: older, toPrincipal: paidDown }, slot)
  const toInterest = Math.min(accrued, payment)
  // Dust below half a cent disappears when a loan closes; no payment covered it.
  const toUnpaidInterest = Math.min(older, payment - toInterest)
  const toPrincipal = beyondRounding(payment - toInterest - toUnpaidInterest, owed)
  return { payment, toInterest, toUnpaidInterest, toPrincipal, principalMatched }
}

/** The remaining balance of a loan, which is 0 below half a cent or if forgiven. */
export const leftOf = (
  { interestLeft, principalLeft }: Pick<Moved, "interestLeft" | "principalLeft">,
  forgivenAs: "Pslf" | "TimeBased" | undefined
) => {
  const left = principalLeft + interestLeft
  const kept = { forgiven: 0, forgivenessType: "None", principalLeft: 0, interestLeft: 0 } as const
  if (left < CLOSED_BELOW) return kept
  if (forgivenAs === undefined) return { ...kept, principalLeft, interestLeft }
  return { ...kept, forgiven: left, forgivenessType: forgivenAs }
}

const loanMonthOf = (run: MonthRun, slot: number, isForgiven: boolean): LoanMonth => {
  const { all, book, forgiving, moves } = run
  const moved = moves[slot]!
  const owed = owedOn(moved)
  const paid = paymentOf(run, all, moved, slot)
  const interestAdded = beyondRounding(moved.interestLeft - moved.interest, owed)
  return {
    loan: book.position[slot]!,
    principal: moved.principal,
    unpaidInterest: moved.interest,
    owed,
    interestAccrued: moved.accrued,
    ...paid,
    interestWaived: beyondRounding(moved.accrued - paid.toInterest - interestAdded, owed),
    interestAdded,
    ...leftOf(moved, isForgiven ? forgivenAs(book, slot, forgiving) : undefined)
  }
}

/** Runs the month's payment. */
export const runMonth = (one: OneMonth): MonthRun => {
  const { book, month, tally } = one
  const isOpen = someLoan(book, (slot) => book.principal[slot]! + book.interest[slot]! > 0)
  const moves = isOpen ? movesOf(one) : []
  const lowered = sumOf(moves, (loan) => loan.principal - loan.principalLeft)
  const all = {
    owed: sumOf(moves, owedOn),
    accrued: sumOf(moves, ({ accrued }) => accrued),
    paid: isOpen ? tally.paid[Math.floor(month / MONTHS_PER_YEAR)]! : 0,
    matchedShare: lowered === 0 ? 0 : Math.max(0, tally.matched / lowered)
  }
  return { ...one, moves, all }
}

/**
 * The effect of the month on each loan that was open when it began.
 * @param isForgiven whether the forgiveness at the end of the month is shown for a slot
 */
export const loansOf = (run: MonthRun, isForgiven: (slot: number) => boolean): ReadonlyArray<LoanMonth> =>
  run.moves
    .map((_, slot) => loanMonthOf(run, slot, isForgiven(slot)))
    .filter(({ owed }) => owed > 0)
    .sort(inRequest)

/** Pauses move loans within their book. */
export const inRequest = (one: LoanMonth, other: LoanMonth): number => one.loan - other.loan

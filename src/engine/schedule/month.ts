/**
 * What one month did to a book, loan by loan: run by the loops that every projection is run by, and read off the balances
 * before and after it. Nothing is paid or waived here.
 */
import type { ForgivenessType } from "../../../schema/projection.ts"
import { type Book, NEVER, someLoan } from "./book.ts"
import { MONTHS_PER_YEAR } from "./calendar.ts"
import { beyondRounding, CLOSED_BELOW } from "./rounding.ts"
import type { Tally } from "./tally.ts"

/** What the loans of a book, or one of them, owed, accrued and paid in a month, in dollars. */
export interface MonthPaid {
  readonly owed: number
  readonly accrued: number
  readonly paid: number
}

/** What a month did to a loan: what it owed and accrued, and by how much older interest and principal were paid down. */
export interface LoanMoved extends Omit<MonthPaid, "paid"> {
  readonly toUnpaidInterest: number
  readonly toPrincipal: number
}

/** A loan in a month: dollars, not rounded. */
export interface LoanMonth {
  /** Position in the request. */
  readonly loan: number
  /** As the month begins. */
  readonly principal: number
  readonly unpaidInterest: number
  readonly owed: number
  readonly payment: number
  readonly interestAccrued: number
  /** Where the payment goes: to the month's interest, to older unpaid interest, to principal. */
  readonly toInterest: number
  readonly toUnpaidInterest: number
  readonly toPrincipal: number
  /** What becomes of the month's interest that the payment leaves: waived, or added to the unpaid interest. */
  readonly interestWaived: number
  readonly interestAdded: number
  readonly principalMatched: number
  /** Forgiven at the end of the month, and as what. */
  readonly forgiven: number
  readonly forgivenessType: Exclude<ForgivenessType, "Teacher">
  readonly principalLeft: number
  readonly interestLeft: number
}

/** The book as a month begins, how the month is run, and what a loan gets of what is paid. */
interface OneMonth {
  readonly book: Book
  readonly month: number
  readonly tally: Tally
  readonly run: () => void
  readonly received: (all: MonthPaid, loan: LoanMoved, slot: number) => number
}

/** The balances of a loan before and after the month. */
interface Moved {
  readonly accrued: number
  readonly principal: number
  readonly interest: number
  readonly principalLeft: number
  readonly interestLeft: number
}

const sumOf = <A>(items: ReadonlyArray<A>, value: (item: A) => number): number =>
  items.reduce((sum, item) => sum + value(item), 0)

const owedOn = ({ accrued, interest, principal }: Moved): number => principal + interest + accrued

/** Runs the month, without what is forgiven at its end, so that the balances show what the payment did. */
const movesOf = ({ book, run, tally }: OneMonth): ReadonlyArray<Moved> => {
  const principal = book.principal.slice(0, book.size)
  const interest = book.interest.slice(0, book.size)
  const forgivenAt = book.forgivenAt.slice(0, book.size)
  book.forgivenAt.fill(NEVER, 0, book.size)
  tally.reset()
  run()
  book.forgivenAt.set(forgivenAt)
  return Array.from(principal, (before, slot) => ({
    accrued: before * book.rate[slot]!,
    principal: before,
    interest: interest[slot]!,
    principalLeft: book.principal[slot]!,
    interestLeft: book.interest[slot]!
  }))
}

/** What the month did to all loans together. */
interface AllLoans extends MonthPaid {
  /** Share of what principal fell by that was matched. */
  readonly matchedShare: number
}

/** What all loans of a book paid in a month, and the loans that were open as it began. */
interface RunMonth {
  readonly paid: number
  readonly loans: ReadonlyArray<LoanMonth>
}

/** What the payment of a month and the match did to a loan. */
const paymentOf = ({ received }: OneMonth, all: AllLoans, moved: Moved, slot: number) => {
  const { accrued, interest, interestLeft, principal, principalLeft } = moved
  const owed = owedOn(moved)
  const older = Math.max(0, interest - interestLeft)
  const principalMatched = (principal - principalLeft) * all.matchedShare
  const paidDown = principal - principalLeft - principalMatched
  const payment = received(all, { owed, accrued, toUnpaidInterest: older, toPrincipal: paidDown }, slot)
  const toInterest = Math.min(accrued, payment)
  // A loan that closes below half a cent is left with nothing, which the payment did not pay.
  const toUnpaidInterest = Math.min(older, payment - toInterest)
  const toPrincipal = beyondRounding(payment - toInterest - toUnpaidInterest, owed)
  return { payment, toInterest, toUnpaidInterest, toPrincipal, principalMatched }
}

/** What is left of a loan: nothing below half a cent, and nothing of what is forgiven at the end of the month. */
const leftOf = ({ book, month }: OneMonth, { interestLeft, principalLeft }: Moved, slot: number) => {
  const left = principalLeft + interestLeft
  const kept = { forgiven: 0, forgivenessType: "None", principalLeft: 0, interestLeft: 0 } as const
  if (left < CLOSED_BELOW) return kept
  if (book.forgivenAt[slot] !== month) return { ...kept, principalLeft, interestLeft }
  return { ...kept, forgiven: left, forgivenessType: book.forgivenAsPslf[slot] === 1 ? "Pslf" : "TimeBased" } as const
}

const loanMonthOf = (one: OneMonth, all: AllLoans, moved: Moved, slot: number): LoanMonth => {
  const owed = owedOn(moved)
  const paid = paymentOf(one, all, moved, slot)
  const interestAdded = Math.max(0, moved.interestLeft - moved.interest)
  return {
    loan: one.book.position[slot]!,
    principal: moved.principal,
    unpaidInterest: moved.interest,
    owed,
    interestAccrued: moved.accrued,
    ...paid,
    interestWaived: beyondRounding(moved.accrued - paid.toInterest - interestAdded, owed),
    interestAdded,
    ...leftOf(one, moved, slot)
  }
}

/** Runs the month and reads off what it did. */
export const runMonth = (one: OneMonth): RunMonth => {
  const { book, month, tally } = one
  if (!someLoan(book, (slot) => book.principal[slot]! + book.interest[slot]! > 0)) return { paid: 0, loans: [] }
  const moves = movesOf(one)
  const lowered = sumOf(moves, (loan) => loan.principal - loan.principalLeft)
  const all = {
    owed: sumOf(moves, owedOn),
    accrued: sumOf(moves, ({ accrued }) => accrued),
    paid: tally.paid[Math.floor(month / MONTHS_PER_YEAR)]!,
    matchedShare: lowered === 0 ? 0 : tally.matched / lowered
  }
  const loans = moves.map((moved, slot) => loanMonthOf(one, all, moved, slot))
  return { paid: all.paid, loans: loans.filter(({ owed }) => owed > 0) }
}

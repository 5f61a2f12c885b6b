/**
 * What is paid beyond the payments due: each month, up to a budget, or once. It goes to the loan
 * with the highest rate until that closes, and what the loan does not take goes to the next.
 * @law 34 CFR 685.211(a)(1), 682.209(b)(1)   @rule extra-payment-order
 */
import { type Era, factsIn, type HouseholdScenario } from "../law/household.ts"
import { type Book, closeLoan, NEVER } from "./book.ts"
import { indexOfMonth, MONTHS_PER_YEAR, type StartMonth } from "./calendar.ts"
import { CLOSED_BELOW } from "./rounding.ts"
import type { Tally } from "./tally.ts"

/** A loan by its book and slot. */
export interface LoanRef {
  readonly book: Book
  readonly slot: number
}

/** What a loan took of a payment, in dollars. */
export type Taken = LoanRef & { readonly taken: number }

/** What each of several months pays on a loan that stays open, beyond what is due. */
export type Beyond = LoanRef & { readonly amount: number }

/** What months pay on a loan beyond what is due, in dollars each. */
export const moreOn = (book: Book, slot: number, beyond: Beyond | undefined): number =>
  beyond !== undefined && beyond.book === book && beyond.slot === slot ? beyond.amount : 0

/** The months in which a debt surely stays open, if it falls by an amount each, in dollars. */
export const monthsWithin = (debt: number, falls: number): number =>
  falls > 0 ? Math.min(NEVER, Math.floor((debt - CLOSED_BELOW) / falls) - 1) : NEVER

/** What is sent each month and goes to the due loans, or once and goes to all. */
export type ExtraKind = "extra" | "lump"

/** An amount below half a cent is none. */
export const amountOf = (dollars: number | null): number => (dollars === null || dollars < CLOSED_BELOW ? 0 : dollars)

const sendsMore = ({
  extraMonthlyPayment,
  monthlyBudget
}: Pick<Era, "extraMonthlyPayment" | "monthlyBudget">): boolean =>
  amountOf(extraMonthlyPayment) > 0 || amountOf(monthlyBudget) > 0

/** Whether more may be paid than is due, in some month. */
export const paysMore = (scenario: HouseholdScenario, eras: ReadonlyArray<Era>, start: StartMonth): boolean =>
  sendsMore(scenario) ||
  (scenario.lumpSums ?? []).some(({ on }) => indexOfMonth(start, on) >= 0) ||
  eras.some(sendsMore)

const owedOn = ({ book, slot }: LoanRef): number => book.principal[slot]! + book.interest[slot]!

/** By the higher rate, then by the place in the request. */
const byRate = (one: LoanRef, other: LoanRef): number =>
  other.book.rate[other.slot]! - one.book.rate[one.slot]! ||
  one.book.position[one.slot]! - other.book.position[other.slot]!

/** Lowers a loan's balances: unpaid interest first, then principal. */
export const lower = ({ book, slot }: LoanRef, amount: number): void => {
  const toInterest = Math.min(amount, book.interest[slot]!)
  book.interest[slot]! -= toInterest
  if (book.interest[slot] === 0) book.interestError[slot] = 0
  const change = toInterest - amount - book.principalError[slot]!
  const after = book.principal[slot]! + change
  book.principalError[slot] = after - book.principal[slot]! - change
  book.principal[slot] = after
}

/** The lump sums of each month from the start on, in order. */
const lumpsOf = ({ lumpSums }: HouseholdScenario, start: StartMonth): ReadonlyArray<readonly [number, number]> => {
  const sums = new Map<number, number>()
  for (const { amount, on } of lumpSums ?? []) {
    const month = indexOfMonth(start, on)
    if (month >= 0) sums.set(month, (sums.get(month) ?? 0) + amount)
  }
  return [...sums].sort(([one], [other]) => one - other)
}

export class ExtraPayments {
  /** Sent each month, in dollars: beyond what is due, or in all. One of them is 0. */
  private extra = 0
  private budget = 0
  private readonly lumps: ReturnType<typeof lumpsOf>
  private nextLump = 0
  private readonly scenario: HouseholdScenario
  private readonly eras: ReadonlyArray<Era>
  /** The loans in the order in which they are paid; undefined if that may have changed. */
  private order: ReadonlyArray<LoanRef> | undefined
  private books: ReadonlyArray<Book> = []
  /** Whether a loan is due. */
  private isDue = false

  constructor(scenario: HouseholdScenario, eras: ReadonlyArray<Era>, start: StartMonth) {
    this.scenario = scenario
    this.eras = eras
    this.lumps = lumpsOf(scenario, start)
  }

  /** Begins a month in which the books or the amounts may have changed. */
  turn(month: number, groups: ReadonlyArray<{ readonly book: Book }>): void {
    const year = Math.floor(month / MONTHS_PER_YEAR)
    const { extraMonthlyPayment, monthlyBudget } = factsIn(this.scenario, this.eras, year)
    this.extra = amountOf(extraMonthlyPayment)
    this.budget = amountOf(monthlyBudget)
    this.order = undefined
    this.books = groups.map(({ book }) => book)
    this.isDue = this.books.some(({ size }) => size > 0)
  }

  /** The next month, from this one on, in which something beyond what is due may be paid, or `NEVER`. */
  next(month: number): number {
    return this.extra > 0 || this.budget > 0 ? month : this.nextLumpIn(month)
  }

  /** The next month of a lump sum, from this one on, or `NEVER`. */
  nextLumpIn(month: number): number {
    while (this.nextLump < this.lumps.length && this.lumps[this.nextLump]![0] < month) this.nextLump++
    return this.lumps[this.nextLump]?.[0] ?? NEVER
  }

  /** What a month sends to the due loans, where `scheduled` was paid as due, in dollars. */
  monthly(scheduled: number): number {
    return this.isDue ? Math.max(this.extra, this.budget - scheduled, 0) : 0
  }

  /** The due loan that is paid first; undefined if none is open. */
  first(): LoanRef | undefined {
    for (const loan of this.order ?? this.sort())
      if (loan.book.isOpen[loan.slot] === 1 && loan.slot < loan.book.size) return loan
    return undefined
  }

  /** What is paid once in a month, in dollars. */
  lumpIn(month: number): number {
    for (let index = this.nextLump; index < this.lumps.length; index++)
      if (this.lumps[index]![0] === month) return this.lumps[index]![1]
    return 0
  }

  /**
   * Pays an amount on the open loans in their order, the monthly extra on due loans alone. Returns
   * whether a loan was closed.
   * @param taken receives what each took
   */
  pay(kind: ExtraKind, amount: number, month: number, tally: Tally, taken?: Array<Taken>): boolean {
    let left = amount
    let closed = false
    const order = this.order ?? this.sort()
    for (let place = 0; place < order.length && left > 0; place++) {
      const loan = order[place]!
      const { book, slot } = loan
      if (book.isOpen[slot] === 0 || (kind === "extra" && slot >= book.size)) continue
      const owed = owedOn(loan)
      const takes = owed - left < CLOSED_BELOW ? Math.min(left, owed) : left
      left -= takes
      if (owed - takes < CLOSED_BELOW) {
        closeLoan(book, slot)
        tally.endedIn(month)
        closed = true
      } else lower(loan, takes)
      taken?.push({ book, slot, taken: takes })
    }
    tally.add(month, amount - left, 0, 0)
    return closed
  }

  private sort(): ReadonlyArray<LoanRef> {
    const order: Array<LoanRef> = []
    for (const book of this.books) for (let slot = 0; slot < book.held; slot++) order.push({ book, slot })
    this.order = order.length > 1 ? order.sort(byRate) : order
    return this.order
  }
}

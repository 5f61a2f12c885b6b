/**
 * The pauses of loans: months in which nothing is due, by 34 CFR 685.204 and 685.205. A paused loan
 * stands behind the due ones in its book, so the loops of the plans leave it out.
 * @law 20 U.S.C. 1087e(f)(1), 1087dd(c)(2)(A); 34 CFR 685.202(b), 682.202(b)   @rule pause-interest
 */
import type { Loan } from "../../../schema/loan.ts"
import type { Pause, PauseKind } from "../../../schema/scenario.ts"
import type { Law } from "../law/law.ts"
import type { LoanTraits } from "../law/loan-types.ts"
import { type Book, NOT_SET } from "./book.ts"
import { indexOfMonth, MONTHS_PER_YEAR, type StartMonth, yearAfter } from "./calendar.ts"
import type { Tally } from "./tally.ts"

/** A pause of one loan: its months are from `from`, at least 0, to before `until`. */
export interface Rest {
  readonly from: number
  readonly until: number
  /** As it counts for the loan. */
  readonly kind: PauseKind
  /** Whether InSchool was sent, and it counts as a deferment. */
  readonly isRenamed: boolean
}

/** The pauses of each loan by its position, in order; undefined if there are none. */
export type Rests = ReadonlyArray<ReadonlyArray<Rest>> | undefined

/** The positions that a pause names. */
const positionsOf = ({ loans }: Pause, count: number): ReadonlyArray<number> =>
  loans ?? Array.from({ length: count }, (_, position) => position)

/** Whether the loan was due in a month before. */
const wasDueBefore = (rests: ReadonlyArray<Rest>, from: number): boolean => {
  let reached = 0
  for (const rest of rests) {
    if (rest.from > reached) break
    reached = rest.until
  }
  return reached < from
}

const kindOf = (
  kind: PauseKind,
  from: number,
  before: ReadonlyArray<Rest>,
  loan: Loan,
  traits: LoanTraits
): PauseKind => {
  if (kind !== "InSchool") return kind
  const isLate = loan.idrMonthsInRepayment > 0 || loan.pslfCount > 0 || wasDueBefore(before, from)
  return isLate || !traits.paused.hasSchoolPeriod ? "Deferment" : kind
}

/** The pauses that last beyond the start, by loan. */
export const restsOf = (
  law: Law,
  loans: ReadonlyArray<Loan>,
  pauses: ReadonlyArray<Pause> | null,
  start: StartMonth
): Rests => {
  if (pauses === null || pauses.length === 0) return undefined
  const byLoan = loans.map((): Array<Rest> => [])
  const known = pauses
    .map((pause) => ({
      pause,
      from: pause.from === null ? 0 : Math.max(0, indexOfMonth(start, pause.from)),
      until: indexOfMonth(start, pause.until)
    }))
    .filter(({ until }) => until > 0)
    .sort((one, other) => one.from - other.from)
  for (const { from, pause, until } of known) {
    for (const position of positionsOf(pause, loans.length)) {
      const loan = loans[position]!
      const kind = kindOf(pause.kind, from, byLoan[position]!, loan, law.traitsOf[loan.loanType])
      byLoan[position]!.push({ from, until, kind, isRenamed: kind !== pause.kind })
    }
  }
  return known.length === 0 ? undefined : byLoan
}

/** The months in which a pause begins or ends. */
export const edgesOf = (rests: Rests): ReadonlyArray<number> =>
  rests?.flat().flatMap(({ from, until }) => [from, until]) ?? []

/** The pause of a loan that is in force in a month. */
export const restIn = (rests: Rests, position: number, month: number): Rest | undefined =>
  rests?.[position]?.find(({ from, until }) => from <= month && month < until)

const joinsPrincipal = ({ paused: { joinsAfter } }: LoanTraits, kind: PauseKind): boolean =>
  joinsAfter === "every pause" || (joinsAfter === "deferment" && kind === "Deferment")

/** What joins the principal of a paused loan when its pause ends, in dollars. */
const joiningOf = (book: Book, slot: number, kind: PauseKind): number =>
  joinsPrincipal(book.traits[slot]!, kind) ? Math.min(book.interest[slot]!, book.pausedInterest[slot]!) : 0

/**
 * Ends the pauses whose last month has passed: interest joins the principal, and payments are set anew.
 * @param onJoined receives the amount for each loan of which some joined
 */
export const endRests = (
  book: Book,
  rests: Rests,
  month: number,
  onJoined?: (position: number, dollars: number) => void
): void => {
  for (let slot = book.size; slot < book.held; slot++) {
    const position = book.position[slot]!
    const ended = rests?.[position]?.find(({ until }) => until === month)
    if (ended === undefined) continue
    const joining = joiningOf(book, slot, ended.kind)
    book.interest[slot]! -= joining
    if (book.interest[slot] === 0) book.interestError[slot] = 0
    book.principal[slot]! += joining
    book.pausedInterest[slot] = 0
    book.setIn[slot] = NOT_SET
    if (joining > 0) onJoined?.(position, joining)
  }
}

/** Puts the loans that are due in a month before the paused ones. */
export const divide = (book: Book, rests: Rests, month: number): void => {
  const before = book.size
  for (let slot = before; slot < book.held; slot++) {
    if (restIn(rests, book.position[slot]!, month) !== undefined) continue
    book.swap(slot, book.size++)
  }
  for (let slot = before - 1; slot >= 0; slot--)
    if (restIn(rests, book.position[slot]!, month) !== undefined) book.swap(slot, --book.size)
}

/** Whether a paused loan accrues interest. */
const accrues = ({ paused }: LoanTraits, kind: PauseKind): boolean => kind === "Forbearance" || !paused.isInterestFree

/** What a paused loan accrues in a month, in dollars. */
export const interestIn = (book: Book, rests: Rests, slot: number, month: number): number => {
  const { kind } = restIn(rests, book.position[slot]!, month)!
  return accrues(book.traits[slot]!, kind) ? book.principal[slot]! * book.rate[slot]! : 0
}

/** The months `from` to `until - 1` of the paused loans: interest accrues, and the term stands still. */
export const rest = (book: Book, rests: Rests, from: number, until: number, tally: Tally): void => {
  for (let slot = book.size; slot < book.held; slot++) {
    if (book.isOpen[slot] === 0) continue
    book.monthsLeft[slot]! += until - from
    const monthly = interestIn(book, rests, slot, from)
    const begun = book.interest[slot]!
    for (let month = from; month < until; ) {
      const stop = Math.min(yearAfter(month), until)
      book.interest[slot] = begun + monthly * (stop - from)
      if (stop < until && stop % MONTHS_PER_YEAR === 0) tally.leave(stop, book.principal[slot]!, book.interest[slot]!)
      month = stop
    }
    book.pausedInterest[slot]! += monthly * (until - from)
    tally.accrued += monthly * (until - from)
  }
}

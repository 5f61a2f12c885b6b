/**
 * The borrower's history: when the borrower first owed a loan, and whether a loan was made on or
 * after July 1, 2026 (a new loan). Dates and loan types of the request show it. Only Direct, FFEL
 * and FISL loans with a balance count. A request without any date has no history, and its loan
 * types alone decide (`closes` in loan-types.ts).
 */
import { loanTypesEnded, newBorrowerTests } from "../../../ledger/rules/income-based.ts"
import { newLoanPlans202607 } from "../../../ledger/rules/new-loans.ts"
import type { Loan } from "../../../schema/loan.ts"
import type { Law } from "../law/law.ts"
import type { LoanTraits } from "../law/loan-types.ts"
import { isEmpty } from "./book.ts"

/** A loan with a date, by its position in the request. */
export interface DatedLoan {
  readonly position: number
  /** YYYY-MM-DD, like all dates here. */
  readonly date: string
}

export interface History {
  /** The day since which the borrower has owed, as sent or else the earliest `madeOn`; null if unknown. */
  readonly firstBorrowedOn: string | null
  /** Whether that day is the earliest `madeOn`. */
  readonly isFromLoans: boolean
  /** The loan that proves the earliest debt, by its date or because its type is no longer made. */
  readonly earliest: DatedLoan | null
  /** The earliest `madeOn` of a program. */
  readonly earliestDirect: string | null
  readonly earliestFfel: string | null
  /** The first new loan, or null. */
  readonly newLoan: DatedLoan | null
  /** Whether the borrower has a new loan, or first borrowed since July 1, 2026. */
  readonly isNew: boolean
  /** The dates of the Direct loans by type; null for a loan without one. */
  readonly directDates: ReadonlyArray<readonly [loanType: string, madeOn: string | null]>
  /** Whether every Direct and FFEL loan has a date. */
  readonly isAllDated: boolean
}

const isBefore = (date: string | null | undefined, day: string): boolean =>
  date !== null && date !== undefined && date < day

/** Whether the borrower owed a loan before a day, and so is not new on it. */
export const owedBefore = ({ earliest, firstBorrowedOn }: History, day: string): boolean =>
  isBefore(firstBorrowedOn, day) || isBefore(earliest?.date, day)

/** Whether the dates show that the borrower owed nothing before a day. */
export const firstOwedFrom = (history: History, day: string): boolean =>
  history.firstBorrowedOn !== null && !owedBefore(history, day)

/** Whether a date was sent. */
export const hasDates = (firstBorrowedOn: string | null, loans: ReadonlyArray<Loan>): boolean => {
  if (firstBorrowedOn !== null) return true
  for (let position = 0; position < loans.length; position++) if (loans[position]!.madeOn !== null) return true
  return false
}

/** The day on which the type was last made; a loan of it with a balance was owed by then. */
const endOfType = (law: Law, { family, ffel }: LoanTraits): string | undefined => {
  const { families, programs } = law.read(loanTypesEnded)
  const ends: Readonly<Record<string, string>> = families
  return ends[family] ?? (ffel ? programs.ffel : undefined)
}

/** A loan that counts, with its position and traits. */
interface Counted {
  readonly position: number
  readonly loan: Loan
  readonly traits: LoanTraits
}

const countedOf = (law: Law, loans: ReadonlyArray<Loan>): ReadonlyArray<Counted> =>
  loans.flatMap((loan, position) => {
    const traits = law.traitsOf[loan.loanType]
    return !isEmpty(loan) && isDated(law, traits) ? [{ position, loan, traits }] : []
  })

/** Whether the dates of loans of these traits count: Direct, FFEL and FISL loans. */
export const isDated = (law: Law, traits: LoanTraits): boolean => traits.direct || endOfType(law, traits) !== undefined

const earliestOf = (loans: ReadonlyArray<DatedLoan>): DatedLoan | null =>
  loans.reduce<DatedLoan | null>((first, loan) => (first !== null && first.date <= loan.date ? first : loan), null)

const madeOf = (loans: ReadonlyArray<Counted>): ReadonlyArray<DatedLoan> =>
  loans.flatMap(({ loan: { madeOn }, position }) => (madeOn === null ? [] : [{ position, date: madeOn }]))

/** The first day on which the borrower owed, if the dates of the loans show it. */
const firstOfLoans = (loans: ReadonlyArray<Counted>): string | null => {
  const isShown = ({ loan, traits: { consolidation, directPlusConsolidation } }: Counted) =>
    loan.madeOn !== null && !consolidation && !directPlusConsolidation
  return loans.every(isShown) ? (earliestOf(madeOf(loans))?.date ?? null) : null
}

/**
 * The history of a borrower; undefined if no date was sent.
 * @law 20 U.S.C. 1087e(d)(1), (d)(7)(B)-(E), 1098e(e)
 * @rule loan-types-ended, new-loan-plans-2026-07
 */
export const historyOf = (law: Law, sent: string | null, loans: ReadonlyArray<Loan>): History | undefined => {
  if (!hasDates(sent, loans)) return undefined
  const counted = countedOf(law, loans)
  const ended = counted.flatMap(({ position, traits }) => {
    const date = endOfType(law, traits)
    return date === undefined ? [] : [{ position, date }]
  })
  const direct = counted.filter(({ traits }) => traits.direct)
  const { loansMadeFrom } = law.read(newLoanPlans202607)
  const ofLoans = sent === null ? firstOfLoans(counted) : null
  const newLoan = madeOf(direct).find(({ date }) => date >= loansMadeFrom) ?? null
  const known = {
    firstBorrowedOn: sent ?? ofLoans,
    isFromLoans: ofLoans !== null,
    earliest: earliestOf([...madeOf(counted), ...ended]),
    earliestDirect: earliestOf(madeOf(direct))?.date ?? null,
    earliestFfel: earliestOf(madeOf(counted.filter(({ traits }) => traits.ffel)))?.date ?? null,
    newLoan,
    isNew: newLoan !== null,
    directDates: direct.map(({ loan }) => [loan.loanType, loan.madeOn] as const),
    isAllDated: counted.every(({ loan, traits }) => loan.madeOn !== null || !(traits.direct || traits.ffel))
  }
  return known.isNew ? known : { ...known, isNew: firstOwedFrom(known, loansMadeFrom) }
}

/** The reason why dates close a plan to a loan. Days are those of the law. */
export type DateObstacle =
  /** The borrower has a new loan (`by`), or first borrowed since July 1, 2026 (`by` is null). */
  | { readonly _tag: "NewLoans"; readonly by: number | null; readonly from: string; readonly isParents: boolean }
  /** The borrower owed a loan before a day. The loan `by` shows it; if null, `firstBorrowedOn` does. */
  | { readonly _tag: "OwedBefore"; readonly day: string; readonly by: number | null }
  /** The borrower first owed a loan on or after a day. */
  | { readonly _tag: "OwedSince"; readonly day: string; readonly instead: string }
  /** No Direct loan, other than Parent PLUS loans, was made on or after a day. */
  | { readonly _tag: "NoLoanSince"; readonly day: string }
  /** A loan of the program was made before a day. */
  | { readonly _tag: "LoanBefore"; readonly day: string; readonly program: "Direct" | "FFEL" }

/** The dates that a plan requires, as the ledger states them. */
interface DateTest {
  readonly newFrom?: string
  readonly notNewFrom?: string
  readonly newBorrowersHave?: string
  readonly someDirectLoanFrom?: string
  readonly exceptLoanTypes?: ReadonlyArray<string>
  readonly everyLoanFrom?: string
}

/** A plan, and the plan that new loans get instead under the same name. */
interface DatedPlan {
  readonly planType: string
  readonly asNew: string
}

/** The loan that shows how early the borrower owed, or null if `firstBorrowedOn` does. */
const shownBy = ({ earliest, firstBorrowedOn, isFromLoans }: History, day: string): number | null =>
  !isFromLoans && isBefore(firstBorrowedOn, day) ? null : (earliest?.position ?? null)

/** Whether all Direct loans, except those of some types, have dates before a day. */
const areAllBefore = (dates: History["directDates"], day: string, except: ReadonlyArray<string>): boolean => {
  const tested = dates.filter(([loanType]) => !except.includes(loanType))
  return tested.length > 0 && tested.every(([, madeOn]) => isBefore(madeOn, day))
}

/**
 * The reason why dates close a plan to a loan, or undefined. A reason about new loans comes first.
 * @law 20 U.S.C. 1087e(d)(1), (d)(7)(B)-(E), (g)(3), 1098e(e); 34 CFR 685.208(b)(4), 685.209
 * @rule new-loan-plans-2026-07, new-borrower-tests
 */
export const dateObstacle = (
  law: Law,
  { asNew, planType }: DatedPlan,
  traits: LoanTraits,
  history: History
): DateObstacle | undefined => {
  const { loansMadeFrom, plans } = law.read(newLoanPlans202607)
  const open: ReadonlyArray<string> = plans
  if (history.isNew && traits.direct && !open.includes(asNew)) {
    return {
      _tag: "NewLoans",
      by: history.newLoan?.position ?? null,
      from: loansMadeFrom,
      isParents: traits.parentPlus
    }
  }
  const tests: Readonly<Record<string, DateTest>> = law.read(newBorrowerTests)
  const {
    everyLoanFrom,
    exceptLoanTypes = [],
    newBorrowersHave = "",
    newFrom,
    notNewFrom,
    someDirectLoanFrom
  } = tests[planType] ?? {}
  if (newFrom !== undefined && owedBefore(history, newFrom))
    return { _tag: "OwedBefore", day: newFrom, by: shownBy(history, newFrom) }
  if (notNewFrom !== undefined && firstOwedFrom(history, notNewFrom))
    return { _tag: "OwedSince", day: notNewFrom, instead: newBorrowersHave }
  if (someDirectLoanFrom !== undefined && areAllBefore(history.directDates, someDirectLoanFrom, exceptLoanTypes))
    return { _tag: "NoLoanSince", day: someDirectLoanFrom }
  if (everyLoanFrom === undefined || traits.directPlusConsolidation) return undefined
  const first = traits.direct ? history.earliestDirect : traits.ffel ? history.earliestFfel : null
  return isBefore(first, everyLoanFrom)
    ? { _tag: "LoanBefore", day: everyLoanFrom, program: traits.direct ? "Direct" : "FFEL" }
    : undefined
}

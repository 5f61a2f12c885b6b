/**
 * What the dates of a request and its loans prove about the borrower: F, the day from which the
 * borrower has owed Direct or FFEL loans without a break, and whether the loans are new (made on or
 * after July 1, 2026). fitting.ts closes plans by it.
 */
import type { Plan } from "./book.ts"
import { LAST_FFEL_DAY, LAST_PLUS_CONSOLIDATION_DAY, newBorrowerFrom } from "./law.ts"
import {
  discontinuedTypes,
  isDirect,
  isDirectOrFfelOrFisl,
  type LoanType,
  PLUS_CONSOLIDATION,
  programOf
} from "./matrix.ts"
import type { Day, Loan } from "./wire.ts"

export interface Dates {
  /** F: as sent, or else the earliest date of the loans; null if unknown. */
  readonly firstBorrowed: Day | null
  /** Direct, FFEL and FISL loans with a balance. Dates of other loans prove nothing. */
  readonly loans: ReadonlyArray<Loan>
}

const earliest = (days: ReadonlyArray<Day>): Day | null => days.toSorted()[0] ?? null

/**
 * The earliest date among the loans, if it shows when the first one was taken: every loan has a
 * date, and none is a consolidation, which repaid older loans.
 */
function earliestMadeOn(loans: ReadonlyArray<Loan>): Day | null {
  if (loans.some(({ madeOn, type }) => madeOn === null || type.includes("CONSOLIDATED"))) return null
  return earliest(loans.flatMap(({ madeOn }) => madeOn ?? []))
}

/** @param request the loans of the request that are not empty */
export function datesOf(firstBorrowedOn: Day | null, request: ReadonlyArray<Loan>): Dates {
  const loans = request.filter(({ type }) => isDirectOrFfelOrFisl(type))
  return { firstBorrowed: firstBorrowedOn ?? earliestMadeOn(loans), loans }
}

/**
 * The last day on which a loan of the type was made, if none is made any more.
 * - FFEL ended on June 30, 2010: 20 U.S.C. 1071(d).
 * - A discontinued type or a DIRECT PLUS CONSOLIDATED is from before July 1, 2006: 34 CFR
 *   685.220(c)(3).
 */
function lastDayOfType(type: LoanType): Day | null {
  if (discontinuedTypes.has(type) || type === PLUS_CONSOLIDATION) return LAST_PLUS_CONSOLIDATION_DAY
  return programOf(type) === "FFEL" ? LAST_FFEL_DAY : null
}

/** Days on which the borrower owed something, by F, by each loan's date and by its type. */
const daysOwing = ({ firstBorrowed, loans }: Dates): ReadonlyArray<Day> =>
  [firstBorrowed, ...loans.flatMap(({ madeOn, type }) => [madeOn, lastDayOfType(type)])].filter((day) => day !== null)

/** Whether F counts as before a day: something was owed on an earlier day. */
export const borrowedBefore = (day: Day, dates: Dates): boolean => daysOwing(dates).some((owing) => owing < day)

/** Whether F is known to be on a day or after it. */
export const borrowedFrom = (day: Day, dates: Dates): boolean =>
  dates.firstBorrowed !== null && !borrowedBefore(day, dates)

/**
 * 20 U.S.C. 1087e(d)(1), (d)(7): one Direct loan made on or after July 1, 2026, or a borrower whose
 * first loan is that new, makes all Direct loans of the request new.
 */
export const hasNewLoans = (dates: Dates): boolean =>
  dates.loans.some(({ madeOn, type }) => isDirect(type) && madeOn !== null && madeOn >= newBorrowerFrom.newLoans) ||
  borrowedFrom(newBorrowerFrom.newLoans, dates)

/** The plan on which a loan is repaid: STANDARD of new Direct loans is Tiered Standard. */
export const repaidOn = (plan: Plan, loan: Loan, dates: Dates): Plan =>
  plan === "STANDARD" && isDirect(loan.type) && hasNewLoans(dates) ? "TIERED STANDARD" : plan

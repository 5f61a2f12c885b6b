/**
 * Generators of the dates of loans and of a borrower's first borrowing: the days around each date
 * of the law, and the bounds of a request. The days of a book are drawn without the book and then
 * fitted to it, so that every request is valid.
 */
import fc from "fast-check"
import { isLoanType, PLUS_CONSOLIDATION, programOf } from "../oracle/matrix.ts"
import type { Start } from "../oracle/oracle.ts"
import type { Day, WireLoan } from "../oracle/wire.ts"

/** The earliest day that a request may have: the National Defense Education Act. */
export const EARLIEST_DAY = "1958-09-02"

/** The last day of a DIRECT PLUS CONSOLIDATED. */
const LAST_PLUS_CONSOLIDATION = "2006-06-30"

const NEW_LOANS = "2026-07-01"

/** The dates of the law: see law.ts of the oracle. */
const datesOfLaw = [
  "1998-10-07",
  LAST_PLUS_CONSOLIDATION,
  "2006-07-01",
  "2007-10-01",
  "2010-06-30",
  "2011-10-01",
  "2014-07-01",
  NEW_LOANS
]

const DAY_MILLIS = 86_400_000

const daysLater = (day: Day, days: number): Day =>
  new Date(Date.parse(day) + days * DAY_MILLIS).toISOString().slice(0, "YYYY-MM-DD".length)

/** The last day that a request may have: the day before month 0. */
export const lastDay = ({ month, year }: Start): Day => daysLater(`${year}-${String(month).padStart(2, "0")}-01`, -1)

const earlier = (a: Day, b: Day): Day => (a < b ? a : b)

const allowed = (day: Day, start: Start): Day => {
  const notLate = earlier(day, lastDay(start))
  return notLate < EARLIEST_DAY ? EARLIEST_DAY : notLate
}

const around = (dates: ReadonlyArray<Day>): fc.Arbitrary<Day> =>
  fc.tuple(fc.constantFrom(...dates), fc.constantFrom(0, 0, -1, 1)).map(([day, days]) => daysLater(day, days))

/** Any day from one to another, both included. */
const between = (from: Day, to: Day): fc.Arbitrary<Day> =>
  fc.integer({ min: 0, max: (Date.parse(to) - Date.parse(from)) / DAY_MILLIS }).map((days) => daysLater(from, days))

/** Any allowed day, mostly near a date of the law or at one of the two bounds. */
export const anyDay = (start: Start): fc.Arbitrary<Day> =>
  fc
    .oneof(
      { weight: 10, arbitrary: around(datesOfLaw) },
      { weight: 1, arbitrary: fc.constantFrom(EARLIEST_DAY, lastDay(start)) },
      { weight: 2, arbitrary: between("1990-01-01", lastDay(start)) }
    )
    .map((day) => allowed(day, start))

/** The `madeOn` of the loans of a book, repeated if it has more loans. Undefined is left out. */
export type Dating = ReadonlyArray<Day | null | undefined>

/** Days of new loans, sometimes next to older ones or none. */
export const newDatings = (start: Start): fc.Arbitrary<Dating> => {
  const isNew = between(NEW_LOANS, lastDay(start))
  const newDay = fc.oneof(fc.constantFrom(NEW_LOANS, lastDay(start)), isNew)
  const other = fc.oneof(fc.constantFrom(undefined, null), around([NEW_LOANS]), anyDay(start))
  return fc.tuple(newDay, fc.array(other, { maxLength: 3 })).map(([first, others]) => [first, ...others])
}

/**
 * Days of the loans of a book: of one day, of one time between two dates of the law (which leaves
 * plans open), of any times, and of some loans or none.
 */
export function datings(start: Start): fc.Arbitrary<Dating> {
  const any = anyDay(start)
  const daysBetween = (from: Day, to: Day) =>
    fc.array(fc.oneof(fc.constantFrom(from, to), between(from, to)), { minLength: 1, maxLength: 4 })
  const nothing = fc.constantFrom(null, undefined, undefined)
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant([undefined]) },
    { weight: 3, arbitrary: any.map((day) => [day]) },
    { weight: 5, arbitrary: daysBetween("2014-07-01", "2026-06-30") },
    { weight: 2, arbitrary: daysBetween("2007-10-01", "2014-06-30") },
    { weight: 2, arbitrary: fc.array(any, { minLength: 2, maxLength: 4 }) },
    { weight: 2, arbitrary: fc.array(fc.oneof(any, nothing), { minLength: 2, maxLength: 4 }) },
    { weight: 1, arbitrary: newDatings(start) }
  )
}

function datedLoan(loan: WireLoan, day: Dating[number]): WireLoan {
  if (day === undefined) return loan
  const isPlusConsolidation = loan.loanType.trim().toUpperCase() === PLUS_CONSOLIDATION
  return { ...loan, madeOn: day !== null && isPlusConsolidation ? earlier(day, LAST_PLUS_CONSOLIDATION) : day }
}

export const datedBook = (loans: ReadonlyArray<WireLoan>, dating: Dating): ReadonlyArray<WireLoan> =>
  loans.map((loan, i) => datedLoan(loan, dating[i % dating.length]))

/** Whether the loan's date counts: Direct, FFEL and FISL loans with a balance. */
function isLookedAt({ interestBalance, loanType, principalBalance }: WireLoan): boolean {
  const type = loanType.trim().toUpperCase()
  const counts = isLoanType(type) && (programOf(type) !== null || type === "FEDERALLY INSURED (FISL)")
  return counts && principalBalance + (interestBalance ?? 0) > 0.0049
}

/** The day of the first borrowing, before it is fitted to the book. */
export type FirstDay = Day | null | "that of the first loan" | "the day before the first loan"

export const firstDays = (start: Start): fc.Arbitrary<FirstDay> =>
  fc.oneof(
    { weight: 4, arbitrary: anyDay(start) },
    { weight: 5, arbitrary: between("2014-07-01", "2026-06-30") },
    { weight: 1, arbitrary: fc.constant(null) },
    {
      weight: 2,
      arbitrary: fc.constantFrom<FirstDay>("that of the first loan", "the day before the first loan")
    }
  )

/** The day of the first borrowing, at the latest that of the first loan in the book. */
export function fittedFirstDay(first: FirstDay, loans: ReadonlyArray<WireLoan>): Day | null {
  const days = loans.filter(isLookedAt).flatMap(({ madeOn }) => madeOn ?? [])
  const ofLoans = days.toSorted()[0] ?? null
  if (first === "that of the first loan") return ofLoans
  if (first === "the day before the first loan") {
    return ofLoans === null || ofLoans === EARLIEST_DAY ? ofLoans : daysLater(ofLoans, -1)
  }
  return first === null || ofLoans === null ? first : earlier(first, ofLoans)
}

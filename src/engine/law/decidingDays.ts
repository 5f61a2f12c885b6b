/**
 * The days from which the law treats a loan or a borrower differently, and the months that contain
 * one. In such a month the day has to be known.
 */
import { directPlusConsolidationTerms } from "../../../ledger/rules/fixed-plans.ts"
import { loanTypesEnded, newBorrowerTests } from "../../../ledger/rules/income-based.ts"
import { newLoanPlans202607 } from "../../../ledger/rules/new-loans.ts"
import { currentLaw } from "./law.ts"

export const firstDayOf = (month: string): string => `${month}-01`

const isLastOfMonth = (day: string): boolean => {
  const next = new Date(day)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.getUTCDate() === 1
}

const DATES_IN_LAW = JSON.stringify([
  currentLaw.read(newBorrowerTests),
  currentLaw.read(loanTypesEnded),
  currentLaw.read(newLoanPlans202607),
  currentLaw.read(directPlusConsolidationTerms)
]).matchAll(/\d+-\d\d-\d\d/g)

const DECIDING_DAYS: ReadonlyArray<string> = [...DATES_IN_LAW].map(([day]) => day)

/** Whether the law changes within the day's month, not at one of the month's ends. */
const isInside = (day: string): boolean => !day.endsWith("-01") && !isLastOfMonth(day)

/**
 * Whether the law treats the days of a year, YYYY, differently.
 * @param firstDay the first day that a request may send
 */
export const isDividedYear = (year: string, firstDay: string): boolean =>
  [firstDay, ...DECIDING_DAYS].some((day) => day.startsWith(year) && day !== `${year}-01-01`)

/**
 * The deciding day within a month, YYYY-MM; undefined if its first day stands for all of it.
 * @param firstDay the first day that a request may send
 */
export const decidingDayIn = (month: string, firstDay: string): string | undefined =>
  [firstDay, ...DECIDING_DAYS].find((day) => day.startsWith(month) && isInside(day))

/** The options of the library's functions next to the request, checked in the same way. */
import {
  currentLaw,
  GUARD_MONTHS,
  type Law,
  lawOf as lawOn,
  MONTHS_PER_YEAR,
  type StartMonth
} from "../engine/index.ts"
import { RequestError } from "./check.ts"

/** The law to compute under. */
export interface UnderLaw {
  /** From `lawOf`; by default `currentLaw`, that of the release. */
  readonly law?: Law | undefined
}

/** The first month of repayment, and the law to compute under. */
export interface From extends UnderLaw {
  /**
   * The first month of repayment, such as `{ year: 2026, month: 12 }`; months count from 1 to 12.
   * The service uses the month after the request's, in UTC: `startMonthOf(new Date())`.
   */
  readonly start: StartMonth
}

const isWhole = (value: unknown, min: number, max: number): value is number =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max

/** Years must have four digits, also at the end of the longest projection. */
const MIN_YEAR = 1000
const MAX_YEAR = 9000

/** Copied, so that later changes by the caller have no effect. */
export const startOf = (from: From | undefined): StartMonth => {
  const { month, year }: Partial<StartMonth> = from?.start ?? {}
  if (isWhole(month, 1, MONTHS_PER_YEAR) && isWhole(year, MIN_YEAR, MAX_YEAR)) return { year, month }
  throw new RequestError({
    start: ["must be a month such as { year: 2026, month: 12 }, whose month counts from 1 to 12"]
  })
}

export const checkedLaw = (under: UnderLaw | undefined): Law => {
  const law = under?.law ?? currentLaw
  if (typeof law.read === "function") return law
  throw new RequestError({ law: ["must be a law that lawOf has made, or left out"] })
}

export const checkedCount = (count: number): number => {
  if (isWhole(count, 1, GUARD_MONTHS)) return count
  throw new RequestError({ count: [`must be a whole number of months from 1 to ${GUARD_MONTHS}`] })
}

/**
 * The law of a day: for every rule of the ledger, the value in force on it. Rules written in code
 * are those of the release, so figures for another day are an experiment, and `ruleVersion` does
 * not cover them.
 * @param day YYYY-MM-DD
 * @throws RequestError if `day` is not a date; RangeError, here or at the first use, if a rule was
 * not yet in force
 */
export const lawOf = (day: string): Law => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(day)) {
    throw new RequestError({ day: ["must be a day such as 2026-07-01"] })
  }
  return lawOn({ asOf: day })
}

/** What the functions of the library are told beside a request. It is looked at as a request is. */
import { currentLaw, type Law, lawOf as lawOn } from "../engine/law/law.ts"
import { MONTHS_PER_YEAR, type StartMonth } from "../engine/schedule/calendar.ts"
import { GUARD_MONTHS } from "../engine/schedule/tally.ts"
import { RequestError } from "./check.ts"

/** Under which law, if not under that of the release. */
export interface UnderLaw {
  readonly law?: Law | undefined
}

/** When repayment starts, and under which law. */
export interface From extends UnderLaw {
  /** The first month of repayment. The service takes the month after the one in which it is asked: `startMonthOf(new Date())`. */
  readonly start: StartMonth
}

const isWhole = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most

/** Dates are written with four digits for the year. */
const LEAST_YEAR = 1000
const MOST_YEAR = 9000

/** The month itself, and nothing that changes later. */
export const startOf = (from: From | undefined): StartMonth => {
  const { month, year }: Partial<StartMonth> = from?.start ?? {}
  if (isWhole(month, 1, MONTHS_PER_YEAR) && isWhole(year, LEAST_YEAR, MOST_YEAR)) return { year, month }
  throw new RequestError({
    start: ["must be a month such as { year: 2026, month: 12 }, whose month counts from 1 to 12"]
  })
}

export const lawUnder = (under: UnderLaw | undefined): Law => {
  const law = under?.law ?? currentLaw
  if (typeof law.read === "function") return law
  throw new RequestError({ law: ["must be a law that lawOf has made, or left out"] })
}

export const checkedCount = (count: number): number => {
  if (isWhole(count, 1, GUARD_MONTHS)) return count
  throw new RequestError({ count: [`must be a whole number of months from 1 to ${GUARD_MONTHS}`] })
}

/**
 * The law of a day, YYYY-MM-DD: of every rule of the ledger the value in force on it. Rules that the code itself carries out
 * are those of the release, so figures of another day are an experiment, and no `ruleVersion` stands for them.
 * @throws RequestError for what is no day; a RangeError, here or at the first use, where a rule was not in force yet
 */
export const lawOf = (day: string): Law => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(day)) {
    throw new RequestError({ day: ["must be a day such as 2026-07-01"] })
  }
  return lawOn({ asOf: day })
}

/** The calendar of a projection. Month 0 is the month after that of the computation. */

export const MONTHS_PER_YEAR = 12

/** Index of the first month of the next projection year. */
export const yearAfter = (month: number): number => (Math.floor(month / MONTHS_PER_YEAR) + 1) * MONTHS_PER_YEAR

/** The first month of repayment. */
export interface StartMonth {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
}

const monthAfter = ({ month, year }: StartMonth): StartMonth =>
  month === MONTHS_PER_YEAR ? { year: year + 1, month: 1 } : { year, month: month + 1 }

/** The first month of repayment: the UTC calendar month after the given instant. */
export const startMonthOf = (instant: Date): StartMonth =>
  monthAfter({ year: instant.getUTCFullYear(), month: instant.getUTCMonth() + 1 })

const YEAR_END = "YYYY".length
const MONTH_START = "YYYY-".length
const MONTH_END = "YYYY-MM".length

/** The index of the month of a day, YYYY-MM-DD; below 0 before the first month. */
export const indexOfMonth = (start: StartMonth, day: string): number =>
  (Number(day.slice(0, YEAR_END)) - start.year) * MONTHS_PER_YEAR +
  Number(day.slice(MONTH_START, MONTH_END)) -
  start.month

/** The first instant of month `index`, as the API writes it. */
export const dateOfMonth = (start: StartMonth, index: number): string => {
  const months = start.year * MONTHS_PER_YEAR + (start.month - 1) + index
  const year = Math.floor(months / MONTHS_PER_YEAR)
  const month = (months % MONTHS_PER_YEAR) + 1
  return `${year}-${month < 10 ? "0" : ""}${month}-01T00:00:00Z`
}

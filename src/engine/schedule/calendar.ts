/** Month indexes and the calendar. Month 0 is the first day of the month after the one in which an answer is computed. */

export const MONTHS_PER_YEAR = 12

/** The first month of repayment. */
export interface StartMonth {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
}

/** The calendar month after the given one. */
const monthAfter = ({ month, year }: StartMonth): StartMonth =>
  month === MONTHS_PER_YEAR ? { year: year + 1, month: 1 } : { year, month: month + 1 }

/** Repayment starts in the calendar month, UTC, after the one in which the answer is computed. */
export const startMonthOf = (instant: Date): StartMonth =>
  monthAfter({ year: instant.getUTCFullYear(), month: instant.getUTCMonth() + 1 })

/** The instant at which month `index` begins, as on the wire. */
export const dateOfMonth = (start: StartMonth, index: number): string => {
  const months = start.year * MONTHS_PER_YEAR + (start.month - 1) + index
  const year = Math.floor(months / MONTHS_PER_YEAR)
  const month = (months % MONTHS_PER_YEAR) + 1
  return `${year}-${month < 10 ? "0" : ""}${month}-01T00:00:00Z`
}

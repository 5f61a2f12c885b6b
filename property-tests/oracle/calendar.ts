/** The calendar of the oracle. Month 0 is the calendar month in which repayment starts. */

/** A calendar month; `month` runs from 1 to 12. */
export interface Start {
  readonly year: number
  readonly month: number
}

const monthsOf = ({ month, year }: Start): number => year * 12 + (month - 1)

/** The first instant of a month of the projection. */
export function dateOf(start: Start, month: number): string {
  const months = monthsOf(start) + month
  const calendarMonth = String((months % 12) + 1).padStart(2, "0")
  return `${Math.floor(months / 12)}-${calendarMonth}-01T00:00:00Z`
}

/** A month of the projection as `YYYY-MM`. */
export const monthText = (start: Start, month: number): string => dateOf(start, month).slice(0, "YYYY-MM".length)

/** Reads `YYYY-MM`. */
export const readMonth = (text: string): Start => ({ year: Number(text.slice(0, 4)), month: Number(text.slice(5)) })

/** Index of a calendar month in the projection; negative if repayment starts after it. */
export const monthsFrom = (start: Start, calendarMonth: Start): number => monthsOf(calendarMonth) - monthsOf(start)

/** Index of a calendar month in the projection; 0 if repayment starts in it or later. */
export const indexOfMonth = (calendarMonth: Start, start: Start): number =>
  Math.max(0, monthsFrom(start, calendarMonth))

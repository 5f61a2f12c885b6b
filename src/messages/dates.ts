/** Dates of the ledger, YYYY-MM-DD, as people read them. */

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December"
]

/** "2026-07-01" as "1 July 2026". */
export const longDate = (date: string): string => {
  const [year, month, day] = date.split("-").map(Number)
  return `${day} ${MONTHS[month! - 1]} ${year}`
}

/** The formats of money, rates, counts and dates in texts for people. */
import { dateOfMonth } from "../engine/index.ts"

const DOLLARS = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" })
const WHOLE_DOLLARS = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 })
const PERCENT = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 4 })
const MONTH = new Intl.DateTimeFormat("en-US", { month: "short", year: "numeric", timeZone: "UTC" })

export const dollars = (amount: number): string => DOLLARS.format(amount)
export const wholeDollars = (amount: number): string => WHOLE_DOLLARS.format(amount)
/** The least and the most in whole dollars, such as "$53,042 to $56,972"; one amount if they look alike. */
export const dollarRange = (amounts: ReadonlyArray<number>): string =>
  [...new Set([Math.min(...amounts), Math.max(...amounts)].map(wholeDollars))].join(" to ")
export const percent = (fraction: number): string => PERCENT.format(fraction)
/** For example 1,250,000. */
export const grouped = (count: number): string => count.toLocaleString("en-US")
/** For example "1 loan" or "3 loans". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
export const month = (instant: string): string => MONTH.format(new Date(instant))

/** Text from elsewhere on one line: shows invisible characters, and those that change direction, by code. */
export const oneLine = (text: string): string =>
  text.replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `<U+${character.codePointAt(0)!.toString(16).padStart(4, "0").toUpperCase()}>`
  )

/** Whether no loan has a balance, so that nothing is paid or forgiven. */
export const owesNothing = ({
  amountForgiven,
  totalOutOfPocket
}: {
  readonly amountForgiven: number
  readonly totalOutOfPocket: number
}): boolean => amountForgiven === 0 && totalOutOfPocket === 0

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

/** Formats a date or an instant as "July 1, 2026", as the start page writes dates. */
export const monthDayYear = (instant: string): string => {
  const [year, month, day] = instant.slice(0, "YYYY-MM-DD".length).split("-").map(Number)
  return `${MONTHS[month! - 1]} ${day}, ${year}`
}

/** A month for people, such as May 2027. @param month YYYY-MM */
export const longMonth = (month: string): string => longDate(`${month}-01`).slice("1 ".length)

/** The month, YYYY-MM, that is so many months after that of a date. */
export const monthAfter = (date: string, months: number): string => {
  const [year, month] = date.split("-").map(Number)
  return dateOfMonth({ year: year!, month: month! }, months).slice(0, "YYYY-MM".length)
}

/** Formats "2026-07-01" as "1 July 2026". */
export const longDate = (date: string): string => {
  const [year, month, day] = date.split("-").map(Number)
  return `${day} ${MONTHS[month! - 1]} ${year}`
}

const twoDigits = (number: number): string => (number < 10 ? `0${number}` : `${number}`)

/** The UTC day of an instant, YYYY-MM-DD. */
export const dayOf = (instant: Date): string =>
  `${instant.getUTCFullYear()}-${twoDigits(instant.getUTCMonth() + 1)}-${twoDigits(instant.getUTCDate())}`

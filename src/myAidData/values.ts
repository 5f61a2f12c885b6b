/**
 * How values are written in the file. What is not written exactly so is unreadable, which is the same as missing: no
 * amount is ever made of a part of a text.
 */

const MISSING: ReadonlySet<string> = new Set(["", "N/A", "NA", "NOT AVAILABLE", "NULL"])

/** No value that is read is longer in any file, and none that is longer is looked into. */
const LONGEST = 200

/** A value, if there is one. */
export const present = (text: string): string | undefined =>
  text.length > LONGEST || MISSING.has(text.toUpperCase()) ? undefined : text

/** The most that a request may hold. */
const MAX_DOLLARS = 100_000_000

/** Commas stand between thousands alone: with any other they may be decimal points of another country, or a cut value. */
const AMOUNT = /^(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d+)?$/

const withoutSign = (text: string): { readonly sign: 1 | -1; readonly bare: string } => {
  if (text.startsWith("-")) return { sign: -1, bare: text.slice(1) }
  return text.startsWith("(") && text.endsWith(")") ? { sign: -1, bare: text.slice(1, -1) } : { sign: 1, bare: text }
}

/** "$1,234.56", without cents before 2020; a minus or round brackets make it negative. */
export const moneyIn = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const { bare, sign } = withoutSign(text.replace(/[$ ]/g, ""))
  if (bare === "" || !AMOUNT.test(bare)) return undefined
  const amount = Number(bare.replaceAll(",", ""))
  if (amount > MAX_DOLLARS) return undefined
  return amount === 0 ? 0 : sign * amount
}

const PERCENTAGE = /^(\d+(?:\.\d+)?|\.\d+)%?$/

/** "6.80%", or "6.8", as a fraction: the decimal point is moved in the text, so that 6.8 percent are 0.068 exactly. */
export const fractionIn = (text: string | undefined): number | undefined => {
  const [, digits] = PERCENTAGE.exec((text ?? "").replaceAll(" ", "")) ?? []
  const fraction = Number(`${digits}e-2`)
  return fraction <= 1 ? fraction : undefined
}

/** A whole number; undefined if it is none. */
export const countIn = (text: string): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined)

const dateOf = (year: string, month: string, day: string): string | undefined =>
  Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31
    ? `${year}-${month}-${day}`
    : undefined

/** "MM/DD/YYYY" as YYYY-MM-DD, which sorts. */
export const dateIn = (text: string | undefined): string | undefined => {
  const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text ?? "") ?? []
  return year === undefined ? undefined : dateOf(year, month!, day!)
}

/** The day of "YYYY-MM-DD HH:MM:SS". */
export const dayIn = (text: string | undefined): string | undefined => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d) \d\d:\d\d:\d\d$/.exec(text ?? "") ?? []
  return year === undefined ? undefined : dateOf(year, month!, day!)
}

/** The disbursements of a loan: their sum, and the day of the first. */
import { KEYS } from "./keys.ts"
import { allOf, type Block, dateIn, firstOf, moneyIn } from "./layout.ts"

const CENTS = 100

/** The sum in whole cents, without the error of binary fractions. */
const inCents = (amounts: ReadonlyArray<number>): number =>
  Math.round(amounts.reduce((sum, amount) => sum + amount * CENTS, 0)) / CENTS

/** Undefined unless every part can be read, because a partial sum would be wrong. */
const sumOf = (texts: ReadonlyArray<string | undefined>): number | undefined => {
  const amounts = texts.flatMap((text) => moneyIn(text) ?? [])
  if (amounts.length < texts.length) return undefined
  return moneyIn(String(inCents(amounts)))
}

export const disbursedOf = ({ entries }: Block): number | undefined =>
  moneyIn(firstOf(entries, KEYS.disbursedAmount)) || sumOf(allOf(entries, KEYS.disbursementAmount))

/**
 * The day of the first disbursement above $0: null if none is listed, undefined if the list can't be
 * relied on. It can if every disbursement has a date and an amount, none is negative, and they add
 * up to the loan's.
 */
export const firstDisbursementOf = ({ entries }: Block): string | null | undefined => {
  const dates = allOf(entries, KEYS.disbursementDate)
  const amounts = allOf(entries, KEYS.disbursementAmount)
  if (dates.length === 0 && amounts.length === 0) return null
  const days = dates.flatMap((text) => dateIn(text) ?? [])
  const isComplete = days.length === amounts.length && days.length === dates.length
  const whole = moneyIn(firstOf(entries, KEYS.disbursedAmount))
  const sum = sumOf(amounts)
  const parts = amounts.flatMap((text) => moneyIn(text) ?? [])
  const addsUp = sum !== undefined && (whole === undefined || whole === sum) && parts.every((part) => part >= 0)
  return isComplete && addsUp ? days.filter((_, index) => parts[index]! > 0).sort()[0] : undefined
}

/**
 * All possible days of the first disbursement, if the list does not decide. The loan's date is one
 * of them if the list may lack a disbursement. Undefined if any day can't be read.
 */
export const possibleDaysOf = ({ entries }: Block, loanDate: string | undefined): ReadonlyArray<string> | undefined => {
  const dates = allOf(entries, KEYS.disbursementDate)
  const amounts = allOf(entries, KEYS.disbursementAmount)
  const sum = sumOf(amounts)
  const whole = moneyIn(firstOf(entries, KEYS.disbursedAmount))
  const mayLack = sum === undefined || whole === undefined || sum < whole || dates.length < amounts.length
  const days = [...dates.map(dateIn), ...(mayLack ? [loanDate] : [])]
  return days.every((day) => day !== undefined) && dates.length >= amounts.length ? days : undefined
}

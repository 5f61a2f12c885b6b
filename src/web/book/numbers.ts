/** Numbers as people write them. */
import { wholeDollars } from "../../messages/figures.ts"

/** Commas separate thousands, and the point comes last. So 45.000,00 is refused, not read as 45. */
const NUMBER = /^(?:\d{1,15}|\d{1,3}(?:,\d{3}){1,4})?(?:\.(\d{0,12}))?$/
const CENTS_DIGITS = 2

const withoutSign = (typed: string): string => typed.trim().replace(/\s*%$/, "")

/** A percentage without its sign. Some keypads have a comma alone, and no percentage has thousands: it is the point. */
export const bareOf = (typed: string): string => withoutSign(typed).replace(/^(\d*),(\d*)$/, "$1.$2")

/** Parses amounts as people write them: with a currency or percent sign, commas and spaces. */
export const numberOf = (text: string, isPercent: boolean): number | undefined => {
  const written = (isPercent ? bareOf : withoutSign)(text).replace(/^\$\s*/, "")
  const [, decimals = ""] = NUMBER.exec(written) ?? []
  if (!/\d/.test(written) || !NUMBER.test(written) || (!isPercent && decimals.length > CENTS_DIGITS)) return undefined
  const plain = written.replaceAll(",", "")
  // The exponent moves the decimal point, because division would leave noise in the last digit.
  return Number(isPercent ? `${plain}e-2` : plain)
}

/** Amounts less than half a dollar are shown as zero. */
export const isShown = (amount: number): boolean => Math.round(amount) !== 0

/** An amount on the line of a loan. A text that is no number stays as typed. */
export const amountShown = (typed: string): string => {
  const amount = numberOf(typed, false)
  return amount === undefined ? typed.trim() : wholeDollars(amount)
}

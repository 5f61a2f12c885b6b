/** Numbers as people write them. */

/** Commas stand between thousands, and the point is last: elsewhere 45.000,00 is a thousand times as much. */
const NUMBER = /^(?:\d{1,15}|\d{1,3}(?:,\d{3}){1,4})?(?:\.(\d{0,12}))?$/
const CENTS_DIGITS = 2
/** As people write amounts: with a currency sign, commas between thousands, spaces around them, a percent sign. */
export const numberOf = (text: string, isPercent: boolean): number | undefined => {
  const written = text
    .trim()
    .replace(/^\$\s*/, "")
    .replace(/\s*%$/, "")
  const [, decimals = ""] = NUMBER.exec(written) ?? []
  if (!/\d/.test(written) || !NUMBER.test(written) || (!isPercent && decimals.length > CENTS_DIGITS)) return undefined
  const plain = written.replaceAll(",", "")
  // The exponent moves the decimal point: dividing would leave noise in the last digit.
  return Number(isPercent ? `${plain}e-2` : plain)
}

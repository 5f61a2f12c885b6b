/**
 * The roundings of an answer. Amounts round half up to cents or whole dollars. A value within
 * max(1e-7, 4 units in the last place of its double) below a half counts as the half. Rates round
 * half up to millionths, with a tolerance of 1e-12.
 *
 * Each rounding has a lenient variant with the lowest and highest result that doubles may give. The
 * two differ only within twice the tolerance below a half, or within the error of doubles.
 */
import { type Decimal, decimal, larger, ONE, wholeUnits, ZERO } from "./decimal.ts"

/** The lowest and highest rounded value that the tolerance allows. */
export interface Allowed {
  readonly lowest: bigint
  readonly highest: bigint
}

export const CENT = decimal("0.01")
const MIN_TOLERANCE = decimal("0.0000001")
const MILLIONTH = decimal("0.000001")
const RATE_TOLERANCE = decimal("0.000000000001")

/**
 * max(1e-7, 4 ulp). Doubles in [2^e, 2^(e+1)) have an ulp of 2^(e-52); four below 2^27 are < 1e-7.
 */
function tolerance(value: Decimal): Decimal {
  let binade = ONE << 27n
  let fourUlp = ONE >> 23n
  if (value < binade) return MIN_TOLERANCE
  while (value >= binade << 1n) {
    binade <<= 1n
    fourUlp <<= 1n
  }
  return larger(MIN_TOLERANCE, fourUlp)
}

const halfUp = (value: Decimal, unit: Decimal, grace: Decimal): bigint => wholeUnits(value + grace + unit / 2n, unit)

const allowedBetween = (value: Decimal, unit: Decimal, grace: Decimal, reach = ZERO): Allowed => ({
  lowest: halfUp(value, unit, -reach),
  highest: halfUp(value, unit, larger(2n * grace, reach))
})

/** Rounds to whole cents. */
export const toCents = (value: Decimal): bigint => halfUp(value, CENT, tolerance(value))

/** Rounds to whole dollars. */
export const toDollars = (value: Decimal): bigint => halfUp(value, ONE, tolerance(value))

/** Rounds to millionths, for rates. */
export const toMillionths = (value: Decimal): bigint => halfUp(value, MILLIONTH, RATE_TOLERANCE)

/** @param reach error of doubles before rounding, in dollars */
export const allowedCents = (value: Decimal, reach = ZERO): Allowed =>
  allowedBetween(value, CENT, tolerance(value), reach)

export const allowedDollars = (value: Decimal): Allowed => allowedBetween(value, ONE, tolerance(value))

export const allowedMillionths = (value: Decimal): Allowed => allowedBetween(value, MILLIONTH, RATE_TOLERANCE)

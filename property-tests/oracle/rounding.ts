/**
 * Rounding of what leaves: half-up to cents or whole dollars, where a value within max(1e-7, 4 units in the last
 * place of its double) below a half counts as the half. Rates go half-up to millionths with 1e-12.
 * Each rounding has a lenient twin that gives the lowest and the highest answer a computation in doubles may show:
 * they differ only when the exact value lies within twice the tolerance below a half, or within the reach of errors that
 * doubles gather over a projection.
 */
import { type Decimal, decimal, larger, ONE, wholeUnits, ZERO } from "./decimal.ts"

/** Lowest and highest rounded value that the documented tolerance allows. */
export interface Allowed {
  readonly lowest: bigint
  readonly highest: bigint
}

const CENT = decimal("0.01")
const LEAST_TOLERANCE = decimal("0.0000001")
const MILLIONTH = decimal("0.000001")
const RATE_TOLERANCE = decimal("0.000000000001")

/** max(1e-7, 4 ulp): a double in [2^e, 2^(e+1)) has an ulp of 2^(e-52); below 2^27 four of them are under 1e-7. */
function tolerance(value: Decimal): Decimal {
  let binade = ONE << 27n
  let fourUlp = ONE >> 23n
  if (value < binade) return LEAST_TOLERANCE
  while (value >= binade << 1n) {
    binade <<= 1n
    fourUlp <<= 1n
  }
  return larger(LEAST_TOLERANCE, fourUlp)
}

const halfUp = (value: Decimal, unit: Decimal, grace: Decimal): bigint => wholeUnits(value + grace + unit / 2n, unit)

const allowedBetween = (value: Decimal, unit: Decimal, grace: Decimal, reach = ZERO): Allowed => ({
  lowest: halfUp(value, unit, -reach),
  highest: halfUp(value, unit, larger(2n * grace, reach))
})

/** Whole cents. */
export const toCents = (value: Decimal): bigint => halfUp(value, CENT, tolerance(value))

/** Whole dollars. */
export const toDollars = (value: Decimal): bigint => halfUp(value, ONE, tolerance(value))

/** Millionths, for rates. */
export const toMillionths = (value: Decimal): bigint => halfUp(value, MILLIONTH, RATE_TOLERANCE)

/** @param reach dollars that a computation in doubles may be off before it rounds */
export const allowedCents = (value: Decimal, reach = ZERO): Allowed =>
  allowedBetween(value, CENT, tolerance(value), reach)

export const allowedDollars = (value: Decimal): Allowed => allowedBetween(value, ONE, tolerance(value))

export const allowedMillionths = (value: Decimal): Allowed => allowedBetween(value, MILLIONTH, RATE_TOLERANCE)

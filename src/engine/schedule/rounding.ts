/**
 * The roundings of the engine: of the amounts of an answer, and of values compared with a threshold
 * of the law. Nothing inside a projection is rounded. A double cannot represent most cents exactly,
 * so both roundings have a tolerance.
 */

/** A loan with a balance below this many dollars is closed. */
export const CLOSED_BELOW = 0.005

const TIE_DOLLARS = 1e-7
const TIE_ULPS = 4
const CENTS = 100
const PER_MILLIONTH = 1e6
const RATE_TIE = 1e-12
const SIGNIFICAND_BITS = 52
/** Below this value, `TIE_ULPS` units in the last place are less than `TIE_DOLLARS`. */
const ULPS_MATTER_FROM = 1e8

/** The distance below a half at which an amount still rounds up, in dollars. */
const tie = (dollars: number): number =>
  dollars < ULPS_MATTER_FROM
    ? TIE_DOLLARS
    : Math.max(TIE_DOLLARS, TIE_ULPS * 2 ** (Math.floor(Math.log2(dollars)) - SIGNIFICAND_BITS))

/**
 * The difference of two amounts, of about `dollars` each; 0 if negative or within rounding error.
 */
export const beyondRounding = (difference: number, dollars: number): number =>
  difference < tie(dollars) ? 0 : difference

/** Dollars to whole cents, half up. */
export const toCents = (dollars: number): number => Math.floor((dollars + tie(dollars)) * CENTS + 0.5)

/** Whole cents to dollars. */
export const fromCents = (cents: number): number => cents / CENTS

/** Dollars to whole dollars, half up. */
export const toWholeDollars = (dollars: number): number => Math.floor(dollars + tie(dollars) + 0.5)

/** A rate to six decimals, half up. */
export const toRate = (rate: number): number => Math.floor((rate + RATE_TIE) * PER_MILLIONTH + 0.5) / PER_MILLIONTH

/** Dollars to the nearest millionth, for the comparison with a threshold of the law. */
export const forThreshold = (dollars: number): number => Math.round(dollars * PER_MILLIONTH) / PER_MILLIONTH

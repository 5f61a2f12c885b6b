/**
 * How dollars leave the engine, and how a value is tested against a threshold. Nothing inside a projection is rounded;
 * these are the only roundings. A double cannot hold most cents exactly, so both say what counts as equal.
 */

/** A balance below this many dollars is closed: it counts as nothing from then on. */
export const CLOSED_BELOW = 0.005

const TIE_DOLLARS = 1e-7
const TIE_ULPS = 4
const CENTS = 100
const PER_MILLIONTH = 1e6
const RATE_TIE = 1e-12
const SIGNIFICAND_BITS = 52
/** Below this value four units in the last place are less than `TIE_DOLLARS`. */
const ULPS_MATTER_FROM = 1e8

/** How far below a half a value may lie and still count as the half, in dollars. */
const tie = (dollars: number): number =>
  dollars < ULPS_MATTER_FROM
    ? TIE_DOLLARS
    : Math.max(TIE_DOLLARS, TIE_ULPS * 2 ** (Math.floor(Math.log2(dollars)) - SIGNIFICAND_BITS))

/** A difference of amounts as large as `dollars`: nothing, where rounding could be all of it. */
export const beyondRounding = (difference: number, dollars: number): number =>
  difference < tie(dollars) ? 0 : difference

/** Dollars to whole cents, half up. */
export const toCents = (dollars: number): number => Math.floor((dollars + tie(dollars)) * CENTS + 0.5)

/** Whole cents to the dollars of the wire. */
export const fromCents = (cents: number): number => cents / CENTS

/** Dollars to whole dollars, half up. */
export const toWholeDollars = (dollars: number): number => Math.floor(dollars + tie(dollars) + 0.5)

/** A rate to six decimals, half up. */
export const toRate = (rate: number): number => Math.floor((rate + RATE_TIE) * PER_MILLIONTH + 0.5) / PER_MILLIONTH

/** The value that is compared with a threshold of the law: dollars to the nearest millionth. */
export const forThreshold = (dollars: number): number => Math.round(dollars * PER_MILLIONTH) / PER_MILLIONTH

/**
 * Comparisons with thresholds of the law. The value is first rounded to a millionth of a dollar, as
 * the service documents. So "at least T" begins half a millionth below T, and "over T" half a
 * millionth above.
 *
 * If a value is very close to a threshold, or to the half cent at which a loan is closed, doubles
 * may be on the other side. That edge is noted, and the answer is not compared.
 */
import { type Decimal, decimal, distance, wholeUnits } from "./decimal.ts"

/** The edges that an answer came too close to; empty for nearly every request. */
export type Edges = Array<string>

const MILLIONTH = decimal("0.000001")
const HALF_MILLIONTH = decimal("0.0000005")
const REACH = decimal("0.00000001")

/** Rounds half up to six decimals. */
const toMillionthDollar = (value: Decimal): Decimal => wholeUnits(value + HALF_MILLIONTH, MILLIONTH) * MILLIONTH

function note(value: Decimal, edge: Decimal, what: string, edges: Edges) {
  if (distance(value, edge) < REACH) edges.push(what)
}

/** value < threshold, with the value to six decimals. */
export function isBelow(value: Decimal, threshold: Decimal, what: string, edges: Edges): boolean {
  note(value, threshold - HALF_MILLIONTH, what, edges)
  return toMillionthDollar(value) < threshold
}

/** value > threshold, with the value to six decimals. */
export function isOver(value: Decimal, threshold: Decimal, what: string, edges: Edges): boolean {
  note(value, threshold + HALF_MILLIONTH, what, edges)
  return toMillionthDollar(value) > threshold
}

/** value - threshold is not below 0, with the difference to six decimals. */
export function reaches(value: Decimal, threshold: Decimal, what: string, edges: Edges): boolean {
  note(value, threshold - HALF_MILLIONTH, what, edges)
  return value >= threshold - HALF_MILLIONTH
}

/** A loan below half a cent is closed. Only this test uses the unrounded value. */
export const HALF_CENT = decimal("0.005")

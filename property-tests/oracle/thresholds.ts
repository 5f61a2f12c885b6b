/**
 * Tests against the law's thresholds. The tested value is first rounded to a millionth of a dollar, as the service
 * documents, so "at least T" begins half a millionth below T and "over T" half a millionth above it.
 * A value within reach of that edge (or of the half cent at which a loan is closed) can fall on either side when it is
 * computed in doubles: the edge is then noted, and a comparison with such an answer proves nothing. This file decides
 * no amounts.
 */
import { type Decimal, decimal, distance, wholeUnits } from "./decimal.ts"

/** The edges that one answer came too close to; empty for nearly every request. */
export type Edges = Array<string>

const MILLIONTH = decimal("0.000001")
const HALF_MILLIONTH = decimal("0.0000005")
const REACH = decimal("0.00000001")

/** Half-up to six decimals. */
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

/** A loan under half a cent is closed. This one test is made on the value itself, not rounded first. */
export const HALF_CENT = decimal("0.005")

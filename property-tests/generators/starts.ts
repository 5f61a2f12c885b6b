/**
 * Generators of the first month of repayment. Most are December 2026. For the others, July 2028
 * (the end of two plans) is a later month, the first month, or past.
 */
import fc from "fast-check"
import type { Start } from "../oracle/oracle.ts"

/** The most common start, which is that of an answer computed in November 2026. */
export const COMMON_START: Start = { year: 2026, month: 12 }

const monthsLater = (months: number): Start => {
  const month = COMMON_START.month - 1 + months
  return { year: COMMON_START.year + Math.floor(month / 12), month: (month % 12) + 1 }
}

/** Months after December 2026. July 2027 is 7 months later, July 2028 is 19. */
const starts: fc.Arbitrary<Start> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(COMMON_START) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 23 }).map(monthsLater) },
  { weight: 2, arbitrary: fc.constantFrom(6, 7, 8, 17, 18, 19, 20).map(monthsLater) }
)

/** Pairs of a request and the first month for which it was generated. */
export const started = <R>(requestsFrom: (start: Start) => fc.Arbitrary<R>): fc.Arbitrary<[R, Start]> =>
  starts.chain((start) => fc.tuple(requestsFrom(start), fc.constant(start)))

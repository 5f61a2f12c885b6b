/**
 * Holds the engine against the exact oracle on many random requests and prints every difference:
 * `npm run agreement -- [requests] [seed]`. Exits 1 when there is one.
 */
import fc from "fast-check"
import {
  calculationVerdict,
  comparisonVerdict,
  eligibilityVerdict,
  projectionVerdict,
  type Verdict
} from "../property-tests/agreement.ts"
import {
  calculationRequests,
  comparisonRequests,
  eligibilityRequests,
  projectionRequests,
  started
} from "../property-tests/generators/requests.ts"
import type { Start } from "../property-tests/oracle/oracle.ts"

const MOST_SHOWN = 5

const [requests = 20_000, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number)

/** Draws, compares and prints; returns how many requests differ. */
const hold = <R>(
  name: string,
  requestsFrom: (start: Start) => fc.Arbitrary<R>,
  verdictOf: (request: R, start: Start) => Verdict,
  count: number
): number => {
  const begun = performance.now()
  let undecided = 0
  let differing = 0
  for (const [request, start] of fc.sample(started(requestsFrom), { numRuns: count, seed })) {
    const verdict = verdictOf(request, start)
    if (verdict === undefined) undecided++
    else if (verdict.length > 0 && ++differing <= MOST_SHOWN)
      console.error(JSON.stringify({ name, verdict, start, request }))
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  console.log(`${name}: ${count} requests, ${differing} differ, ${undecided} on an edge of doubles, ${seconds} s`)
  return differing
}

console.log(`seed ${seed}`)
const differing =
  hold(
    "projection",
    (start) => projectionRequests({ mostLoans: 100, start }),
    projectionVerdict,
    Math.round(requests * 0.85)
  ) +
  hold(
    "comparison",
    (start) => comparisonRequests({ mostLoans: 3, start }),
    comparisonVerdict,
    Math.round(requests * 0.02)
  ) +
  hold("eligibility", () => eligibilityRequests({ mostLoans: 100 }), eligibilityVerdict, Math.round(requests * 0.08)) +
  hold("calculator", (start) => calculationRequests({ start }), calculationVerdict, Math.round(requests * 0.05))
process.exitCode = differing === 0 ? 0 : 1

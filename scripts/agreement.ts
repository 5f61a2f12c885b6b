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
  projectionRequests
} from "../property-tests/generators/requests.ts"

const MOST_SHOWN = 5

const [requests = 20_000, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number)

/** Draws, compares and prints; returns how many requests differ. */
const hold = <R>(
  name: string,
  arbitrary: fc.Arbitrary<R>,
  verdictOf: (request: R) => Verdict,
  count: number
): number => {
  const started = performance.now()
  let undecided = 0
  let differing = 0
  for (const request of fc.sample(arbitrary, { numRuns: count, seed })) {
    const verdict = verdictOf(request)
    if (verdict === undefined) undecided++
    else if (verdict.length > 0 && ++differing <= MOST_SHOWN) console.error(JSON.stringify({ name, verdict, request }))
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(`${name}: ${count} requests, ${differing} differ, ${undecided} on an edge of doubles, ${seconds} s`)
  return differing
}

console.log(`seed ${seed}`)
const differing =
  hold("projection", projectionRequests({ mostLoans: 100 }), projectionVerdict, Math.round(requests * 0.85)) +
  hold("comparison", comparisonRequests({ mostLoans: 3 }), comparisonVerdict, Math.round(requests * 0.02)) +
  hold("eligibility", eligibilityRequests({ mostLoans: 100 }), eligibilityVerdict, Math.round(requests * 0.08)) +
  hold("calculator", calculationRequests(), calculationVerdict, Math.round(requests * 0.05))
process.exitCode = differing === 0 ? 0 : 1

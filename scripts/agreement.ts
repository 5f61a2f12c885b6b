/**
 * The `agreement` task: compares the engine with the exact oracle on many random requests, and
 * prints the first differences.
 */
import fc from "fast-check"
import {
  calculationVerdict,
  comparisonVerdict,
  coupleVerdict,
  eligibilityVerdict,
  pathsVerdict,
  projectionVerdict,
  type Verdict
} from "../property-tests/agreement.ts"
import { couples } from "../property-tests/generators/couples.ts"
import {
  BY_FIELDS,
  calculationRequests,
  comparisonRequests,
  eligibilityRequests,
  pathsRequests,
  projectionRequests,
  started
} from "../property-tests/generators/requests.ts"
import type { Start } from "../property-tests/oracle/oracle.ts"
import { insist, Misuse, say, step } from "./harness.ts"

const MAX_SHOWN = 5

interface Draw {
  readonly numRuns: number
  readonly seed: number
}

const compare = <R>(
  name: string,
  requestsFrom: (start: Start) => fc.Arbitrary<R>,
  verdictOf: (request: R, start: Start) => Verdict,
  draw: Draw
) =>
  step(name, () => {
    let undecided = 0
    let differing = 0
    for (const [request, start] of fc.sample(started(requestsFrom), draw)) {
      const verdict = verdictOf(request, start)
      if (verdict === undefined) undecided++
      else if (verdict.length > 0 && ++differing <= MAX_SHOWN)
        console.error(JSON.stringify({ name, verdict, start, request }))
    }
    const found = `${draw.numRuns} requests, ${differing} differ, ${undecided} on an edge of doubles`
    insist(differing === 0, found)
    return found
  })

export default async ([requests = "20000", seed = String(Date.now() % 2 ** 31)]: ReadonlyArray<string>) => {
  if (!(Number(requests) > 0) || !Number.isInteger(Number(seed)))
    throw new Misuse("agreement [requests] [seed]: numbers")
  say(`seed ${seed}`)
  const draw = (share: number): Draw => ({ numRuns: Math.round(Number(requests) * share), seed: Number(seed) })
  for (const [fields, options] of BY_FIELDS) {
    const projections = (start: Start) => projectionRequests({ maxLoans: 100, start, ...options })
    const comparisons = (start: Start) => comparisonRequests({ maxLoans: 3, start, ...options })
    const books = () => eligibilityRequests({ maxLoans: 100, ...options })
    const calculations = (start: Start) => calculationRequests({ start, ...options })
    await compare(`projection${fields}`, projections, projectionVerdict, draw(0.85))
    await compare(`comparison${fields}`, comparisons, comparisonVerdict, draw(0.02))
    await compare(`eligibility${fields}`, books, eligibilityVerdict, draw(0.08))
    await compare(`calculator${fields}`, calculations, calculationVerdict, draw(0.05))
  }
  await compare("best path", pathsRequests, pathsVerdict, draw(0.002))
  await compare("couple", couples, coupleVerdict, draw(0.02))
}

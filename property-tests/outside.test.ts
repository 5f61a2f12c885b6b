/**
 * Test that a projection reports the loans outside its plan, and their part of the first payment.
 * The explanation of that month, which runs each loan separately, must agree. PROPERTY_SEED changes
 * the requests.
 */

import { Schema } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { ProjectionRequest } from "../schema/projection.ts"
import { explain } from "../src/engine/explanation.ts"
import { currentLaw } from "../src/engine/law/law.ts"
import { project } from "../src/engine/projection.ts"
import { toWholeDollars } from "../src/engine/schedule/rounding.ts"
import { makeWorkspace } from "../src/engine/schedule/workspace.ts"
import { runs, seedOr } from "../test/support/random.ts"
import { projectionRequests, started } from "./generators/requests.ts"

const seed = seedOr(20261122)
const RUNS = runs(500, 3_000)
const workspace = makeWorkspace()
const decode = Schema.decodeUnknownSync(ProjectionRequest)

it(`projection and explanation agree on the loans outside the plan on ${RUNS} requests`, { timeout: 120_000 }, () => {
  const seen = { mixed: 0, plain: 0 }
  const requests = started((start) => projectionRequests({ maxLoans: 6, start, highestRate: 0.3 }))
  fc.assert(
    fc.property(requests, ([wire, start]) => {
      const request = decode(wire)
      const projection = project(currentLaw, request, start, workspace)
      fc.pre(projection._tag === "Projection")
      const explained = explain(currentLaw, request, start, 0, workspace)
      if (projection._tag !== "Projection" || explained._tag !== "Explanation") return
      const beside = explained.parts.find(({ group }) => group === "beside")
      seen[beside === undefined ? "plain" : "mixed"]++
      expect(projection.outside).toEqual(
        beside && {
          loans: beside.loans.map(({ loan }) => loan),
          year1MonthlyPayment: toWholeDollars(beside.payment)
        }
      )
    }),
    { numRuns: RUNS, seed }
  )
  expect(Math.min(seen.mixed, seen.plain)).toBeGreaterThan(RUNS / 10)
})

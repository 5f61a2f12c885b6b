/**
 * Tests of monthly payments: they add up to the yearly series, start with the first payment, and
 * equal the explained payment of a month. PROPERTY_SEED draws other requests.
 */

import { Schema } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { ProjectionRequest } from "../schema/projection.ts"
import { explain } from "../src/engine/explanation.ts"
import { currentLaw } from "../src/engine/law/law.ts"
import { monthlyPayments } from "../src/engine/months.ts"
import { project } from "../src/engine/projection.ts"
import { makeWorkspace } from "../src/engine/schedule/workspace.ts"
import { runs, seedOr } from "../test/support/random.ts"
import { projectionRequests, started } from "./generators/requests.ts"
import type { Start } from "./oracle/oracle.ts"

const seed = seedOr(20261122)
const RUNS = runs(500, 3_000)
/** Equality within a cent and the floating-point error of sums of up to 600 amounts. */
const nearly = (a: number, b: number): boolean => Math.abs(a - b) <= 0.011 + 1e-12 * Math.abs(b)

const decode = Schema.decodeUnknownSync(ProjectionRequest)
const workspace = makeWorkspace()

it(`monthly payments add up to the years of ${RUNS} requests of all ten plans`, { timeout: 300_000 }, () => {
  let answered = 0
  const requests = started((start) => {
    const options = { maxLoans: 6, start, highestRate: 0.3 }
    const drawn = fc.oneof(projectionRequests(options), projectionRequests({ ...options, additions: true }))
    return fc.tuple(drawn, fc.nat())
  })
  const check = ([[wire, draw], start]: [[unknown, number], Start]) => {
    const request = { ...decode(wire), includeYearly: true }
    const projection = project(currentLaw, request, start, workspace)
    fc.pre(projection._tag === "Projection")
    if (projection._tag !== "Projection") return
    const count = (projection.monthsToFinish ?? 599) + 1
    const months = monthlyPayments(currentLaw, request, start, count, workspace)
    if ("_tag" in months) throw new Error("every projection has months")
    answered++
    expect(months).toHaveLength(count)
    const beyond = months[0]! - projection.firstMonthPayment
    expect(beyond).toBeGreaterThan(-0.0051)
    expect(beyond).toBeLessThan((request.scenario.extraMonthlyPayment ?? 0) + 0.0051)
    for (const { paymentsThisYear, year } of projection.yearly!.slice(1)) {
      const paid = months.slice((year - 1) * 12, year * 12).reduce((sum, month) => sum + month, 0)
      expect(nearly(paid, paymentsThisYear)).toBe(true)
    }
    const month = draw % count
    const explained = explain(currentLaw, request, start, month, workspace)
    if (explained._tag === "Refusal") throw new Error("every projection can be explained")
    expect(nearly(explained.payment, months[month]!)).toBe(true)
  }
  fc.assert(fc.property(requests, check), { numRuns: RUNS, seed })
  expect(answered).toBe(RUNS)
})

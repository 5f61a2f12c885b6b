/** Tests that the rows of a portfolio run have the figures of the same requests projected alone. */

import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ProjectionRequest } from "../schema/projection.ts"
import { PLAN_TYPES } from "../schema/scenario.ts"
import { currentLaw } from "../src/engine/law/law.ts"
import { costCents, project } from "../src/engine/projection.ts"
import { computeChunk } from "../src/portfolio/compute/chunk.ts"
import type { Portfolio } from "../src/portfolio/results/portfolio.ts"
import { rowsIn } from "../test/support/borrowers.ts"
import { runs, seedOr } from "../test/support/random.ts"
import { projectionRequests } from "./generators/requests.ts"

const seed = seedOr(20261121)
const RUNS = runs(20, 60)

const PORTFOLIO: Portfolio = {
  plans: PLAN_TYPES,
  baseline: "GRADUATED",
  start: { year: 2027, month: 1 },
  format: "ndjson",
  ignore: [],
  recordAt: null
}

/** Plans that a court vacated on March 10, 2026, so that nobody can elect them. */
const ENDED = ["SAVE", "REVISED PAY AS YOU EARN"]

const decode = Schema.decodeUnknownSync(ProjectionRequest)
type Wire = Parameters<typeof lineOf>[1]

/** A request as a line of a portfolio file, which has no label and names the plan `currentPlan`. */
const lineOf = (number: number, { loans, scenario }: typeof ProjectionRequest.Encoded): string => {
  const { label: _label, planType: currentPlan, ...own } = scenario
  return JSON.stringify({ borrowerId: `B${number}`, ...own, currentPlan, loans })
}

const expected = (number: number, wire: Wire) =>
  PLAN_TYPES.map((planType) => {
    const { loans, scenario } = decode(wire)
    const outcome = project(
      currentLaw,
      { loans, scenario: { ...scenario, planType }, includeYearly: false },
      PORTFOLIO.start
    )
    const of = { borrowerId: `B${number}`, planType }
    return outcome._tag === "Refusal"
      ? { ...of, outcome: outcome.kind, totalCost: null, year1MonthlyPayment: null }
      : {
          ...of,
          outcome: "answered",
          reason: null,
          year1MonthlyPayment: outcome.year1MonthlyPayment,
          monthsToFinish: outcome.monthsToFinish,
          payoffOrForgivenessDate: outcome.payoffOrForgivenessDate?.slice(0, "YYYY-MM-DD".length) ?? null,
          totalOutOfPocket: outcome.totalOutOfPocket,
          amountForgiven: outcome.amountForgiven,
          forgivenessTaxesOwed: outcome.forgivenessTaxesOwed,
          totalCost: costCents(outcome) / 100,
          forgivenessType: outcome.forgivenessType,
          loansBeside: outcome.outside?.loans.length ?? 0
        }
  })

describe("borrowers of a portfolio", () => {
  it("have the same figures as each projected alone", () => {
    fc.assert(
      fc.property(fc.array(projectionRequests({ maxLoans: 6 }), { minLength: 1, maxLength: 6 }), (wires) => {
        const lines = wires.map((wire, number) => lineOf(number, wire)).join("\n")
        const chunk = {
          index: 0,
          file: "-",
          firstRow: 1,
          isTable: false,
          lines: new TextEncoder().encode(lines),
          duplicateIds: new Set<bigint>()
        }
        const result = computeChunk(PORTFOLIO, chunk)
        expect(result.rejected).toBe("")
        const read = rowsIn(result)
        const all = wires.flatMap((wire, number) => expected(number, wire))
        expect(read).toHaveLength(all.length)
        for (const [index, row] of read.entries()) expect(row).toMatchObject(all[index]!)
      }),
      { numRuns: RUNS, seed }
    )
  })

  it("have exactly one lowest plan if any electable plan has figures", () => {
    fc.assert(
      fc.property(projectionRequests({ maxLoans: 6 }), (wire) => {
        const chunk = {
          index: 0,
          file: "-",
          firstRow: 1,
          isTable: false,
          lines: new TextEncoder().encode(lineOf(0, wire)),
          duplicateIds: new Set<bigint>()
        }
        const rows = rowsIn(computeChunk(PORTFOLIO, chunk))
        const open = rows.filter(({ outcome, planType }) => outcome === "answered" && !ENDED.includes(planType))
        const lowest = rows.filter(({ isLowest }) => isLowest)
        expect(lowest).toHaveLength(Math.min(1, open.length))
        for (const { totalCost } of open) expect(lowest[0].totalCost).toBeLessThanOrEqual(totalCost)
      }),
      { numRuns: RUNS, seed }
    )
  })
})

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
  carry: [],
  recordAt: null
}

/** Plans that a court vacated on March 10, 2026, so that nobody can elect them. */
const ENDED = ["SAVE", "REVISED PAY AS YOU EARN"]

/** Requests, some of them with dates, growth of prices, changes by year and extra payments. */
const requests = fc.oneof(
  projectionRequests({ maxLoans: 6 }),
  projectionRequests({ maxLoans: 6, additions: true, start: PORTFOLIO.start })
)

const decode = Schema.decodeUnknownSync(ProjectionRequest)
type Wire = Parameters<typeof lineOf>[1]

/** A request as a line of a portfolio file, which has no label and names the plan `currentPlan`. */
const lineOf = (number: number, { loans, scenario }: typeof ProjectionRequest.Encoded): string => {
  const { label: _label, planType: currentPlan, ...own } = scenario
  return JSON.stringify({ borrowerId: `B${number}`, ...own, currentPlan, loans })
}

/** Cells of text as in CSV, where null is an empty cell and a list is JSON. */
const cellsOf = (members: object) =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      Array.isArray(value) ? JSON.stringify(value) : String(value ?? "")
    ])
  )

/** The same borrower as rows of a table, one for each loan. */
const tableLineOf = (line: string): string => {
  const { loans, ...own } = JSON.parse(line)
  return JSON.stringify(loans.map((loan: object) => cellsOf({ ...own, ...loan })))
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

const chunkOf = (lines: ReadonlyArray<string>, isTable = false) => ({
  index: 0,
  file: "-",
  firstRow: 1,
  isTable,
  lines: new TextEncoder().encode(lines.join("\n")),
  duplicateIds: new Set<bigint>()
})

describe("borrowers of a portfolio", () => {
  it("have the same figures as each projected alone", () => {
    fc.assert(
      fc.property(fc.array(requests, { minLength: 1, maxLength: 6 }), (wires) => {
        const lines = wires.map((wire, number) => lineOf(number, wire))
        const result = computeChunk(PORTFOLIO, chunkOf(lines))
        expect(result.rejected).toBe("")
        const read = rowsIn(result)
        const all = wires.flatMap((wire, number) => expected(number, wire))
        expect(read).toHaveLength(all.length)
        for (const [index, row] of read.entries()) expect(row).toMatchObject(all[index]!)
      }),
      { numRuns: RUNS, seed }
    )
  })

  it("have the same rows if they are read from the cells of a table", () => {
    fc.assert(
      fc.property(requests, (wire) => {
        const line = lineOf(0, wire)
        const table = computeChunk(PORTFOLIO, chunkOf([tableLineOf(line)], true))
        expect(table.rejected).toBe("")
        expect(rowsIn(table)).toEqual(rowsIn(computeChunk(PORTFOLIO, chunkOf([line]))))
      }),
      { numRuns: RUNS, seed }
    )
  })

  it("have exactly one lowest plan if any electable plan has figures", () => {
    fc.assert(
      fc.property(requests, (wire) => {
        const rows = rowsIn(computeChunk(PORTFOLIO, chunkOf([lineOf(0, wire)])))
        const open = rows.filter(({ outcome, planType }) => outcome === "answered" && !ENDED.includes(planType))
        const lowest = rows.filter(({ isLowest }) => isLowest)
        expect(lowest).toHaveLength(Math.min(1, open.length))
        for (const { totalCost } of open) expect(lowest[0].totalCost).toBeLessThanOrEqual(totalCost)
      }),
      { numRuns: RUNS, seed }
    )
  })
})

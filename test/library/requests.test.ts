/**
 * Tests of the library's requests. On random requests with random errors, it accepts and refuses
 * what the contract's schemas do, and fills in the same defaults. The other groups cover invalid
 * arguments and the library's functions.
 */

import { Effect, Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { coupleRequestOf, couples } from "../../property-tests/generators/couples.ts"
import {
  calculationRequests,
  comparisonRequests,
  eligibilityRequests,
  projectionRequests,
  started
} from "../../property-tests/generators/requests.ts"
import { KeylessLoanRequest } from "../../schema/calculator.ts"
import { ComparisonRequest } from "../../schema/comparison.ts"
import { CoupleRequest } from "../../schema/couple.ts"
import { EligibilityRequest } from "../../schema/eligibility.ts"
import { ExplainRequest } from "../../schema/explanation.ts"
import { PathsRequest } from "../../schema/paths.ts"
import { PlansRequest } from "../../schema/plans.ts"
import { ProjectionRequest } from "../../schema/projection.ts"
import { PLAN_TYPES } from "../../schema/scenario.ts"
import * as library from "../../src/library/index.ts"
import { decodeStrictly, type StrictSchema } from "../../src/request/decode.ts"
import { changed, changesTo } from "../request/damage.ts"
import { EDGES, type Json } from "../support/edges.ts"
import { runs } from "../support/random.ts"
import { loan, projection } from "../support/requests.ts"

const START = { year: 2026, month: 12 }

const REQUESTS = {
  projection: { schema: ProjectionRequest, requests: projectionRequests({ maxLoans: 3 }) },
  comparison: { schema: ComparisonRequest, requests: comparisonRequests({ maxLoans: 2 }) },
  couple: { schema: CoupleRequest, requests: started(couples).map(([couple]) => coupleRequestOf(couple)) },
  paths: {
    schema: PathsRequest,
    requests: fc
      .tuple(projectionRequests({ maxLoans: 2 }), fc.constantFrom(...PLAN_TYPES, null))
      .map(([one, currentPlan]) => ({ ...one, currentPlan }))
  },
  plans: {
    schema: PlansRequest,
    requests: projectionRequests({ maxLoans: 2 }).map(({ loans, scenario }) => {
      const { label: _label, planType: _planType, ...household } = scenario
      return { scenario: household, loans, bestPath: true }
    })
  },
  explanation: {
    schema: ExplainRequest,
    requests: fc.tuple(projectionRequests({ maxLoans: 2 }), fc.nat(700)).map(([one, month]) => ({ ...one, month }))
  },
  eligibility: { schema: EligibilityRequest, requests: eligibilityRequests({ maxLoans: 3 }) },
  calculation: { schema: KeylessLoanRequest, requests: calculationRequests() }
} satisfies Record<keyof typeof library.decode, { schema: StrictSchema; requests: fc.Arbitrary<unknown> }>

/** The decoded request, or its errors. */
const outcomeOf = (read: () => unknown) => {
  try {
    return { read: read() }
  } catch (error) {
    if (error instanceof library.RequestError) return { errors: error.errors }
    throw error
  }
}

const COUNT = runs(60, 600)

describe("the library's decoder", () => {
  it.each(Object.entries(REQUESTS))(
    "accepts and refuses the same as the contract's schema for each %s",
    (name, { requests, schema }) => {
      const decode = decodeStrictly(schema as StrictSchema)
      const counts = { taken: 0, refused: 0 }
      const check = fc.property(requests as fc.Arbitrary<unknown>, changesTo(EDGES), (request, all) => {
        const wire = changed(request as Json, all)
        const theirs = Effect.runSync(Effect.result(decode(wire)))
        const ours = outcomeOf(() => library.decode[name as keyof typeof REQUESTS](wire))
        counts[Result.isSuccess(theirs) ? "taken" : "refused"]++
        if (Result.isSuccess(theirs)) expect(ours.read).toEqual(theirs.success)
        else expect(Object.keys(ours.errors ?? {}).sort()).toEqual(Object.keys(theirs.failure).sort())
      })
      fc.assert(check, { numRuns: COUNT, seed: 20261122 })
      expect(counts.taken).toBeGreaterThan(COUNT / 10)
      expect(counts.refused).toBeGreaterThan(COUNT / 10)
    }
  )

  it("returns a decoded request unchanged", () => {
    const check = fc.property(projectionRequests({ maxLoans: 3 }), (wire) => {
      const read = library.decode.projection(wire)
      expect(library.decode.projection(read)).toEqual(read)
    })
    fc.assert(check, { numRuns: runs(40, 100), seed: 20261122 })
  })
})

describe("an invalid argument", () => {
  const errorsOf = (request: unknown, from: unknown = { start: START }) => {
    const outcome = outcomeOf(() => library.project(request as library.ProjectionRequest, from as library.From))
    expect(outcome.read).toBeUndefined()
    return outcome.errors!
  }

  it("is refused with every problem by field, in the contract's messages", () => {
    const wrong = {
      scenario: { ...projection.scenario, state: undefined },
      loans: [{ ...loan, interestRate: 6.54 }],
      rate: 6
    }
    expect(errorsOf(wrong)).toEqual({
      "scenario.state": ["is required: send a two-letter US state code, such as NC"],
      "loans[0].interestRate": [
        "must be 0 to 1: send a fraction, such as 0.0654 for 6.54%; 6.54 looks like a percentage; send 0.0654"
      ],
      rate: ["is not a known property; remove it"]
    })
    expect(() => library.project(wrong as never, { start: START })).toThrow(
      /^rate is not a known property; remove it; /
    )
  })

  it.each([undefined, null, 7, "{}", [[]], { start: START }])("is refused if the request is %o", (value) => {
    expect(Object.keys(errorsOf(value)).length).toBeGreaterThan(0)
  })

  it.each([
    undefined,
    {},
    { start: "2026-12" },
    { start: new Date() },
    { start: { year: 2026, month: 0 } },
    { start: { year: 2026, month: 13 } },
    { start: { year: 2026, month: 1.5 } },
    { start: { year: 26, month: 12 } },
    { start: { year: "2026", month: 12 } }
  ])("is refused if the options are %o", (from) => {
    const read = outcomeOf(() => library.project(projection, from as library.From))
    expect(Object.keys(read.errors!)).toEqual(["start"])
  })

  it("is refused as a law, a day or a count of months", () => {
    expect(Object.keys(errorsOf(projection, { start: START, law: "2026" }))).toEqual(["law"])
    for (const day of ["2026-02-30", "2026", "today", ""]) {
      expect(Object.keys(outcomeOf(() => library.lawOf(day)).errors!)).toEqual(["day"])
    }
    for (const count of [0, -1, 1.5, 601, Number.NaN]) {
      const outcome = outcomeOf(() => library.monthlyPayments(projection, { start: START, count }))
      expect(Object.keys(outcome.errors!)).toEqual(["count"])
    }
  })

  it("is refused with at most 50 fields", () => {
    const loans = Array.from({ length: 100 }, () => ({ ...loan, interestRate: -1 }))
    expect(Object.keys(errorsOf({ ...projection, loans }))).toHaveLength(50)
  })
})

describe("the library's functions", () => {
  it("return monthly payments that add up to the total paid", () => {
    const check = fc.property(projectionRequests({ maxLoans: 3, highestBalance: 200_000 }), (wire) => {
      const request = wire as library.ProjectionRequest
      const projected = library.project(request, { start: START })
      const payments = library.monthlyPayments(request, { start: START })
      if (projected._tag === "Refusal" || !(payments instanceof Float64Array)) {
        expect(payments).toEqual(projected)
        return
      }
      expect(payments.length).toBe((projected.monthsToFinish ?? 599) + 1)
      expect(payments.reduce((sum, one) => sum + one, 0)).toBeCloseTo(projected.totalOutOfPocket, 1)
    })
    fc.assert(check, { numRuns: runs(50, 200), seed: 20261122 })
  })

  it("compute under the law of a day, by default that of the release", () => {
    const release = library.lawOf(library.releasedAtUtc.slice(0, 10))
    expect(library.project(projection, { start: START, law: release })).toEqual(
      library.project(projection, { start: START })
    )
    const plans = library.eligiblePlans({ loans: [loan] }, { law: release })
    expect(plans[0]!.eligiblePlanTypes).toContain("REPAYMENT ASSISTANCE")
  })

  it("find the best path, whose plans give the same projection", () => {
    const currentPlan = " save " as "SAVE"
    const found = library.bestPath({ ...projection, currentPlan }, { start: START })
    if (found._tag === "Refusal") throw new Error(library.reasonsOf(found).join())
    const { planChanges, planType } = found.best
    const scenario = { ...projection.scenario, planType, planChanges }
    const projected = library.project({ ...projection, scenario }, { start: START })
    expect(projected).toMatchObject({ planType: "SAVE", totalOutOfPocket: found.best.projection.totalOutOfPocket })
    expect(found.best.cost).toBeLessThanOrEqual(found.bestWithoutChange.cost)
  })

  it("do not change the request", () => {
    const request = { ...projection, scenario: { ...projection.scenario, planType: " save " as "SAVE" } }
    const before = structuredClone(request)
    const answer = library.project(request, { start: START })
    expect(request).toEqual(before)
    expect(answer).toMatchObject({ planType: "SAVE" })
  })
})

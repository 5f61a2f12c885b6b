/** Tests that the library and the running service return the same figures, rules and refusals. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  calculationRequests,
  comparisonRequests,
  eligibilityRequests,
  projectionRequests
} from "../../property-tests/generators/requests.ts"
import * as library from "../../src/library/index.ts"
import { runs } from "../support/random.ts"
import { useService } from "../support/runningService.ts"
import { NO_LIMITS } from "../support/settings.ts"

const service = useService({ SANDBOX_MONTHLY_CALLS: "1000", ...NO_LIMITS })

const SEED = 20261122
const PROJECTIONS = runs(60, 300)
const OTHERS = runs(30, 80)

interface WireAnswer extends Readonly<Record<string, unknown>> {
  readonly provenance: {
    readonly computedAtUtc: string
    readonly citations: ReadonlyArray<{ readonly id: string }>
    readonly knownOmissions?: ReadonlyArray<{ readonly id: string }>
  }
}

interface WireProblem {
  readonly errors: Readonly<Record<string, ReadonlyArray<string>>>
}

/** The service's answer or problem. */
const ask = async (path: string, json: unknown, key: string) => {
  const response = await service().call("POST", path, { json, key })
  return { isAnswer: response.ok, status: response.status, body: (await response.json()) as unknown }
}

/** The figures of a wire answer; the library's members have the same names. */
const figuresOf = (answer: WireAnswer) => {
  const { forgivenessTypeCode: _code, provenance: _provenance, ...figures } = answer
  return figures
}

const ids = (list: ReadonlyArray<{ readonly id: string }> = []): ReadonlyArray<string> =>
  list.map(({ id }) => id).sort()

const expectSame = (ours: library.Projection, theirs: WireAnswer) => {
  expect(ours).toMatchObject(figuresOf(theirs))
  expect([...ours.citations].sort()).toEqual(ids(theirs.provenance.citations))
  expect([...ours.omissions].sort()).toEqual(ids(theirs.provenance.knownOmissions))
}

const startAt = ({ provenance }: WireAnswer): library.From => ({
  start: library.startMonthOf(new Date(provenance.computedAtUtc))
})

const now = (): library.From => ({ start: library.startMonthOf(new Date()) })

const sample = <A>(requests: fc.Arbitrary<A>, count: number): ReadonlyArray<A> =>
  fc.sample(requests, { numRuns: count, seed: SEED })

describe("the library and the service", () => {
  it(`agree on ${PROJECTIONS} projections, including the messages of refusals`, async () => {
    const key = await service().mint()
    let refused = 0
    for (const wire of sample(projectionRequests({ maxLoans: 5, additions: true }), PROJECTIONS)) {
      const request = wire as library.ProjectionRequest
      const { body, isAnswer } = await ask("/v1/projection", wire, key)
      const outcome = library.project(request, isAnswer ? startAt(body as WireAnswer) : now())
      if (outcome._tag === "Projection") expectSame(outcome, body as WireAnswer)
      else {
        refused++
        const messages = Object.values((body as WireProblem).errors).flat()
        expect(messages).toEqual(expect.arrayContaining([...library.reasonsOf(outcome)]))
      }
    }
    expect(refused).toBeGreaterThan(10)
    expect(refused).toBeLessThan(PROJECTIONS / 2)
  })

  it(`agree on ${OTHERS} comparisons`, async () => {
    const key = await service().mint()
    let compared = 0
    for (const wire of sample(comparisonRequests({ maxLoans: 3, additions: true }), OTHERS)) {
      const request = wire as library.ComparisonRequest
      const { body, isAnswer } = await ask("/v1/comparison", wire, key)
      const answer = body as WireAnswer & { readonly projections: ReadonlyArray<WireAnswer> }
      const outcome = library.compare(request, isAnswer ? startAt(answer) : now())
      expect(outcome._tag).toBe(isAnswer ? "Comparison" : "RefusedArms")
      if (outcome._tag === "RefusedArms") continue
      compared++
      expect(outcome.lowestCostLabel).toBe(answer["lowestCostLabel"])
      expect(outcome.projections).toMatchObject(answer.projections.map(figuresOf))
    }
    expect(compared).toBeGreaterThan(10)
  })

  it(`agree on ${OTHERS} calculations`, async () => {
    for (const wire of sample(calculationRequests({ additions: true }), OTHERS)) {
      const { body } = await ask("/v1/calculators/loan", wire, "")
      const answer = body as library.Calculation
      const ours = library.calculate(wire as library.KeylessLoanRequest, now())
      expect({ ...ours, excludedPlans: [] }).toEqual({
        lowestMonthlyPlan: answer.lowestMonthlyPlan,
        lowestLifetimeCostPlan: answer.lowestLifetimeCostPlan,
        plans: answer.plans,
        excludedPlans: []
      })
      expect(ours.excludedPlans.map(({ plan }) => plan)).toEqual(answer.excludedPlans.map(({ plan }) => plan))
    }
  })

  it(`agree on the electable plans of ${OTHERS} loan books`, async () => {
    const key = await service().mint()
    for (const wire of sample(eligibilityRequests({ maxLoans: 5, additions: true }), OTHERS)) {
      const { body } = await ask("/v1/plan-eligibility", wire, key)
      const ours = library.eligiblePlans(wire as library.EligibilityRequest)
      expect(ours).toEqual((body as { readonly loans: unknown }).loans)
    }
  })

  it(`agree on ${OTHERS} explained payments`, async () => {
    let explained = 0
    for (const [index, wire] of sample(projectionRequests({ maxLoans: 3, additions: true }), OTHERS).entries()) {
      const request = { ...wire, month: 1 + ((index * 37) % 240) } as library.ExplainRequest
      const { body, isAnswer } = await ask("/v1/explain", request, "")
      const outcome = library.explain(request, now())
      expect(outcome._tag).toBe(isAnswer ? "Explanation" : "Refusal")
      if (outcome._tag === "Refusal") continue
      explained++
      expect(outcome.paymentInCents).toBe((body as { readonly payment: number }).payment)
    }
    expect(explained).toBeGreaterThan(10)
  })
})

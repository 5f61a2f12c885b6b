/**
 * Tests that a whole book under every plan has the figures and refusals of a projection under each,
 * and that its best path is a projection with these changes of plan.
 */
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { PlansRequest, type PlansResult } from "../schema/plans.ts"
import { ProjectionRequest, type ProjectionResult } from "../schema/projection.ts"
import { PLAN_TYPES, type PlanType } from "../schema/scenario.ts"
import { Engine } from "../src/engine/Engine.ts"
import { currentLaw } from "../src/engine/index.ts"
import { refusalMessages } from "../src/messages/refusals.ts"
import { decodeStrictly } from "../src/request/decode.ts"
import { plansUnrecorded, projectUnrecorded } from "../src/services/answers/local.ts"
import { newSeedOr, runs } from "../test/support/random.ts"
import { projectionRequests, started } from "./generators/requests.ts"
import type { Start, WireProjection } from "./oracle/oracle.ts"

const BOOKS = runs(40, 600)
const CLOSED: ReadonlyArray<PlanType> = ["REVISED PAY AS YOU EARN", "SAVE"]

const decodePlans = decodeStrictly(PlansRequest)
const decodeProjection = decodeStrictly(ProjectionRequest)

/** Runs in the month before a start month. */
const before = <A, E>({ month, year }: Start, effect: Effect.Effect<A, E, Engine>) =>
  Effect.runPromise(
    Effect.andThen(TestClock.setTime(Date.UTC(year, month - 2, 15)), effect).pipe(
      Effect.provide(Engine.layer),
      Effect.provide(TestClock.layer())
    )
  )

const plansOf = ({ loans, scenario }: WireProjection, more: object) => {
  const { label: _label, planChanges: _changes, planType: _plan, ...household } = scenario
  return decodePlans({ scenario: household, loans, ...more }).pipe(Effect.orDie, Effect.flatMap(plansUnrecorded))
}

/** The figures of a projection, or the reasons for its refusal. */
const projected = (request: WireProjection, planType: PlanType, planChanges: unknown = null) =>
  decodeProjection({ ...request, scenario: { ...request.scenario, planType, planChanges }, includeYearly: false }).pipe(
    Effect.orDie,
    Effect.flatMap(projectUnrecorded),
    Effect.map(({ value }): ProjectionResult | string => value()),
    Effect.catchTag("PlanRefused", ({ arms }) =>
      Effect.succeed(arms.flatMap(({ refusal }) => refusalMessages(currentLaw, refusal, [])).join("; "))
    )
  )

const figuresOf = (answer: PlansResult["plans"][number] | ProjectionResult) => ({
  planType: answer.planType,
  year1MonthlyPayment: answer.year1MonthlyPayment,
  monthsToFinish: answer.monthsToFinish,
  payoffOrForgivenessDate: answer.payoffOrForgivenessDate,
  totalOutOfPocket: answer.totalOutOfPocket,
  amountForgiven: answer.amountForgiven,
  forgivenessType: answer.forgivenessType,
  forgivenessTaxesOwed: answer.forgivenessTaxesOwed,
  presentValue: answer.presentValue
})

const changesOf = ({ planChanges }: NonNullable<PlansResult["bestPath"]>) =>
  planChanges.map(({ from, planType }) => ({ from, planType }))

const agrees = async (request: WireProjection, start: Start, isSearched: boolean) => {
  const currentPlan = isSearched ? null : undefined
  const answer = await before(start, plansOf(request, { bestPath: isSearched, currentPlan }))
  const open = [...answer.plans]
  for (const planType of PLAN_TYPES) {
    const excluded = answer.excludedPlans.find((plan) => plan.planType === planType)
    if (CLOSED.includes(planType)) {
      expect(excluded?.reason).toBe(`${planType} cannot be elected since 10 March 2026`)
      continue
    }
    const single = await before(start, projected(request, planType))
    if (typeof single === "string") expect(excluded?.reason).toBe(single)
    else expect(figuresOf(open.shift()!)).toEqual(figuresOf(single))
  }
  expect(open).toEqual([])
  const { bestPath } = answer
  if (bestPath === null) return
  const single = await before(start, projected(request, bestPath.planType, changesOf(bestPath)))
  expect(typeof single === "string" ? single : figuresOf(single)).toEqual(figuresOf(bestPath))
  expect(bestPath.saves).toBeGreaterThan(0)
}

/** From July 2028 on nobody can choose two more plans. */
const isBeforeTheEnd = ({ month, year }: Start) => year < 2028 || (year === 2028 && month < 7)

describe("a whole book under every plan", () => {
  const requestsOf = (maxLoans: number) =>
    started((start) => projectionRequests({ maxLoans, start, additions: true, lives: true })).filter(([, start]) =>
      isBeforeTheEnd(start)
    )

  it(`has the figures and refusals of projections, for ${BOOKS} random books`, () =>
    fc.assert(
      fc.asyncProperty(requestsOf(100), ([request, start]) => agrees(request, start, false)),
      { numRuns: BOOKS, seed: newSeedOr(20261202) }
    ))

  it("has a best path that is a projection with its changes of plan", () =>
    fc.assert(
      fc.asyncProperty(requestsOf(5), ([request, start]) => agrees(request, start, true)),
      { numRuns: runs(10, 40), seed: newSeedOr(20261203) }
    ))
})

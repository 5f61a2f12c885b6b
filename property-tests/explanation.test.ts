/**
 * Tests of explained payments on random requests:
 * - the payment is the engine's payment of that month
 * - computing the steps again by the plans' formulas gives the same payment
 * - a step cites only rules that the projection's answer cites
 * - each number of the law in a step is in the value of a rule that the step cites
 *
 * The seed is fixed so that a failure repeats. PROPERTY_SEED changes it.
 */

import { Schema } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { ProjectionRequest } from "../schema/projection.ts"
import { PLAN_TYPES } from "../schema/scenario.ts"
import { type Explanation, explain } from "../src/engine/explanation.ts"
import { currentLaw } from "../src/engine/law/law.ts"
import { type Projection, project, runUntil } from "../src/engine/projection.ts"
import { makeWorkspace } from "../src/engine/schedule/workspace.ts"
import { explanationAnswer } from "../src/messages/explanation.ts"
import { runs, seedOr } from "../test/support/random.ts"
import { citationProblemsOf } from "./citedRules.ts"
import { projectionRequests, started } from "./generators/requests.ts"
import type { Start } from "./oracle/oracle.ts"
import { problemsOf } from "./recombine.ts"

const seed = seedOr(20261122)
const RUNS = runs(600, 5_000)
/** Of ten requests, the number that are explained for a later month too. */
const LATER_OF_TEN = 7

const decode = Schema.decodeUnknownSync(ProjectionRequest)
const workspace = makeWorkspace()

/** The engine's totals paid and forgiven before a month. */
const before = (request: ProjectionRequest, start: Start, month: number) => {
  const outcome = runUntil(currentLaw, request, start, month, workspace)
  if (outcome._tag === "Refusal") throw new Error("traced is what is projected")
  return { paid: outcome.paid, forgiven: outcome.forgivenTimeBased + outcome.forgivenPslf }
}

/** Whether an amount equals the difference of two sums, within the rounding of the sums. */
const isBetween = (amount: number, from: number, to: number): boolean =>
  Math.abs(amount - (to - from)) < 1e-6 + 1e-12 * to

const explained = (request: ProjectionRequest, start: Start, month: number): Explanation => {
  const outcome = explain(currentLaw, request, start, month, workspace)
  if (outcome._tag === "Refusal") throw new Error("explained is what is projected")
  return outcome
}

/** Rules that a step cites and the answer does not. */
const uncited = ({ parts }: Explanation, { citations }: Projection): ReadonlyArray<string> =>
  currentLaw.cite(parts.flatMap(({ steps }) => steps)).flatMap(({ ids }) => ids.filter((id) => !citations.includes(id)))

it(`an explained payment is the engine's on ${RUNS} requests of all ten plans`, { timeout: 300_000 }, () => {
  const asked = new Set<string>()
  const parts = new Set<string>()
  let answered = 0
  let forgave = 0
  const requests = started((start) => {
    const options = { maxLoans: 6, start, highestRate: 0.3 }
    const drawn = fc.oneof(projectionRequests(options), projectionRequests({ ...options, additions: true }))
    return fc.tuple(drawn, fc.nat())
  })
  const check = ([[wire, draw], start]: [[unknown, number], Start]) => {
    const request = decode(wire)
    const projection = project(currentLaw, request, start, workspace)
    fc.pre(projection._tag === "Projection")
    if (projection._tag !== "Projection") return
    const first = explained(request, start, 0)
    const extra = first.parts.find(({ group }) => group === "extra")?.payment ?? 0
    expect(Math.abs(first.payment - extra - projection.firstMonthPayment)).toBeLessThan(0.00501)
    if (extra === 0) expect(first.paymentInCents).toBe(projection.firstMonthPayment)
    expect(problemsOf(first, request)).toEqual([])
    expect(uncited(first, projection)).toEqual([])
    expect(citationProblemsOf(explanationAnswer(currentLaw, first))).toEqual([])
    answered++
    asked.add(request.scenario.planType)
    for (const { group } of first.parts) parts.add(group)
    if (draw % 10 >= LATER_OF_TEN) return
    const last = projection.monthsToFinish ?? 0
    const month = draw % 4 === 0 ? last : draw % (last + 3)
    const later = explained(request, start, month)
    const [from, to] = [before(request, start, month), before(request, start, month + 1)]
    const forgiven = later.parts.flatMap(({ loans }) => loans).reduce((sum, loan) => sum + loan.forgiven, 0)
    expect(isBetween(later.payment, from.paid, to.paid)).toBe(true)
    expect(isBetween(forgiven, from.forgiven, to.forgiven)).toBe(true)
    if (forgiven > 0) forgave++
    expect(problemsOf(later, request)).toEqual([])
    expect(uncited(later, projection)).toEqual([])
    expect(citationProblemsOf(explanationAnswer(currentLaw, later))).toEqual([])
    for (const { group } of later.parts) parts.add(group)
  }
  fc.assert(fc.property(requests, check), { numRuns: RUNS, seed })
  expect(answered).toBe(RUNS)
  expect(forgave).toBeGreaterThan(RUNS / 50)
  expect([...asked].sort()).toEqual([...PLAN_TYPES].sort())
  expect([...parts].sort()).toEqual(["beside", "extra", "plan", "successor"])
})

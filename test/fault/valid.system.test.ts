/**
 * System tests of random valid requests, drawn from edge cases of the law, against a service
 * process. Each answer must strictly match its schema or be one of the two refusals of a plan, and
 * its figures must be consistent.
 */
import { Schema } from "effect"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  calculationRequests,
  comparisonRequests,
  eligibilityRequests,
  projectionRequests
} from "../../property-tests/generators/requests.ts"
import { LoanCalcResult } from "../../schema/calculator.ts"
import { ScenarioComparisonResult } from "../../schema/comparison.ts"
import { EligibilityResult } from "../../schema/eligibility.ts"
import { ArtifactPlanProblem, IneligiblePlanProblem } from "../../schema/problems.ts"
import { ProjectionResult } from "../../schema/projection.ts"
import { accountOf, useDatabase } from "../support/database.ts"
import { fewAtOnce } from "../support/fewAtOnce.ts"
import { type ServiceProcess, searchedLogs, startServiceProcess } from "../support/serviceProcess.ts"
import { milliseconds, report, seed, times } from "./scale.ts"

const AT_ONCE = 8
const database = useDatabase()
let node: ServiceProcess
let key: string

beforeAll(async () => {
  node = await startServiceProcess({ DATABASE_URL: database().address, SANDBOX_MONTHLY_CALLS: "1000000" })
  key = await node.mint()
})
afterAll(() => node.kill("SIGTERM"))

const strictly = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) =>
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error", errors: "all" })

const refusal = strictly(Schema.Union([ArtifactPlanProblem, IneligiblePlanProblem]))
const cents = (dollars: number): number => Math.round(dollars * 100)

/** Expects that the yearly series adds up to the answer's totals. */
const expectBooksToBalance = (answer: ProjectionResult, asked: { readonly includeYearly?: boolean | undefined }) => {
  if (asked.includeYearly !== true) return expect(answer).not.toHaveProperty("yearly")
  const series = answer.yearly ?? []
  const last = series.at(-1)!
  const sumOf = (amounts: ReadonlyArray<number>) => amounts.map(cents).reduce((sum, amount) => sum + amount, 0)
  expect(series.map(({ year }) => year)).toEqual(series.map((_, index) => index))
  expect(cents(last.cumulativePaid)).toBe(cents(answer.totalOutOfPocket))
  expect(sumOf(series.map((point) => point.paymentsThisYear))).toBe(cents(answer.totalOutOfPocket))
  expect(sumOf(series.map((point) => point.forgivenThisYear))).toBe(cents(answer.amountForgiven))
}

const decodeProjection = strictly(ProjectionResult)
const decodeComparison = strictly(ScenarioComparisonResult)
const decodeEligibility = strictly(EligibilityResult)
const decodeCalculation = strictly(LoanCalcResult)

/** Sends all requests and checks each answer; returns the numbers of answers and refusals. */
const sendAll = async <R>(path: string, requests: ReadonlyArray<R>, check: (answer: unknown, request: R) => void) => {
  const counts = { answered: 0, refused: 0 }
  await fewAtOnce(AT_ONCE, requests, async (request) => {
    const response = await node.call("POST", path, { json: request, key })
    const text = await response.text()
    const shown = `${response.status} ${text.slice(0, 400)} to ${path} ${JSON.stringify(request).slice(0, 1500)} (seed ${seed})`
    try {
      if (response.status === 400) refusal(JSON.parse(text))
      else expect(response.status).toBe(200)
      if (response.status === 200) check(JSON.parse(text), request)
    } catch (error) {
      throw new Error(shown, { cause: error })
    }
    counts[response.status === 200 ? "answered" : "refused"]++
  })
  report(`${requests.length} of ${path} (seed ${seed}): ${JSON.stringify(counts)}`)
  return counts
}

const draw = <A>(arbitrary: fc.Arbitrary<A>, count: number) => fc.sample(arbitrary, { numRuns: times(count), seed })

describe("a random valid request gets an answer that matches its schema, or a refusal of its plan [F32]", () => {
  const limit = milliseconds(30_000)

  it("for projections, with a consistent yearly series and a record each", { timeout: limit }, async () => {
    const { rows } = await accountOf(database(), key)
    const { answered } = await sendAll("/v1/projection", draw(projectionRequests(), 300), (answer, request) => {
      expectBooksToBalance(decodeProjection(answer), request)
    })
    expect(answered).toBeGreaterThan(times(100))
    const account = await accountOf(database(), key)
    expect(account.rows - rows).toBe(answered)
    expect(account.rows).toBe(account.used)
  })

  it("for comparisons, with the arms in order and the lowest cost among them", { timeout: limit }, async () => {
    await sendAll("/v1/comparison", draw(comparisonRequests({ maxLoans: 4 }), 60), (answer, request) => {
      const { lowestCostLabel, projections } = decodeComparison(answer)
      expect(projections.map(({ label }) => label)).toEqual(request.arms.map(({ scenario }) => scenario.label ?? null))
      for (const projection of projections) expectBooksToBalance(projection, request)
      const costs = projections.map((one) => cents(one.totalOutOfPocket) + cents(one.forgivenessTaxesOwed))
      const lowest = projections.filter((_, index) => costs[index] === Math.min(...costs))
      expect(lowest.map(({ label }) => label)).toContain(lowestCostLabel)
    })
  })

  it("for eligibility, with every loan in order", { timeout: limit }, async () => {
    const { refused } = await sendAll("/v1/plan-eligibility", draw(eligibilityRequests(), 90), (answer, request) => {
      const { loans } = decodeEligibility(answer)
      expect(loans.map(({ loanType }) => loanType)).toEqual(
        request.loans.map(({ loanType }) => loanType.trim().toUpperCase())
      )
    })
    expect(refused).toBe(0)
  })

  it("for keyless calculations, with the lowest plans among them", { timeout: limit }, async () => {
    const { refused } = await sendAll("/v1/calculators/loan", draw(calculationRequests(), 150), (answer) => {
      const { lowestLifetimeCostPlan, lowestMonthlyPlan, plans } = decodeCalculation(answer)
      const lowest = plans.map(({ plan }) => plan)
      if (lowest.length > 0) expect(lowest).toEqual(expect.arrayContaining([lowestLifetimeCostPlan, lowestMonthlyPlan]))
    })
    expect(refused).toBe(0)
  })

  it("without a crash or a secret in the logs [F50]", () => {
    expect(node.log()).not.toContain("request failed")
    expect(searchedLogs().leaked).toEqual([])
  })
})

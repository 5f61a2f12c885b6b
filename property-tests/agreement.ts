/**
 * The comparison of the engine with the exact oracle (oracle/). A verdict lists the differences
 * beyond the documented rounding. A request is undecided if one of its exact values is too close to
 * a threshold of the law (an edge).
 */
import { Schema } from "effect"
import { KeylessLoanRequest } from "../schema/calculator.ts"
import { ComparisonRequest } from "../schema/comparison.ts"
import { EligibilityRequest } from "../schema/eligibility.ts"
import { PathsRequest } from "../schema/paths.ts"
import { ProjectionRequest } from "../schema/projection.ts"
import type { Refusal } from "../src/engine/answer/refusals.ts"
import { bestPath } from "../src/engine/bestPath.ts"
import { calculate } from "../src/engine/calculator.ts"
import { compare } from "../src/engine/comparison.ts"
import { eligiblePlans } from "../src/engine/eligibility.ts"
import { currentLaw } from "../src/engine/law/law.ts"
import { type Projection, project } from "../src/engine/projection.ts"
import type { AskedPaths } from "./generators/requests.ts"
import {
  calculationDifferences,
  type OracleProjection,
  type OracleRefusal,
  oracleCalculate,
  oracleCompare,
  oracleEligibility,
  oraclePaths,
  oracleProject,
  projectionDifferences,
  type Start,
  showsCents,
  type WireCalculation,
  type WireComparison,
  type WireEligibility,
  type WireLoan,
  type WireProjection
} from "./oracle/oracle.ts"

/**
 * The differences found, or undefined if a value is so close to a threshold that doubles may fall
 * on either side.
 */
export type Verdict = ReadonlyArray<string> | undefined

/** The default first month of repayment. */
export const START: Start = { year: 2026, month: 12 }

const decodeProjection = Schema.decodeUnknownSync(ProjectionRequest)
const decodeComparison = Schema.decodeUnknownSync(ComparisonRequest)
const decodeEligibility = Schema.decodeUnknownSync(EligibilityRequest)
const decodePaths = Schema.decodeUnknownSync(PathsRequest)
const decodeCalculation = Schema.decodeUnknownSync(KeylessLoanRequest)

const highestRate = (loans: ReadonlyArray<WireLoan>): number => Math.max(...loans.map((loan) => loan.interestRate))

const sorted = (positions: Iterable<number>): string => [...positions].sort((a, b) => a - b).join()

/** Compares the engine's outcome of one projection with the oracle's. */
const outcomeVerdict = (
  shown: Projection | Refusal,
  expected: OracleProjection | OracleRefusal,
  loans: ReadonlyArray<WireLoan>
): Verdict => {
  if (expected.kind === "projection") {
    if (expected.edges.length > 0) return undefined
    return shown._tag === "Refusal"
      ? [`refused as ${shown.kind}`]
      : projectionDifferences(shown, expected, highestRate(loans))
  }
  if (shown._tag !== "Refusal") return [`answered, not refused as ${expected.kind}`]
  const isSame =
    (expected.kind === "change" || shown.kind === expected.kind) && shown.change === (expected.change ?? null)
  const differences = isSame
    ? []
    : [`refused as ${shown.kind} ${shown.change}, not ${expected.kind} ${expected.change}`]
  const named = sorted(shown.loans.map(({ position }) => position))
  return named === sorted(expected.loans)
    ? differences
    : [...differences, `names loans ${named}, not ${sorted(expected.loans)}`]
}

export const projectionVerdict = (request: WireProjection, start = START): Verdict =>
  outcomeVerdict(project(currentLaw, decodeProjection(request), start), oracleProject(request, start), request.loans)

/** The label of the cheapest arm (scenario) by the engine's figures; the first one on a tie. */
const cheapestLabel = (projections: ReadonlyArray<Projection>): string | null => {
  const costs = projections.map(
    (one) => Math.round(100 * one.totalOutOfPocket) + Math.round(100 * one.forgivenessTaxesOwed)
  )
  return projections[costs.indexOf(Math.min(...costs))]!.label
}

export const comparisonVerdict = (request: WireComparison, start = START): Verdict => {
  const shown = compare(currentLaw, decodeComparison(request), start)
  const expected = oracleCompare(request, start)
  if (expected.kind === "refused arms") {
    const named = sorted(shown._tag === "RefusedArms" ? shown.arms.map(({ arm }) => arm) : [])
    return named === sorted(expected.arms.map(({ arm }) => arm)) ? [] : [`refuses arms ${named}`]
  }
  if (shown._tag === "RefusedArms") return ["refused"]
  const verdicts = shown.projections.map((one, arm) =>
    outcomeVerdict(one, expected.projections[arm]!, request.arms[arm]!.loans)
  )
  if (verdicts.includes(undefined)) return undefined
  const label = cheapestLabel(shown.projections)
  return [
    ...verdicts.flatMap((verdict) => verdict ?? []),
    ...(shown.lowestCostLabel === label ? [] : [`lowestCostLabel ${shown.lowestCostLabel}, not ${label}`])
  ]
}

export const eligibilityVerdict = (request: WireEligibility): Verdict => {
  const shown = eligiblePlans(currentLaw, decodeEligibility(request))
  const expected = oracleEligibility(request)
  if (expected.edges.length > 0) return undefined
  return expected.loans.flatMap((loan, position) => {
    const answer = shown[position]!
    const plans = answer.eligiblePlanTypes.join()
    return [
      ...(answer.loanType === loan.loanType ? [] : [`loans[${position}] is ${answer.loanType}`]),
      ...(plans === loan.eligiblePlanTypes.join() ? [] : [`loans[${position}] may elect ${plans}`]),
      ...(showsCents(answer.balance, loan.exact.balance) ? [] : [`loans[${position}] owes ${answer.balance}`])
    ]
  })
}

export const calculationVerdict = (request: WireCalculation, start = START): Verdict => {
  const expected = oracleCalculate(request, start)
  if (expected.edges.length > 0) return undefined
  return calculationDifferences(
    calculate(currentLaw, decodeCalculation(request), start),
    expected,
    request.ratePct / 100
  )
}

/**
 * Compares the best path. The exact costs of paths that doubles cannot tell apart may name another
 * one as the best; it then costs no more than the oracle's by the rounding of a cent.
 */
export const pathsVerdict = ({ currentPlan, request }: AskedPaths, start = START): Verdict => {
  const shown = bestPath(currentLaw, decodePaths({ ...request, currentPlan }), start)
  const expected = oraclePaths(request, start, { currentPlan })
  if (expected.kind !== "paths") return shown._tag === "Refusal" ? [] : [`answered, not refused as ${expected.kind}`]
  if (expected.candidates.some(({ edges }) => edges.length > 0)) return undefined
  if (shown._tag === "Refusal") return expected.best === null ? [] : [`refused as ${shown.kind}`]
  const ofPair = ({
    planChanges,
    planType
  }: {
    readonly planType: string
    readonly planChanges: ReadonlyArray<object>
  }) => JSON.stringify([planType, planChanges])
  const differences = (["best", "bestWithoutChange"] as const).flatMap((which) => {
    const mine = expected.candidates.find((path) => ofPair(path) === ofPair(shown[which]))
    const best = expected[which]
    if (mine === undefined || best === null) return [`${which} is ${ofPair(shown[which])}, which is no candidate`]
    return mine === best || mine.cost - best.cost <= 1n ? [] : [`${which} is ${ofPair(mine)}, not ${ofPair(best)}`]
  })
  return shown.projected === expected.projected
    ? differences
    : [...differences, `${shown.projected} projected, not ${expected.projected}`]
}

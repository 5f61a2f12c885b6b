/**
 * The comparison of the engine with the exact oracle (oracle/). A verdict lists the differences
 * beyond the documented rounding. A request is undecided if one of its exact values is too close to
 * a threshold of the law (an edge).
 */
import { Schema } from "effect"
import { KeylessLoanRequest } from "../schema/calculator.ts"
import { ComparisonRequest } from "../schema/comparison.ts"
import { CoupleRequest } from "../schema/couple.ts"
import { EligibilityRequest } from "../schema/eligibility.ts"
import { PathsRequest } from "../schema/paths.ts"
import { ProjectionRequest } from "../schema/projection.ts"
import type { Refusal } from "../src/engine/answer/refusals.ts"
import { bestPath } from "../src/engine/bestPath.ts"
import { calculate } from "../src/engine/calculator.ts"
import { compare } from "../src/engine/comparison.ts"
import { type CoupleReturn, contradictionsOfCouple, coupleOf, type NoReturn } from "../src/engine/couple.ts"
import { eligiblePlans } from "../src/engine/eligibility.ts"
import { currentLaw } from "../src/engine/law/law.ts"
import { type Projection, project } from "../src/engine/projection.ts"
import { coupleRequestOf } from "./generators/couples.ts"
import type { AskedPaths } from "./generators/requests.ts"
import {
  addedTax,
  calculationDifferences,
  incomeTaxesUntil,
  type OracleCouple,
  type OracleProjection,
  type OracleRefusal,
  oracleCalculate,
  oracleCompare,
  oracleCouple,
  oracleEligibility,
  oraclePaths,
  oracleProject,
  projectionDifferences,
  type Start,
  showsCents,
  type WireCalculation,
  type WireComparison,
  type WireCouple,
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
const decodeCouple = Schema.decodeUnknownSync(CoupleRequest)
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

const inCents = (dollars: number): bigint => BigInt(Math.round(100 * dollars))

/** Each year's tax is two rounded amounts, and doubles may fall on either side of half a cent. */
const isNearTax = (shown: bigint, expected: bigint, years: number): boolean =>
  (shown > expected ? shown - expected : expected - shown) <= BigInt(years > 0 ? 1 : 0)

const returnDifferences = (
  couple: WireCouple,
  filing: "joint" | "separate",
  shown: CoupleReturn | NoReturn,
  expected: OracleCouple["joint"]
): ReadonlyArray<string> => {
  if (expected.kind === "no plan" || shown._tag === "NoReturn")
    return expected.kind === "no plan" && shown._tag === "NoReturn" ? [] : [`${filing} is ${shown._tag}`]
  const ofSpouses = (["first", "second"] as const).flatMap((name) => {
    const mine = shown[name]
    const theirs = expected[name]
    if (mine === null || theirs.projection === null)
      return mine === null && theirs.projection === null
        ? []
        : [`${filing} ${name} is ${mine?.plan.planType ?? "none"}`]
    const same = theirs.candidates.find(({ planType }) => planType === mine.projection.planType)
    if (same === undefined) return [`${filing} ${name} is ${mine.plan.planType}, which is no candidate`]
    const differences = projectionDifferences(mine.projection, same, highestRate(couple[name].loans))
    return inCents(mine.cost) <= theirs.cost + 1n ? differences : [...differences, `${filing} ${name} is not cheapest`]
  })
  const last = Math.max(shown.first?.projection.monthsToFinish ?? 0, shown.second?.projection.monthsToFinish ?? 0)
  const years = filing === "joint" ? [] : incomeTaxesUntil(couple, last)
  const { discountRate } = couple.household
  const added = years.map((one) => Number(addedTax(one)))
  const worth = added.reduce((sum, cents, year) => sum + cents * (1 + (discountRate ?? 0)) ** -(year + 1), 0)
  const tax = BigInt(
    Math.round(discountRate === undefined || discountRate === null ? added.reduce((a, b) => a + b, 0) : worth)
  )
  const sum = [shown.first?.cost ?? 0, shown.second?.cost ?? 0, shown.incomeTax].map(inCents).reduce((a, b) => a + b)
  return [
    ...ofSpouses,
    ...(isNearTax(inCents(shown.incomeTax), tax, years.length)
      ? []
      : [`${filing} incomeTax ${shown.incomeTax}, not ${tax}`]),
    ...(sum === inCents(shown.cost) ? [] : [`${filing} cost ${shown.cost}, not ${sum}`])
  ]
}

/** Compares a couple: each spouse's cheapest plan, its figures, the income tax and the sums. */
export const coupleVerdict = (couple: WireCouple, start = START): Verdict => {
  const request = decodeCouple(coupleRequestOf(couple))
  const expected = oracleCouple(couple, start)
  const contradictions = contradictionsOfCouple(currentLaw, request, start)
  if (expected.kind === "refused") return contradictions.some(({ _tag }) => _tag === "NotSplit") ? [] : ["splits"]
  if (contradictions.length > 0) return contradictions.map(({ _tag, path }) => `${_tag} ${path.join(".")}`)
  const shown = coupleOf(currentLaw, request, start)
  if (expected.kind === "nothing owed") return shown === undefined ? [] : ["answered, though nothing is owed"]
  if (expected.edges.length > 0) return undefined
  if (shown === undefined) return ["nothing owed"]
  return [
    ...returnDifferences(couple, "joint", shown.joint, expected.joint),
    ...returnDifferences(couple, "separate", shown.separate, expected.separate)
  ]
}

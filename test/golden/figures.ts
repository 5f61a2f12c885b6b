/**
 * The figures of an answer for the golden corpus, rounded as in the API, without texts, labels,
 * citations and omissions. A refusal counts as its kind, with the loans and their obstacles.
 */
import { Schema } from "effect"
import { KeylessLoanRequest } from "../../schema/calculator.ts"
import { ComparisonRequest } from "../../schema/comparison.ts"
import { EligibilityRequest } from "../../schema/eligibility.ts"
import { ProjectionRequest } from "../../schema/projection.ts"
import type { Refusal } from "../../src/engine/answer/refusals.ts"
import { calculate } from "../../src/engine/calculator.ts"
import { compare } from "../../src/engine/comparison.ts"
import { eligiblePlans } from "../../src/engine/eligibility.ts"
import { currentLaw } from "../../src/engine/law/law.ts"
import { type Projection, project } from "../../src/engine/projection.ts"
import type { StartMonth } from "../../src/engine/schedule/calendar.ts"
import { makeWorkspace } from "../../src/engine/schedule/workspace.ts"

/** Computes the figures of a JSON request with a given first month of repayment. */
export type FiguresOf = (request: unknown, start: StartMonth) => unknown

const decodeProjection = Schema.decodeUnknownSync(ProjectionRequest)
const decodeComparison = Schema.decodeUnknownSync(ComparisonRequest)
const decodeEligibility = Schema.decodeUnknownSync(EligibilityRequest)
const decodeCalculation = Schema.decodeUnknownSync(KeylessLoanRequest)

const workspace = makeWorkspace()

const ofRefusal = ({ kind, loans }: Refusal) => ({
  refused: kind,
  loans: loans.map(({ obstacle, position }) => [position, obstacle._tag])
})

/**
 * Every member counts except those removed here, so that a new figure counts at once. `outside`
 * only splits the first payment; property-tests/explanation.test.ts tests it. Remarks become
 * notes.
 */
const ofProjection = (outcome: Projection | Refusal) => {
  if (outcome._tag === "Refusal") return ofRefusal(outcome)
  const { _tag, citations: _1, label: _2, omissions: _3, outside: _4, parityVerified: _5, ...others } = outcome
  const { remarks: _6, ...figures } = others
  return figures
}

export const projectionFigures: FiguresOf = (request, start) =>
  ofProjection(project(currentLaw, decodeProjection(request), start, workspace))

export const comparisonFigures: FiguresOf = (request, start) => {
  const outcome = compare(currentLaw, decodeComparison(request), start, workspace)
  if (outcome._tag === "RefusedArms") return outcome.arms.map(({ arm, refusal }) => ({ arm, ...ofRefusal(refusal) }))
  return { arms: outcome.projections.map(ofProjection), lowestCostLabel: outcome.lowestCostLabel }
}

export const eligibilityFigures: FiguresOf = (request) =>
  eligiblePlans(currentLaw, decodeEligibility(request), workspace)

export const calculationFigures: FiguresOf = (request, start) => {
  const { excludedPlans, plans, ...lowest } = calculate(currentLaw, decodeCalculation(request), start, workspace)
  return {
    ...lowest,
    plans: plans.map(({ label: _label, parityVerified: _, ...figures }) => figures),
    excludedPlans: excludedPlans.map(({ exclusions, plan }) => [plan, exclusions.map(({ _tag }) => _tag)])
  }
}

/**
 * Answers without a server: the same engine and the same wire shape, but no key, no charge and no record. So they have
 * no answer id, and nobody can verify them later.
 */
import { Effect } from "effect"
import type { ComparisonRequest, ScenarioComparisonResult } from "../../../schema/comparison.ts"
import type { EligibilityRequest, EligibilityResult } from "../../../schema/eligibility.ts"
import type { ProjectionRequest, ProjectionResult } from "../../../schema/projection.ts"
import { Engine, type PlanRefused } from "../../engine/Engine.ts"
import {
  comparisonAnswer,
  eligibilityAnswer,
  identified,
  identifiedComparison,
  projectionAnswer,
  unrecorded
} from "./provenance.ts"

export const projectUnrecorded = (request: ProjectionRequest): Effect.Effect<ProjectionResult, PlanRefused, Engine> =>
  Engine.use((engine) => engine.project(request)).pipe(
    Effect.map(({ computedAt, figures }) => identified(projectionAnswer(figures), unrecorded(computedAt)))
  )

export const compareUnrecorded = (
  request: ComparisonRequest
): Effect.Effect<ScenarioComparisonResult, PlanRefused, Engine> =>
  Engine.use((engine) => engine.compare(request)).pipe(
    Effect.map(({ computedAt, figures }) => identifiedComparison(comparisonAnswer(figures), unrecorded(computedAt)))
  )

export const eligiblePlansUnrecorded = (request: EligibilityRequest): Effect.Effect<EligibilityResult, never, Engine> =>
  Engine.use((engine) => engine.eligiblePlans(request)).pipe(
    Effect.map(({ computedAt, figures }) => identified(eligibilityAnswer(figures), unrecorded(computedAt)))
  )

/**
 * Answers without a server: the same engine and forms, but no key, charge or record. They have no
 * answer id and cannot be verified later.
 */
import { Effect } from "effect"
import type { ComparisonRequest } from "../../../schema/comparison.ts"
import type { EligibilityRequest } from "../../../schema/eligibility.ts"
import type { ExplainRequest } from "../../../schema/explanation.ts"
import type { ProjectionRequest } from "../../../schema/projection.ts"
import { Engine } from "../../engine/Engine.ts"
import { comparisonForms, eligibilityForms, projectionForms } from "./forms.ts"
import { explainedAnswer, unrecorded } from "./provenance.ts"

export const projectUnrecorded = (request: ProjectionRequest) =>
  Engine.use((engine) => engine.project(request)).pipe(
    Effect.map(({ computedAt, figures }) => projectionForms(figures, request, unrecorded(computedAt)))
  )

export const compareUnrecorded = (request: ComparisonRequest) =>
  Engine.use((engine) => engine.compare(request)).pipe(
    Effect.map(({ computedAt, figures }) => comparisonForms(figures, request.arms, unrecorded(computedAt)))
  )

export const explainUnrecorded = (request: ExplainRequest) =>
  Engine.use((engine) => engine.explain(request)).pipe(
    Effect.map(({ computedAt, figures }) => explainedAnswer(figures, request, computedAt))
  )

export const eligiblePlansUnrecorded = (request: EligibilityRequest) =>
  Engine.use((engine) => engine.eligiblePlans(request)).pipe(
    Effect.map(({ computedAt, figures }) => eligibilityForms(figures, request, unrecorded(computedAt)))
  )

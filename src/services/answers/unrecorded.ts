/**
 * Answers without a server: the same engine and forms, but no key, charge or record. They have no
 * answer id and cannot be verified later.
 */
import { Effect } from "effect"
import { ruleVersion } from "../../../ledger/index.ts"
import type { ComparisonRequest } from "../../../schema/comparison.ts"
import type { CoupleRequest } from "../../../schema/couple.ts"
import type { EligibilityRequest } from "../../../schema/eligibility.ts"
import type { ExplainRequest } from "../../../schema/explanation.ts"
import type { PathsRequest } from "../../../schema/paths.ts"
import type { PlansRequest } from "../../../schema/plans.ts"
import type { EngineProvenance, ProjectionRequest, ProjectionResult } from "../../../schema/projection.ts"
import { Engine } from "../../engine/Engine.ts"
import type { Path } from "../../engine/index.ts"
import { coupleAnswer } from "../../messages/coupleAnswer.ts"
import { dayOf } from "../../messages/figures.ts"
import type { Naming } from "../../messages/naming.ts"
import { pathsNotes } from "../../messages/paths.ts"
import { comparisonForms, eligibilityForms, projectionForms } from "./forms.ts"
import { explainedAnswer, identified, plansAnswerOf, projectionAnswer, unrecorded } from "./provenance.ts"

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

/** @param naming of loans, in the reasons why plans are closed */
export const plansUnrecorded = (request: PlansRequest, naming?: Naming) =>
  Engine.use((engine) => engine.plans(request)).pipe(Effect.map((computed) => plansAnswerOf(computed, request, naming)))

/** Undefined if neither owes anything. */
export const coupleUnrecorded = (request: CoupleRequest) =>
  Engine.use((engine) => engine.couple(request)).pipe(
    Effect.map(({ computedAt, figures }) =>
      figures === undefined ? undefined : coupleAnswer(figures, { asOf: dayOf(computedAt), ruleVersion })
    )
  )

export const eligiblePlansUnrecorded = (request: EligibilityRequest) =>
  Engine.use((engine) => engine.eligiblePlans(request)).pipe(
    Effect.map(({ computedAt, figures }) => eligibilityForms(figures, request, unrecorded(computedAt)))
  )

/** A path with the figures of its projection. */
export type PathAnswer = Omit<Path, "planType" | "projection"> & Omit<ProjectionResult, "provenance">

export interface PathsAnswer {
  /** The best path of each pair of plans and of each plan alone, the cheapest first. */
  readonly paths: ReadonlyArray<PathAnswer>
  readonly bestWithoutChange: PathAnswer
  readonly projected: number
  /** Of the first path. */
  readonly provenance: EngineProvenance
}

export const bestPathUnrecorded = (request: PathsRequest) =>
  Engine.use((engine) => engine.bestPath(request)).pipe(
    Effect.map(({ computedAt, figures }): PathsAnswer => {
      const answerOf = ({ planType, projection, ...path }: Path) => {
        const { planChanges } = path
        const arm = { loans: request.loans, scenario: { ...request.scenario, planType, planChanges } }
        const { provenance, ...answer } = identified(projectionAnswer(projection, arm), unrecorded(computedAt))
        return { path: { ...path, ...answer }, provenance }
      }
      const { best, bestWithoutChange, paths, projected } = figures
      const { provenance } = answerOf(best)
      return {
        paths: paths.map((path) => answerOf(path).path),
        bestWithoutChange: answerOf(bestWithoutChange).path,
        projected,
        provenance: { ...provenance, notes: [...(provenance.notes ?? []), ...pathsNotes(figures, request)] }
      }
    })
  )

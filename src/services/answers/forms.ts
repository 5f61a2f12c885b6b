/** The forms in which an answer is sent: in full as a value or as JSON text, and in brief. */

import type { BriefComparison, BriefEligibility, BriefProjection } from "../../../schema/brief.ts"
import type { ComparisonArm, ComparisonRequest, ScenarioComparisonResult } from "../../../schema/comparison.ts"
import type { EligibilityRequest, EligibilityResult } from "../../../schema/eligibility.ts"
import type { ProjectionResult } from "../../../schema/projection.ts"
import type { Comparison, Projection } from "../../engine/index.ts"
import { briefComparison, briefEligibility, briefProjection } from "./brief.ts"
import { comparisonBytes, projectionBytes } from "./json.ts"
import {
  comparisonAnswer,
  eligibilityAnswer,
  type Identity,
  identified,
  identifiedComparison,
  projectionAnswer
} from "./provenance.ts"

export interface AnswerForms<Whole, Brief> {
  readonly value: () => Whole
  readonly brief: () => Brief
}

export interface RecordedForms<Whole, Brief> extends AnswerForms<Whole, Brief> {
  /** The JSON of the value in UTF-8, made faster than by serializing the value. */
  readonly bytes: () => Uint8Array
}

export const projectionForms = (
  figures: Projection,
  request: ComparisonArm,
  identity: Identity
): RecordedForms<ProjectionResult, BriefProjection> => {
  const answer = projectionAnswer(figures, request)
  const brief = briefProjection(answer, identity)
  return {
    value: () => identified(answer, identity),
    bytes: () => projectionBytes(answer, identity),
    brief: () => brief
  }
}

export const comparisonForms = (
  figures: Comparison,
  arms: ComparisonRequest["arms"],
  identity: Identity
): RecordedForms<ScenarioComparisonResult, BriefComparison> => {
  const answer = comparisonAnswer(figures, arms)
  const brief = briefComparison(answer, identity)
  return {
    value: () => identifiedComparison(answer, identity),
    bytes: () => comparisonBytes(answer, identity),
    brief: () => brief
  }
}

export const eligibilityForms = (
  loans: EligibilityResult["loans"],
  request: EligibilityRequest,
  identity: Identity
): AnswerForms<EligibilityResult, BriefEligibility> => {
  const answer = eligibilityAnswer(loans, request)
  return { value: () => identified(answer, identity), brief: () => briefEligibility(answer, identity) }
}

/** Comparison of two to ten scenarios: request and answer. */
import { Schema } from "effect"
import { ARMS_RANGE, LOANS_TO_SEND, MAX_ARMS, MIN_ARMS } from "./bounds.ts"
import { Loans } from "./loan.ts"
import { required, text } from "./primitives.ts"
import { EngineProvenance, IncludeYearly, ProjectionResult } from "./projection.ts"
import { Scenario } from "./scenario.ts"

export const ComparisonArm = Schema.Struct({
  scenario: required(Scenario, "a scenario object"),
  loans: required(Loans, LOANS_TO_SEND)
}).annotate({
  identifier: "ComparisonArm",
  description: "One scenario and the loan book to project under it.",
  message: "must be an object with scenario and loans"
})
export type ComparisonArm = typeof ComparisonArm.Type

export const ComparisonRequest = Schema.Struct({
  arms: required(
    Schema.Array(ComparisonArm)
      .annotate({
        description: `The scenarios, ${ARMS_RANGE}. One whose plan is closed to its loans refuses the whole call; the problem names it.`,
        message: `must be an array of ${ARMS_RANGE} arms`
      })
      .check(Schema.isBetweenLength(MIN_ARMS, MAX_ARMS, { message: `must hold ${ARMS_RANGE} arms` })),
    `an array of ${ARMS_RANGE} arms`
  ),
  includeYearly: IncludeYearly
}).annotate({
  identifier: "ComparisonRequest",
  description: "The scenarios to compare.",
  message: "must be a JSON object with arms"
})
export type ComparisonRequest = typeof ComparisonRequest.Type

export const ScenarioComparisonResult = Schema.Struct({
  projections: Schema.Array(ProjectionResult).annotate({ description: "One projection per arm, in arm order." }),
  lowestCostLabel: Schema.NullOr(
    text(
      "Label of the arm with the lowest totalOutOfPocket plus forgivenessTaxesOwed; on a tie, the first one's. Null if that arm has no label. If only other arms have labels, or another arm has the same one, provenance.notes name the arm. Arms under SAVE or REVISED PAY AS YOU EARN count too, although nobody can elect these plans any more: knownOmissions then say so, and provenance.notes name the cheapest arm that can be elected."
    )
  ),
  provenance: EngineProvenance
}).annotate({ identifier: "ScenarioComparisonResult", description: "The scenarios side by side." })
export type ScenarioComparisonResult = typeof ScenarioComparisonResult.Type

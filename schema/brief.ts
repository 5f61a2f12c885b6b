/**
 * Brief answers, as the MCP tools send them: the same figures, with ids in place of rule texts.
 * `textsHash` is a hash of what is left out, so a brief answer can be checked against its record
 * just as a full one can.
 */
import { Schema } from "effect"
import { ScenarioComparisonResult } from "./comparison.ts"
import { EligibilityResult } from "./eligibility.ts"
import { text } from "./primitives.ts"
import { EngineProvenance, ProjectionResult } from "./projection.ts"

const { answerId, answerSalt, computedAtUtc, notes, ruleVersion, verifyUrl } = EngineProvenance.fields

export const BriefProvenance = Schema.Struct({
  computedAtUtc,
  ruleVersion,
  citations: Schema.Array(text("Id of a constant.")),
  knownOmissions: Schema.optionalKey(Schema.Array(text("Id of an omission."))),
  notes,
  answerId,
  verifyUrl,
  answerSalt,
  textsHash: text("Stands for what is left out.")
})
export type BriefProvenance = typeof BriefProvenance.Type

const { provenance: _, ...figures } = ProjectionResult.fields

export const BriefProjection = Schema.Struct({ ...figures, provenance: BriefProvenance })
export type BriefProjection = typeof BriefProjection.Type

export const BriefComparison = Schema.Struct({
  projections: Schema.Array(Schema.Struct(figures)),
  lowestCostLabel: ScenarioComparisonResult.fields.lowestCostLabel,
  provenance: BriefProvenance
})
export type BriefComparison = typeof BriefComparison.Type

/** An eligibility answer is not recorded, so it has no answer id and no hash. */
export const BriefEligibility = Schema.Struct({
  loans: EligibilityResult.fields.loans,
  provenance: Schema.Struct({
    computedAtUtc,
    ruleVersion,
    citations: BriefProvenance.fields.citations,
    notes
  })
})
export type BriefEligibility = typeof BriefEligibility.Type

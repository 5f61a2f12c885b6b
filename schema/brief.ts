/**
 * Brief answers, as the MCP tools and `?detail=brief` send them: the same figures, with ids in place
 * of rule texts. `textsHash` is a hash of what is left out, so a brief answer can be checked against
 * its record just as a full one can.
 */
import { Schema } from "effect"
import { ScenarioComparisonResult } from "./comparison.ts"
import { EligibilityResult } from "./eligibility.ts"
import { ExplainResult } from "./explanation.ts"
import { BestPath, ExcludedPlan, PlanFigures, PlansResult } from "./plans.ts"
import { text } from "./primitives.ts"
import { EngineProvenance, ProjectionResult } from "./projection.ts"

/** How much of an answer is sent: figures and rule ids, or the rules' texts as well. */
export const DETAILS = ["brief", "full"] as const
export type Detail = (typeof DETAILS)[number]
export const DETAIL_MESSAGE = "must be brief or full"

/** The query of a route that has a brief answer. */
export const DetailQuery = Schema.Struct({
  detail: Schema.optionalKey(
    Schema.Literals(DETAILS).annotate({
      message: DETAIL_MESSAGE,
      default: "full",
      description:
        "brief leaves out the texts of citations and omissions, nearly all of an answer's bytes, and sends their ids. Figures, record and answerHash are the same."
    })
  )
})

/**
 * The media type of a brief answer: a type of its own, so that clients generated from the OpenAPI
 * document keep the type of the full answer.
 */
export const BRIEF_MEDIA_TYPE = "application/vnd.repayment-of-record.brief+json"

const { answerId, answerSalt, computedAtUtc, notes, ruleVersion, verifyUrl } = EngineProvenance.fields

export const BriefProvenance = Schema.Struct({
  computedAtUtc,
  ruleVersion,
  citations: Schema.Array(Schema.String).annotate({ description: "Ids of the constants behind the figures." }),
  knownOmissions: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({ description: "Ids of the rules that were not applied." })
  ),
  notes,
  answerId,
  verifyUrl,
  answerSalt,
  textsHash: text("SHA-256 of what is left out, so that the answer can be checked as it is.")
}).annotate({ identifier: "BriefProvenance", description: "Provenance with ids in place of the rules' texts." })
export type BriefProvenance = typeof BriefProvenance.Type

const { provenance: _, ...figures } = ProjectionResult.fields

export const BriefProjection = Schema.Struct({ ...figures, provenance: BriefProvenance }).annotate({
  identifier: "BriefProjection",
  description: "A projection with ids in place of the rules' texts."
})
export type BriefProjection = typeof BriefProjection.Type

const BriefArm = Schema.Struct(figures).annotate({
  identifier: "BriefArm",
  description: "The figures of an arm of a brief comparison."
})

export const BriefComparison = Schema.Struct({
  projections: Schema.Array(BriefArm).annotate({ description: "The arms in the order of the request." }),
  lowestCostLabel: ScenarioComparisonResult.fields.lowestCostLabel,
  provenance: BriefProvenance
}).annotate({
  identifier: "BriefComparison",
  description: "A comparison with ids in place of the rules' texts, and without provenance in its arms."
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

const { label: _label, ...planFigures } = PlanFigures.fields
const { label: _ofPath, ...pathFigures } = BestPath.fields
const { label: _ofExcluded, ...excluded } = ExcludedPlan.fields

/** A whole book under every plan, which is not recorded: plans by their types alone. */
export const BriefPlans = Schema.Struct({
  ...PlansResult.fields,
  plans: Schema.Array(Schema.Struct(planFigures)),
  excludedPlans: Schema.Array(Schema.Struct(excluded)),
  bestPath: Schema.NullOr(Schema.Struct(pathFigures)),
  citations: BriefProvenance.fields.citations,
  knownOmissions: Schema.Array(Schema.String).annotate({ description: "Ids of the rules that were not applied." })
})
export type BriefPlans = typeof BriefPlans.Type

/**
 * An explanation is not recorded either. Its steps name their rules, so their texts may be left
 * out.
 */
export const BriefExplanation = Schema.Struct({
  ...ExplainResult.fields,
  rules: Schema.Array(Schema.String).annotate({ description: "Ids of the rules behind the steps and notes." }),
  knownOmissions: Schema.Array(Schema.String).annotate({ description: "Ids of the rules that were not applied." })
})
export type BriefExplanation = typeof BriefExplanation.Type

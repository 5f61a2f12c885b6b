/** A whole book under every plan, without a key (POST /v1/calculators/plans). */
import { Schema } from "effect"
import { LOANS_TO_SEND, MAX_LOANS_OF_PATHS } from "./bounds.ts"
import { Loans } from "./loan.ts"
import { addition, cents, flag, NOT_TAKEN, orElse, required, text } from "./primitives.ts"
import { ProjectionResult } from "./projection.ts"
import { PLAN_TYPES, PlanType, Scenario } from "./scenario.ts"

const { label: _label, planChanges: _planChanges, planType: _planType, ...household } = Scenario.fields

const NOT_TAKEN_HERE = {
  planType: "is not sent here: every plan is computed. Send the plan that the borrower is in as currentPlan",
  planChanges: "is not sent here: send bestPath true to try changes of plan, or one request to POST /v1/projection",
  label: "is not sent here: each plan has a label of its own"
}

const PlansScenario = Schema.Struct(household).annotate({
  identifier: "PlansScenario",
  description: "The household. Every plan is computed, so it names none.",
  message: "must be a scenario object",
  [NOT_TAKEN]: NOT_TAKEN_HERE
})

export const PlansRequest = Schema.Struct({
  scenario: required(PlansScenario, "a scenario object"),
  loans: required(Loans, LOANS_TO_SEND),
  bestPath: orElse(
    flag(
      `Whether to look for the best path, too: the plan, or the plan and one later change to another, with the lowest cost of those tried. At most ${MAX_LOANS_OF_PATHS} loans; counts as ten calls of the rate limit. Default false.`
    ).annotate({ default: false }),
    false
  ),
  currentPlan: addition(PlanType)
}).annotate({
  identifier: "PlansRequest",
  description:
    "All loans of a borrower and the household. currentPlan is the plan that the borrower is in, with which every path then begins.",
  message: "must be a JSON object with scenario and loans",
  [NOT_TAKEN]: NOT_TAKEN_HERE
})
export type PlansRequest = typeof PlansRequest.Type

const PlanTypeOf = Schema.Literals(PLAN_TYPES).annotate({ description: "Plan type, as projections take it." })
const label = text("Name of the plan.")

const {
  amountForgiven,
  forgivenessTaxesOwed,
  forgivenessType,
  monthsToFinish,
  payoffOrForgivenessDate,
  presentValue,
  totalOutOfPocket,
  year1MonthlyPayment
} = ProjectionResult.fields

const figures = {
  planType: PlanTypeOf,
  label,
  year1MonthlyPayment,
  firstPayment: cents("The first payment with its cents, as scheduled."),
  monthsToFinish,
  payoffOrForgivenessDate,
  totalOutOfPocket,
  amountForgiven,
  forgivenessType,
  forgivenessTaxesOwed,
  lifetimeCost: cents("totalOutOfPocket plus forgivenessTaxesOwed."),
  presentValue,
  notes: Schema.Array(Schema.String).annotate({ description: "What is special about the loans under this plan." })
}

export const PlanFigures = Schema.Struct(figures).annotate({
  identifier: "PlanFigures",
  description: "The book under one plan: the figures of a projection."
})
export type PlanFigures = typeof PlanFigures.Type

export const ExcludedPlan = Schema.Struct({
  planType: PlanTypeOf,
  label,
  reason: text("Why the plan cannot be chosen for these loans.")
}).annotate({ identifier: "ExcludedPlan", description: "A plan without figures." })
export type ExcludedPlan = typeof ExcludedPlan.Type

const PathChange = Schema.Struct({
  from: text("The first month under the plan, YYYY-MM."),
  planType: PlanTypeOf,
  firstPayment: cents("Paid in that month.")
}).annotate({ identifier: "PathChange", description: "A later plan; from and planType are as in planChanges." })

export const BestPath = Schema.Struct({
  ...figures,
  planChanges: Schema.Array(PathChange).annotate({
    description: "The change of plan: a projection with planType and these answers with these figures."
  }),
  saves: cents(
    "Less cost than the best path without a change: the best plan, or currentPlan if it was sent. If currentPlan has ended, less than its move to STANDARD, which is made for who does not choose. Of present values, if a discountRate was sent."
  )
}).annotate({
  identifier: "BestPath",
  description: "The path with the lowest cost of those tried. It is not advice: notes say what could undo it."
})
export type BestPath = typeof BestPath.Type

const NamedRule = Schema.Struct({ id: text("Id in GET /v1/rules."), label: text("Short name.") }).annotate({
  identifier: "NamedRule",
  description: "A rule by its id and its name."
})

export const PlansResult = Schema.Struct({
  asOf: text("Date of the computation, YYYY-MM-DD."),
  ruleVersion: text("Version of the rules."),
  plans: Schema.Array(PlanFigures).annotate({
    description: "Every plan that can be chosen for these loans, in the order of GET /v1/plan-types."
  }),
  excludedPlans: Schema.Array(ExcludedPlan).annotate({ description: "The other plans, each with the reason." }),
  lowestMonthlyPlan: Schema.NullOr(PlanTypeOf).annotate({
    description: "The first plan with the lowest firstPayment; null if every plan is excluded."
  }),
  lowestLifetimeCostPlan: Schema.NullOr(PlanTypeOf).annotate({
    description: "The first plan with the lowest lifetimeCost; null if every plan is excluded."
  }),
  bestPath: Schema.NullOr(BestPath).annotate({
    description: "Null if it was not asked for, or if no change of plan that was tried saves anything."
  }),
  citations: Schema.Array(NamedRule).annotate({ description: "The rules behind the figures." }),
  knownOmissions: Schema.Array(NamedRule).annotate({ description: "The rules that were not applied." }),
  assumptions: Schema.Array(Schema.String).annotate({ description: "What the figures of all plans assume." })
}).annotate({ identifier: "PlansResult", description: "The whole book under every plan." })
export type PlansResult = typeof PlansResult.Type

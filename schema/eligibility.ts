/** Plan eligibility: the plans that each loan can elect, and the list of plan types. */
import { Schema } from "effect"
import { LOANS_TO_SEND } from "./bounds.ts"
import { Loans } from "./loan.ts"
import { cents, required, text } from "./primitives.ts"
import { EngineProvenance } from "./projection.ts"
import { FirstBorrowedOn, PLAN_TYPES } from "./scenario.ts"

export const EligibilityRequest = Schema.Struct({
  loans: required(Loans, LOANS_TO_SEND),
  firstBorrowedOn: FirstBorrowedOn
}).annotate({
  identifier: "EligibilityRequest",
  description: "The loans to look up.",
  message: "must be a JSON object with loans"
})
export type EligibilityRequest = typeof EligibilityRequest.Type

export const LoanEligibility = Schema.Struct({
  loanType: text("The loan type in canonical spelling."),
  balance: cents("Principal plus unpaid interest."),
  eligiblePlanTypes: Schema.Array(Schema.Literals(PLAN_TYPES)).annotate({
    description:
      "Plans that this loan can elect, in the order of GET /v1/plan-types. Each is accepted by projection of this loan alone without public service; of the whole book with the exceptions that the operation names."
  })
}).annotate({ identifier: "LoanEligibility", description: "One loan and the plans that it can elect." })
export type LoanEligibility = typeof LoanEligibility.Type

export const EligibilityResult = Schema.Struct({
  loans: Schema.Array(LoanEligibility).annotate({ description: "One entry per loan, in the order sent." }),
  provenance: EngineProvenance
}).annotate({ identifier: "EligibilityResult", description: "The plans that each loan can elect." })
export type EligibilityResult = typeof EligibilityResult.Type

export const PlanTypes = Schema.Array(Schema.Literals(PLAN_TYPES)).annotate({
  identifier: "PlanTypes",
  description: "The ten plan types accepted by projection and comparison."
})

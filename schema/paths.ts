/** The request for the best path: that of a projection, and the plan that the borrower is in. */
import { Schema } from "effect"
import { LOANS_TO_SEND } from "./bounds.ts"
import { Loans } from "./loan.ts"
import { addition, required } from "./primitives.ts"
import { IncludeYearly } from "./projection.ts"
import { PlanType, Scenario } from "./scenario.ts"

export const PathsRequest = Schema.Struct({
  scenario: required(Scenario, "a scenario object"),
  loans: required(Loans, LOANS_TO_SEND),
  includeYearly: IncludeYearly,
  currentPlan: addition(PlanType)
}).annotate({
  identifier: "PathsRequest",
  description:
    "The request of a projection, whose planType and planChanges are replaced, and the plan that the borrower is in, with which every path then begins.",
  message: "must be a JSON object with scenario and loans"
})
export type PathsRequest = typeof PathsRequest.Type

/** The keyed calculations. Projections and comparisons can return nothing but a recorded answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { ComparisonRequest } from "../../../schema/comparison.ts"
import { EligibilityRequest } from "../../../schema/eligibility.ts"
import { CurrentCaller } from "../../../schema/middleware.ts"
import { ProjectionRequest } from "../../../schema/projection.ts"
import { PLAN_TYPES } from "../../../schema/scenario.ts"
import { Answers } from "../../services/answers/Answers.ts"
import { Charging } from "../../services/answers/Charging.ts"
import { bodyOf } from "../body.ts"
import { makeResponding, noteUsage } from "../exchange.ts"
import { makeRefusals } from "../problems.ts"

const projectionOf = bodyOf(ProjectionRequest)
const comparisonOf = bodyOf(ComparisonRequest)
const loanBookOf = bodyOf(EligibilityRequest)

export const CalculationsLive = HttpApiBuilder.group(
  Api,
  "calculations",
  Effect.fn(function* (handlers) {
    const answers = yield* Answers
    const charging = yield* Charging
    const respond = yield* makeResponding
    const refusals = yield* makeRefusals
    return handlers
      .handleRaw("projection", ({ request }) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          const recorded = yield* answers.project(caller, "PublicApi", yield* projectionOf(request))
          return yield* respond.recorded(caller)(recorded)
        }).pipe(Effect.catchTags(refusals.plan))
      )
      .handleRaw("comparison", ({ request }) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          const recorded = yield* answers.compare(caller, "PublicApi", yield* comparisonOf(request))
          return yield* respond.recorded(caller)(recorded)
        }).pipe(Effect.catchTags(refusals.plan))
      )
      .handleRaw("planEligibility", ({ request }) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          const charged = yield* answers.eligiblePlans(caller, yield* loanBookOf(request))
          return yield* respond.charged(caller)(charged)
        }).pipe(Effect.catchTags(refusals.charge))
      )
      .handle("planTypes", () =>
        CurrentCaller.use((caller) => charging.charge(caller)).pipe(
          Effect.flatMap(noteUsage),
          Effect.as(PLAN_TYPES),
          Effect.catchTags(refusals.charge)
        )
      )
  })
)

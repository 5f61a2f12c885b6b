/** The keyed calculations. Projections and comparisons can return nothing but a recorded answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { CurrentCaller } from "../../../schema/middleware.ts"
import { PLAN_TYPES } from "../../../schema/scenario.ts"
import { Answers } from "../../services/answers/Answers.ts"
import { Charging } from "../../services/answers/Charging.ts"
import { respondCharged, respondRecorded } from "../exchange.ts"
import { makeRefusals } from "../problems.ts"

export const CalculationsLive = HttpApiBuilder.group(
  Api,
  "calculations",
  Effect.fn(function* (handlers) {
    const answers = yield* Answers
    const charging = yield* Charging
    const refusals = yield* makeRefusals
    return handlers.handleAll({
      projection: ({ payload }) =>
        CurrentCaller.use((caller) => answers.project(caller, "PublicApi", payload)).pipe(
          Effect.flatMap(respondRecorded),
          Effect.catchTags(refusals.plan)
        ),
      comparison: ({ payload }) =>
        CurrentCaller.use((caller) => answers.compare(caller, "PublicApi", payload)).pipe(
          Effect.flatMap(respondRecorded),
          Effect.catchTags(refusals.plan)
        ),
      planEligibility: ({ payload }) =>
        CurrentCaller.use((caller) => answers.eligiblePlans(caller, payload)).pipe(
          Effect.flatMap(respondCharged),
          Effect.catchTags(refusals.calculation)
        ),
      planTypes: () =>
        CurrentCaller.use((caller) => charging.charge(caller)).pipe(
          Effect.flatMap((usage) => respondCharged({ answer: PLAN_TYPES, usage })),
          Effect.catchTags(refusals.charge)
        )
    })
  })
)

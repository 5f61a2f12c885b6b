/** The keyed calculations. Projections and comparisons can be answered with nothing but a recorded answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { CurrentCaller } from "../../../schema/middleware.ts"
import { PLAN_TYPES } from "../../../schema/scenario.ts"
import { Answers, type ChargedAnswer, type RecordedAnswer } from "../../services/answers/Answers.ts"
import { Charging } from "../../services/answers/Charging.ts"
import { noteUsage } from "../exchange.ts"
import { makeRefusals } from "../problems.ts"

/** The only way from a calculation to a response body. */
const respondRecorded = <A>(recorded: RecordedAnswer<A>): Effect.Effect<A> =>
  Effect.as(noteUsage(recorded.usage), recorded.answer)

const respondCharged = <A>(charged: ChargedAnswer<A>): Effect.Effect<A> =>
  Effect.as(noteUsage(charged.usage), charged.answer)

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

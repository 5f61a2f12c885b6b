/** Handlers of the keyed calculations. Projections and comparisons return only recorded answers. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { BRIEF_MEDIA_TYPE, type Detail } from "../../../schema/brief.ts"
import { ComparisonRequest } from "../../../schema/comparison.ts"
import { EligibilityRequest } from "../../../schema/eligibility.ts"
import { CurrentCaller, type SentBody } from "../../../schema/middleware.ts"
import type { ValidationProblem } from "../../../schema/problems.ts"
import { ProjectionRequest } from "../../../schema/projection.ts"
import { PLAN_TYPES } from "../../../schema/scenario.ts"
import { Answers, Charging, type RecordedCalculation } from "../../services/answers/index.ts"
import { bodyOf } from "../body.ts"
import { jsonResponse } from "../jsonResponse.ts"
import { makeRefusals } from "../problems.ts"
import { CurrentRequestState, makeResponding, noteCharge } from "../requestState.ts"

const projectionOf = bodyOf(ProjectionRequest)
const comparisonOf = bodyOf(ComparisonRequest)
const loanBookOf = bodyOf(EligibilityRequest)

/** Marks the answer as that of an earlier call; only that call was charged. */
const REPLAYED = { headers: { "idempotent-replayed": "true" } }

/** Answers with the caller and the decoded body. */
const keyed = <Body, A, E, R>(
  read: Effect.Effect<Body, ValidationProblem, SentBody>,
  answer: (caller: CurrentCaller["Service"], body: Body) => Effect.Effect<A, E, R>
) => CurrentCaller.use((caller) => Effect.flatMap(read, (body) => answer(caller, body)))

/** The answer serializes itself, to the same bytes as the endpoint's schema, in less time. */
export const makeCalculations = Effect.gen(function* () {
  const answers = yield* Answers
  const respond = yield* makeResponding
  const refusals = yield* makeRefusals
  /** The type accepts only a recorded answer. */
  const recorded =
    <Body, Whole, Brief extends object>(
      read: Effect.Effect<Body, ValidationProblem, SentBody>,
      compute: RecordedCalculation<Body, Whole, Brief>
    ) =>
    (detail: Detail = "full") =>
      keyed(read, (caller, body) =>
        CurrentRequestState.use(({ idempotentCall }) => compute(caller, "PublicApi", body, idempotentCall)).pipe(
          Effect.flatMap(respond.recorded(caller)),
          Effect.map(({ brief, bytes, usage }) => {
            const options = usage === null ? REPLAYED : {}
            return detail === "full"
              ? jsonResponse(bytes(), options)
              : jsonResponse(brief(), { ...options, contentType: BRIEF_MEDIA_TYPE })
          }),
          Effect.catchTags(refusals.plan)
        )
      )
  return {
    projection: recorded(projectionOf, answers.project),
    comparison: recorded(comparisonOf, answers.compare),
    planEligibility: keyed(loanBookOf, (caller, body) =>
      answers.eligiblePlans(caller, body).pipe(
        Effect.flatMap(respond.charged(caller)),
        Effect.map(({ value }) => jsonResponse(value())),
        Effect.catchTags(refusals.dated)
      )
    )
  }
})

export const CalculationsLive = HttpApiBuilder.group(
  Api,
  "calculations",
  Effect.fn(function* (handlers) {
    const { comparison, planEligibility, projection } = yield* makeCalculations
    const charging = yield* Charging
    const refusals = yield* makeRefusals
    return handlers
      .handleRaw("projection", ({ query }) => projection(query.detail))
      .handleRaw("comparison", ({ query }) => comparison(query.detail))
      .handleRaw("planEligibility", () => planEligibility)
      .handle("planTypes", () =>
        CurrentCaller.use((caller) => charging.charge(caller)).pipe(
          Effect.flatMap(noteCharge),
          Effect.as(PLAN_TYPES),
          Effect.catchTags(refusals.charge)
        )
      )
  })
)

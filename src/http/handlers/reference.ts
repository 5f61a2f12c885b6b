/** Handler of the reference scenarios, each computed live and recorded on its own. */
import { Clock, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { Answers } from "../../services/answers/Answers.ts"
import { ruleVersion } from "../../services/answers/publishedRules.ts"
import { REFERENCE_SCENARIOS } from "../../services/answers/referenceScenarios.ts"
import { FairQueue } from "../../services/scheduling/FairQueue.ts"
import { makeRefusals } from "../problems.ts"

const JSON_HEADERS = { "content-type": "application/json" }

/** Approximate size of a scenario's request, as its cost in the fair queue. */
const COMPARISON_BYTES = 2 * 1024

const HOW_TO_USE =
  "Send a scenario's request unchanged to POST /v1/comparison with your key: while the rules version is the same, your figures are the same and the record of your answer has the same inputsHash. verifyUrl confirms the record of the answer shown here."

export const ReferenceLive = HttpApiBuilder.group(
  Api,
  "reference",
  Effect.fn(function* (handlers) {
    const answers = yield* Answers
    const fairQueue = yield* FairQueue
    const refusals = yield* makeRefusals
    const compute = (line: string) =>
      Effect.forEach(REFERENCE_SCENARIOS, (scenario) =>
        fairQueue.take(line, COMPARISON_BYTES).pipe(
          Effect.andThen(answers.reference(scenario.id, scenario.request)),
          Effect.map((answer) => ({ ...scenario, answer }))
        )
      )
    return handlers.handle(
      "reference",
      Effect.fnUntraced(
        function* ({ endpoint, request }) {
          // HEAD must not create records.
          if (request.method === "HEAD") return HttpServerResponse.empty({ status: 200, headers: JSON_HEADERS })
          const computedAtUtc = new Date(yield* Clock.currentTimeMillis).toISOString()
          const scenarios = yield* compute(endpoint.path)
          return { ruleVersion, computedAtUtc, howToUse: HOW_TO_USE, scenarios }
        },
        Effect.catchTags({
          // The scenarios are part of the service, so a refused one is a defect.
          PlanRefused: Effect.die,
          ...refusals.unavailable,
          ...refusals.overload
        })
      )
    )
  })
)

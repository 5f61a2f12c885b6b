/** The reference scenarios, computed live and recorded one by one. */
import { Clock, Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { Answers } from "../../services/answers/Answers.ts"
import { ruleVersion } from "../../services/answers/publishedRules.ts"
import { REFERENCE_SCENARIOS } from "../../services/answers/referenceScenarios.ts"
import { Turns } from "../../services/Turns.ts"
import { makeRefusals } from "../problems.ts"

const JSON_HEADERS = { "content-type": "application/json" }

/** Four comparisons cost about what a body of this size does. */
const REFERENCE_BYTES = 32 * 1024

const HOW_TO_USE =
  "Send a scenario's request unchanged to POST /v1/comparison with your key: while the rules version is the same, your figures are the same and the record of your answer has the same inputsHash. verifyUrl confirms the record of the answer shown here."

export const ReferenceLive = HttpApiBuilder.group(
  Api,
  "reference",
  Effect.fn(function* (handlers) {
    const answers = yield* Answers
    const turns = yield* Turns
    const refusals = yield* makeRefusals
    const computed = Effect.forEach(REFERENCE_SCENARIOS, (scenario) =>
      Effect.map(answers.reference(scenario.id, scenario.request), (answer) => ({ ...scenario, answer }))
    )
    return handlers.handle(
      "reference",
      Effect.fnUntraced(
        function* ({ request }: { readonly request: HttpServerRequest.HttpServerRequest }) {
          // Whoever asks for no answer causes no record.
          if (request.method === "HEAD") return HttpServerResponse.empty({ status: 200, headers: JSON_HEADERS })
          const computedAtUtc = new Date(yield* Clock.currentTimeMillis).toISOString()
          yield* turns.take("/v1/reference", REFERENCE_BYTES)
          return { ruleVersion, computedAtUtc, howToUse: HOW_TO_USE, scenarios: yield* computed }
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

/**
 * Handler of the reference scenarios. They are computed and recorded, up to a limit per hour;
 * beyond it, the newest recorded ones are sent.
 */
import { Clock, Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import type { ReferenceResponse } from "../../../schema/reference.ts"
import { Answers, REFERENCE_SCENARIOS } from "../../services/answers/index.ts"
import { ruleVersion } from "../../services/answers/publishedRules.ts"
import { AnswerLedger } from "../../services/answers/records.ts"
import { FairQueue } from "../../services/scheduling/index.ts"
import { jsonResponse } from "../jsonResponse.ts"
import { makeRefusals } from "../problems.ts"

/** Headers of the response to HEAD, which has no body to derive them from. */
const JSON_HEADERS = { "content-type": "application/json", vary: "Accept-Encoding" }

/** Approximate size of a scenario's request, as its cost in the fair queue. */
const COMPARISON_BYTES = 2 * 1024

const HOW_TO_USE =
  "Send a scenario's request unchanged to POST /v1/comparison with your key: while the rules version is the same, your figures are the same and the record of your answer has the same inputsHash. verifyUrl confirms the record of the answer shown here."

export const ReferenceLive = HttpApiBuilder.group(
  Api,
  "reference",
  Effect.fn(function* (handlers) {
    const answers = yield* Answers
    const ledger = yield* AnswerLedger
    const fairQueue = yield* FairQueue
    const refusals = yield* makeRefusals
    const compute = (line: string) =>
      Effect.forEach(REFERENCE_SCENARIOS, (scenario) =>
        fairQueue.take(line, COMPARISON_BYTES).pipe(
          Effect.andThen(answers.reference(scenario.id, scenario.request)),
          Effect.map(({ answer, entry }) => ({ entry, scenario: { ...scenario, answer } }))
        )
      )
    /** Computes and records the answer. Sends the newest record if other calls reached the limit. */
    const recordedNow = Effect.fnUntraced(function* (line: string, computedAtUtc: string, startMonth: string) {
      const computed = yield* compute(line)
      const scenarios = computed.map(({ scenario }) => scenario)
      const response: ReferenceResponse = { ruleVersion, computedAtUtc, howToUse: HOW_TO_USE, scenarios }
      const answer = JSON.stringify(response)
      const entries = computed.map(({ entry }) => entry)
      if (yield* ledger.recordOwn(entries, { ruleVersion, startMonth, answer })) return answer
      return Option.getOrThrow(yield* ledger.keptReference({ ruleVersion, startMonth }, false))
    })
    return handlers.handle(
      "reference",
      Effect.fnUntraced(
        function* ({ endpoint, request }) {
          // HEAD must not create records.
          if (request.method === "HEAD") return HttpServerResponse.empty({ status: 200, headers: JSON_HEADERS })
          const computedAtUtc = new Date(yield* Clock.currentTimeMillis).toISOString()
          const startMonth = computedAtUtc.slice(0, "YYYY-MM".length)
          const kept = yield* ledger.keptReference({ ruleVersion, startMonth }, true)
          return jsonResponse(
            Option.isSome(kept) ? kept.value : yield* recordedNow(endpoint.path, computedAtUtc, startMonth)
          )
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

/** Confirms a recorded answer to anyone, as JSON or as a plain page. */
import { Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { AnswerNotFoundProblem } from "../../../schema/problems.ts"
import type { VerifiedAnswer } from "../../../schema/records.ts"
import { AnswerLedger, type AnswerRow } from "../../services/AnswerLedger.ts"
import { prefersHtml } from "../negotiation.ts"
import { verifyPage } from "../pages/verifyPage.ts"
import { makeRefusals } from "../problems.ts"

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const VARY = { vary: "Accept" }

const verified = (row: AnswerRow): VerifiedAnswer => ({
  answerId: row.answerId,
  recordedAtUtc: row.recordedAtUtc.toISOString(),
  source: row.source,
  endpoint: row.endpoint,
  eventType: row.eventType,
  ruleVersion: row.ruleVersion,
  inputsHash: row.inputsHash,
  recorded: true
})

export const VerifyLive = HttpApiBuilder.group(
  Api,
  "verify",
  Effect.fn(function* (handlers) {
    const ledger = yield* AnswerLedger
    const refusals = yield* makeRefusals
    return handlers.handle(
      "verifyAnswer",
      Effect.fnUntraced(function* ({ params: { answerId }, request }) {
        // What is no id cannot be the id of a record; the ledger is not asked.
        if (!UUID.test(answerId)) return yield* new AnswerNotFoundProblem({})
        const found = yield* ledger.find(answerId.toLowerCase()).pipe(Effect.catchTags(refusals.unavailable))
        if (Option.isNone(found)) return yield* new AnswerNotFoundProblem({})
        const answer = verified(found.value)
        return prefersHtml(request.headers["accept"])
          ? verifyPage(answer, VARY)
          : HttpServerResponse.jsonUnsafe(answer, { headers: VARY })
      })
    )
  })
)

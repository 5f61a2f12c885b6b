/** Confirms a recorded answer to anyone, as JSON or as an HTML page. */
import { Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { AnswerNotFoundProblem } from "../../../schema/problems.ts"
import { AnswerLedger } from "../../services/answers/AnswerLedger.ts"
import { verifiedAnswer } from "../../services/answers/publicRecord.ts"
import { prefersHtml } from "../negotiation.ts"
import { verifyPage } from "../pages/verifyPage.ts"
import { makeRefusals } from "../problems.ts"

const VARY = { vary: "Accept" }

/** The record of an answer as a response, in the form that the request prefers. */
export const makeVerify = Effect.gen(function* () {
  const ledger = yield* AnswerLedger
  const refusals = yield* makeRefusals
  return Effect.fnUntraced(function* (answerId: string) {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const found = yield* ledger.find(answerId).pipe(Effect.catchTags(refusals.unavailable))
    if (Option.isNone(found)) return yield* new AnswerNotFoundProblem({})
    const answer = verifiedAnswer(found.value)
    return prefersHtml(headers["accept"])
      ? verifyPage(answer, VARY)
      : HttpServerResponse.jsonUnsafe(answer, { headers: VARY })
  })
})

export const VerifyLive = HttpApiBuilder.group(
  Api,
  "verify",
  Effect.fn(function* (handlers) {
    const verify = yield* makeVerify
    return handlers.handle("verifyAnswer", ({ params: { answerId } }) => verify(answerId))
  })
)

/** Confirms a recorded answer to anyone, as JSON or as an HTML page, and tells whether an answer is the recorded one. */
import { Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { AnswerNotFoundProblem } from "../../../schema/problems.ts"
import { type CheckedAnswer, RecordedAnswer } from "../../../schema/records.ts"
import { AnswerLedger } from "../../services/answers/AnswerLedger.ts"
import { isRecordOf, verifiedAnswer } from "../../services/answers/publicRecord.ts"
import { FairQueue, LARGE_COST } from "../../services/scheduling/FairQueue.ts"
import { bodyOf } from "../body.ts"
import { immutable } from "../etag.ts"
import { prefersHtml } from "../negotiation.ts"
import { verifyPage } from "../pages/verifyPage.ts"
import { makeRefusals } from "../problems.ts"
import { CurrentRequestState } from "../requestState.ts"

const VARY = { vary: "Accept" }

const answerOf = bodyOf(RecordedAnswer)

/** Text waits as UTF-16 where one of its characters needs it. */
const BYTES_PER_CHARACTER = 2

const makeFind = Effect.gen(function* () {
  const ledger = yield* AnswerLedger
  const refusals = yield* makeRefusals
  return Effect.fnUntraced(function* (answerId: string) {
    const found = yield* ledger.find(answerId).pipe(Effect.catchTags(refusals.unavailable))
    return Option.isSome(found) ? found.value : yield* new AnswerNotFoundProblem({})
  })
})

/** The record of an answer as a response, in the form that the request prefers. Caches may keep the JSON, not the page. */
export const makeVerify = Effect.gen(function* () {
  const find = yield* makeFind
  return Effect.fnUntraced(function* (answerId: string) {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const answer = verifiedAnswer(yield* find(answerId))
    return prefersHtml(headers["accept"])
      ? verifyPage(answer, VARY)
      : immutable(HttpServerResponse.jsonUnsafe(answer, { headers: VARY }), headers["if-none-match"])
  })
})

export const VerifyLive = HttpApiBuilder.group(
  Api,
  "verify",
  Effect.fn(function* (handlers) {
    const verify = yield* makeVerify
    const find = yield* makeFind
    const fairQueue = yield* FairQueue
    const refusals = yield* makeRefusals
    const check = Effect.fnUntraced(function* (answerId: string) {
      // Of what was decoded no more is kept: many may wait for their records, and then for their turn.
      const named = (yield* answerOf).provenance["answerId"]
      const row = yield* find(answerId)
      // The text, and not what was decoded from it: the hash is of what the sender has.
      const { bodyText, line } = yield* CurrentRequestState
      const isNamed = named === row.answerId
      // The wait for the record has ended the turn of the body, and many may have waited for it together: no two are hashed
      // in one round of the event loop.
      const cost = BYTES_PER_CHARACTER * bodyText.length + LARGE_COST
      if (isNamed) yield* fairQueue.take(line, cost).pipe(Effect.catchTags(refusals.overload))
      const matches = isNamed && (yield* Effect.promise(() => isRecordOf(row, bodyText)))
      const checked: CheckedAnswer = { matches, record: verifiedAnswer(row) }
      return HttpServerResponse.jsonUnsafe(checked)
    })
    return handlers
      .handle("verifyAnswer", ({ params: { answerId } }) => verify(answerId))
      .handleRaw("checkAnswer", ({ params: { answerId } }) => check(answerId))
  })
)

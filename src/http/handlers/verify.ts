/** Handlers that confirm a record, as JSON or HTML, check an answer against it, and serve receipts. */
import { Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { SentBody } from "../../../schema/middleware.ts"
import { AnswerNotFoundProblem } from "../../../schema/problems.ts"
import { type CheckedAnswer, RecordedAnswer } from "../../../schema/records.ts"
import { AppConfig } from "../../platform/config.ts"
import { AnswerLedger, isRecordOf, verifiedAnswer } from "../../services/answers/records.ts"
import { TransparencyLog } from "../../services/log/index.ts"
import { FairQueue, LARGE_COST } from "../../services/scheduling/index.ts"
import { bodyOf } from "../body.ts"
import { immutable } from "../etag.ts"
import { jsonResponse } from "../jsonResponse.ts"
import { prefersHtml } from "../negotiation.ts"
import { verifyPage } from "../pages/verifyPage.ts"
import { makeRefusals } from "../problems.ts"

const VARY = { vary: "Accept" }

const answerOf = bodyOf(RecordedAnswer)

/** V8 stores text as UTF-16 as soon as one character needs it. */
const BYTES_PER_CHARACTER = 2

const makeFind = Effect.gen(function* () {
  const ledger = yield* AnswerLedger
  const refusals = yield* makeRefusals
  return Effect.fnUntraced(function* (answerId: string) {
    const found = yield* ledger.find(answerId).pipe(Effect.catchTags(refusals.unavailable))
    return Option.isSome(found) ? found.value : yield* new AnswerNotFoundProblem({})
  })
})

/** The record in the form that the request prefers. Only the JSON form is cacheable. */
export const makeVerify = Effect.gen(function* () {
  const find = yield* makeFind
  const { operator } = yield* AppConfig
  return Effect.fnUntraced(function* (answerId: string) {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const answer = verifiedAnswer(yield* find(answerId))
    return prefersHtml(headers["accept"])
      ? verifyPage(answer, operator, VARY)
      : immutable(jsonResponse(answer, { headers: VARY }), headers["if-none-match"])
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
      // Keeps nothing else of the decoded body, because many requests may wait for a record or a
      // turn.
      const statedId = (yield* answerOf).provenance["answerId"]
      const row = yield* find(answerId)
      // The text, not the decoded value, because the sender's own copy is hashed.
      const { line, text } = yield* SentBody
      const isSameId = statedId === row.answerId
      // Waiting for the record ended the body's turn, and many requests may resume at once.
      // A large cost ensures that no two answers are hashed in one event-loop round.
      const cost = BYTES_PER_CHARACTER * text.length + LARGE_COST
      if (isSameId) yield* fairQueue.take(line, cost).pipe(Effect.catchTags(refusals.overload))
      const matches = isSameId && (yield* Effect.promise(() => isRecordOf(row, text)))
      const checked: CheckedAnswer = { matches, record: verifiedAnswer(row) }
      return jsonResponse(checked)
    })
    const log = yield* TransparencyLog
    const receipt = Effect.fnUntraced(function* (answerId: string) {
      const found = yield* log.receipt(answerId.toLowerCase()).pipe(Effect.catchTags(refusals.receipt))
      if (Option.isNone(found)) return yield* new AnswerNotFoundProblem({})
      return HttpServerResponse.text(found.value, { contentType: "text/plain; charset=utf-8" })
    })
    return handlers
      .handle("verifyAnswer", ({ params: { answerId } }) => verify(answerId))
      .handleRaw("checkAnswer", ({ params: { answerId } }) => check(answerId))
      .handle("receipt", ({ params: { answerId } }) => receipt(answerId))
  })
)

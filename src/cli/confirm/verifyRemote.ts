/** Anonymous lookup of a record at a running service, by the HTTP contract. */
import { Effect, Layer, Option } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import type { VerifiedAnswer } from "../../../schema/records.ts"
import { boundedFetch } from "../../platform/boundedBody.ts"
import { noAnswer, requireServiceAddress } from "../failures.ts"
import { MAX_TEXT_BYTES } from "./logRemote.ts"

const ANSWER_WITHIN = "10 seconds"

const BOUNDED = FetchHttpClient.layer.pipe(
  Layer.provide(Layer.succeed(FetchHttpClient.Fetch, boundedFetch(MAX_TEXT_BYTES)))
)

/** The record, or none if the service has none. */
export const findRemotely = Effect.fnUntraced(function* (url: string, answerId: string) {
  yield* requireServiceAddress(url)
  const httpClient = yield* HttpClient.HttpClient
  const ask = yield* HttpApiClient.endpoint(Api, {
    group: "verify",
    endpoint: "verifyAnswer",
    baseUrl: url,
    httpClient
  })
  return yield* ask({ params: { answerId } }).pipe(
    Effect.flatMap((answer) =>
      typeof answer === "object"
        ? Effect.succeed(Option.some(answer))
        : Effect.fail(noAnswer(url, "it sent an HTML page"))
    ),
    Effect.catchTag("AnswerNotFoundProblem", () => Effect.succeed(Option.none<VerifiedAnswer>())),
    Effect.catchTag(["RateLimitedProblem", "LedgerUnavailableProblem", "InternalProblem"], ({ detail }) =>
      Effect.fail(noAnswer(url, detail))
    ),
    Effect.catchTag(["HttpClientError", "SchemaError"], () =>
      Effect.fail(noAnswer(url, "it cannot be reached, or is not this service"))
    ),
    Effect.timeoutOrElse({
      duration: ANSWER_WITHIN,
      orElse: () => Effect.fail(noAnswer(url, `no answer within ${ANSWER_WITHIN}`))
    })
  )
}, Effect.provide(BOUNDED))

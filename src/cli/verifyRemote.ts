/** Asks a running service for a record, anonymously, with the HTTP contract. */
import { Effect, Option } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Api } from "../../schema/api.ts"
import type { VerifiedAnswer } from "../../schema/records.ts"
import { isWebAddress } from "../request/webAddress.ts"
import { badInput, unavailable } from "./failures.ts"

const ANSWER_WITHIN = "10 seconds"

/** The record, if the service has one. */
export const findRemotely = Effect.fnUntraced(function* (url: string, answerId: string) {
  if (!isWebAddress(url))
    return yield* badInput("--url: use the address of the service, such as https://api.example.org")
  const noAnswer = (detail: string) => unavailable(`${url} gave no usable answer: ${detail}`)
  const httpClient = yield* HttpClient.HttpClient
  const ask = yield* HttpApiClient.endpoint(Api, {
    group: "verify",
    endpoint: "verifyAnswer",
    baseUrl: url,
    httpClient
  })
  return yield* ask({ params: { answerId } }).pipe(
    Effect.flatMap((answer) =>
      typeof answer === "string" ? Effect.fail(noAnswer("it sent an HTML page")) : Effect.succeed(Option.some(answer))
    ),
    Effect.catchTag("AnswerNotFoundProblem", () => Effect.succeed(Option.none<VerifiedAnswer>())),
    Effect.catchTag(["RateLimitedProblem", "LedgerUnavailableProblem", "InternalProblem"], ({ detail }) =>
      Effect.fail(noAnswer(detail))
    ),
    Effect.catchTag(["HttpClientError", "SchemaError"], () =>
      Effect.fail(noAnswer("it cannot be reached, or is not this service"))
    ),
    Effect.timeoutOrElse({
      duration: ANSWER_WITHIN,
      orElse: () => Effect.fail(noAnswer(`no answer within ${ANSWER_WITHIN}`))
    })
  )
}, Effect.provide(FetchHttpClient.layer))

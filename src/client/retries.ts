/**
 * When a call is retried. After a lost connection only if repeating it changes nothing; after 429 and 503 with a short
 * Retry-After for any call, because the service asks for it. A longer Retry-After, such as that of a used-up month, is
 * returned to the caller at once: a client that obeyed it would sleep for weeks.
 */
import { Duration, Effect, Schedule } from "effect"
import { HttpClient, type HttpClientError, type HttpClientRequest, type HttpClientResponse } from "effect/http"

const RETRIES = 2
const MAX_WAIT_SECONDS = 5
const FIRST_PAUSE = Duration.millis(100)

/** Rate limit or quota; the ledger cannot be reached, or too many calculations at once. */
const RETRIED_STATUSES: ReadonlyArray<number> = [429, 503]

/** The seconds of Retry-After, if they are few. */
const shortWait = ({ headers, status }: HttpClientResponse.HttpClientResponse): number | undefined => {
  const seconds = Number(headers["retry-after"] ?? Number.NaN)
  return RETRIED_STATUSES.includes(status) && seconds >= 0 && seconds <= MAX_WAIT_SECONDS ? seconds : undefined
}

const isReading = ({ method }: HttpClientRequest.HttpClientRequest): boolean => method === "GET" || method === "HEAD"

type Call<E, R> = Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>

const retried = <E, R>(call: Call<E, R>, retries: number): Call<E, R> =>
  Effect.flatMap(call, (response) => {
    const seconds = retries === 0 ? undefined : shortWait(response)
    return seconds === undefined
      ? Effect.succeed(response)
      : Effect.delay(retried(call, retries - 1), Duration.seconds(seconds))
  })

const reconnecting = <R>(call: Call<HttpClientError.HttpClientError, R>) =>
  Effect.retry(call, {
    times: RETRIES,
    schedule: Schedule.exponential(FIRST_PAUSE),
    while: ({ reason }) => reason._tag === "TransportError"
  })

export const withRetries = (client: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.transform(client, (call, request) => retried(isReading(request) ? reconnecting(call) : call, RETRIES))

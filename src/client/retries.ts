/**
 * When a call is sent again. A lost connection is tried again only where sending twice changes nothing; a service that
 * says to come back within seconds is asked again for any call, since it charged nothing. Longer waits, such as a month
 * used up, are answered to the caller at once: a client that obeys them would sleep for weeks.
 */
import { Duration, Effect, Schedule } from "effect"
import { HttpClient, type HttpClientError, type HttpClientRequest, type HttpClientResponse } from "effect/http"

const RETRIES = 2
const MAX_WAIT_SECONDS = 5
const FIRST_PAUSE = Duration.millis(100)

/** Too many requests; the ledger cannot be reached or too many calculations at once. */
const COME_BACK: ReadonlyArray<number> = [429, 503]

/** Seconds after which the service asks to be called again, if they are few. */
const shortWait = ({ headers, status }: HttpClientResponse.HttpClientResponse): number | undefined => {
  const seconds = Number(headers["retry-after"] ?? Number.NaN)
  return COME_BACK.includes(status) && seconds >= 0 && seconds <= MAX_WAIT_SECONDS ? seconds : undefined
}

const isReading = ({ method }: HttpClientRequest.HttpClientRequest): boolean => method === "GET" || method === "HEAD"

type Call<E, R> = Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>

const asked = <E, R>(call: Call<E, R>, retries: number): Call<E, R> =>
  Effect.flatMap(call, (response) => {
    const seconds = retries === 0 ? undefined : shortWait(response)
    return seconds === undefined
      ? Effect.succeed(response)
      : Effect.delay(asked(call, retries - 1), Duration.seconds(seconds))
  })

const reconnecting = <R>(call: Call<HttpClientError.HttpClientError, R>) =>
  Effect.retry(call, {
    times: RETRIES,
    schedule: Schedule.exponential(FIRST_PAUSE),
    while: ({ reason }) => reason._tag === "TransportError"
  })

export const withRetries = (client: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.transform(client, (call, request) => asked(isReading(request) ? reconnecting(call) : call, RETRIES))

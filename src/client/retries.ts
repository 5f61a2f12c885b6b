/** The retries of plain/retries.ts for the client of Effects, which sends through the HttpClient that it is given. */
import { Duration, Effect, Schedule } from "effect"
import { HttpClient, type HttpClientError, type HttpClientRequest, type HttpClientResponse } from "effect/http"
import { FIRST_PAUSE_MILLIS, RETRIES, shortWait } from "./plain/retries.ts"

const isReading = ({ method }: HttpClientRequest.HttpClientRequest): boolean => method === "GET" || method === "HEAD"

type Call<E, R> = Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>

const retried = <E, R>(call: Call<E, R>, retries: number): Call<E, R> =>
  Effect.flatMap(call, (response) => {
    const seconds = retries === 0 ? undefined : shortWait(response.status, response.headers["retry-after"])
    return seconds === undefined
      ? Effect.succeed(response)
      : Effect.delay(retried(call, retries - 1), Duration.seconds(seconds))
  })

const reconnecting = <R>(call: Call<HttpClientError.HttpClientError, R>) =>
  Effect.retry(call, {
    times: RETRIES,
    schedule: Schedule.exponential(Duration.millis(FIRST_PAUSE_MILLIS)),
    while: ({ reason }) => reason._tag === "TransportError"
  })

export const withRetries = (client: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.transform(client, (call, request) => retried(isReading(request) ? reconnecting(call) : call, RETRIES))

/**
 * The client for users of Effect: one method for each endpoint of the contract, with its problems in the error channel.
 * Requests are decoded types, which include defaults; decode a plain object with its schema first.
 */
import { Effect, Layer, Redacted } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { Api } from "../../schema/api.ts"
import { Authentication } from "../../schema/middleware.ts"
import { withRetries } from "./retries.ts"

export interface ClientOptions {
  /** Base URL of the service, such as https://api.example.org. */
  readonly baseUrl: string | URL
  /** Needed for the keyed endpoints only. */
  readonly apiKey?: string | Redacted.Redacted<string> | undefined
}

export type Client = HttpApiClient.ForApi<typeof Api>

const KEY_HEADER = "x-api-key"

/** Adds the key to a request. */
const withKey = (
  request: HttpClientRequest.HttpClientRequest,
  apiKey: ClientOptions["apiKey"]
): HttpClientRequest.HttpClientRequest =>
  apiKey === undefined
    ? request
    : HttpClientRequest.setHeader(request, KEY_HEADER, Redacted.isRedacted(apiKey) ? Redacted.value(apiKey) : apiKey)

const KeyLayer = (apiKey: ClientOptions["apiKey"]) =>
  HttpApiMiddleware.layerClient(Authentication, ({ next, request }) => next(withKey(request, apiKey)))

export const makeClient = ({ apiKey, baseUrl }: ClientOptions): Effect.Effect<Client, never, HttpClient.HttpClient> =>
  HttpApiClient.make(Api, { baseUrl, transformClient: withRetries }).pipe(Effect.provide(Layer.fresh(KeyLayer(apiKey))))

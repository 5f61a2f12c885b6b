/**
 * The entry `repayment-of-record/client`: the typed client of the service.
 *
 * - `createClient` makes a client whose methods return promises. The small package
 *   `@repayment-of-record/client` has the same code.
 * - `Api` is the contract, from which Effect's `HttpApiClient.make` derives a client.
 *
 *     const client = createClient({ baseUrl: "http://127.0.0.1:8080", apiKey })
 *     const answer = await client.project({ scenario, loans })
 *
 * With Effect, problems are in the error channel, and nothing is retried unless you say so.
 * Requests are decoded types. A `Retry-After` can last until next month, so set a limit to it:
 *
 *     const withKey = HttpClient.mapRequest(HttpClientRequest.setHeader("x-api-key", apiKey))
 *     const client = yield* HttpApiClient.make(Api, { baseUrl, transformClient: withKey })
 *     const payload = yield* Schema.decodeEffect(ProjectionRequest)({ scenario, loans })
 *     const answer = yield* client.calculations.projection({ payload, query: {} })
 */
export { Api } from "../../schema/api.ts"
export {
  type CallFailure,
  type CallOptions,
  type Client as PromiseClient,
  type ClientOptions as PromiseClientOptions,
  createClient,
  isProblem,
  type Problem,
  type RecordsFilter,
  ServiceProblem,
  ServiceUnreachable,
  UnexpectedAnswer
} from "./plain/index.ts"

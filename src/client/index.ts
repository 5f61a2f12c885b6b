/**
 * `repayment-of-record/client`: the typed client of the service. `createClient` gives promises, `makeClient` gives
 * Effects; both are derived from the contract in `schema/` and import nothing else of the project.
 *
 *     const client = createClient({ baseUrl: "http://127.0.0.1:8080", apiKey })
 *     const answer = await client.project({ scenario, loans })
 *
 * A rejected promise holds a problem of the service (`isProblem(error)`, identified by `error._tag`), a
 * `ServiceUnreachable` or an `UnexpectedAnswer`.
 */
export { isProblem, type Problem } from "../../schema/problems.ts"
export { type Client, type ClientOptions, makeClient } from "./effectClient.ts"
export { ServiceUnreachable, UnexpectedAnswer } from "./failures.ts"
export type { CallFailure } from "./operations.ts"
export {
  type CallOptions,
  createClient,
  type PromiseClient,
  type PromiseClientOptions,
  type RecordsFilter
} from "./promiseClient.ts"

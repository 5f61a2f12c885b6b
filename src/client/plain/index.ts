/**
 * The entry of the package `@repayment-of-record/client`, which has no dependencies.
 *
 *     const client = createClient({ baseUrl: "http://127.0.0.1:8080", apiKey })
 *     const answer = await client.project({ scenario, loans })
 */

export { type ClientOptions, createClient } from "./createClient.ts"
export {
  type CallFailure,
  isProblem,
  type ProblemDocument,
  ServiceProblem,
  ServiceUnreachable,
  UnexpectedAnswer
} from "./failures.ts"
export type * from "./generated/contract.ts"

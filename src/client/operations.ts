/**
 * One call over HTTP: a request sent as it is, and a response or a problem decoded by the contract. Nothing is
 * validated before it is sent.
 */
import { Effect, Schema } from "effect"
import {
  HttpClient,
  type HttpClientError,
  HttpClientRequest,
  type HttpClientResponse,
  type HttpMethod
} from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { Authentication } from "../../schema/middleware.ts"
import { PROBLEMS, type Problem } from "../../schema/problems.ts"
import { type ClientOptions, withKey } from "./effectClient.ts"
import { ServiceUnreachable, UnexpectedAnswer } from "./failures.ts"

export type CallFailure = Problem | ServiceUnreachable | UnexpectedAnswer

/** An endpoint of the contract, and how its responses are decoded. */
export interface Operation<A> {
  readonly method: HttpMethod.HttpMethod
  readonly path: string
  /** Whether the endpoint requires a key. */
  readonly keyed: boolean
  readonly decode: (response: HttpClientResponse.HttpClientResponse) => Effect.Effect<A, unknown>
}

type Endpoint = Pick<HttpApiEndpoint.Top, "method" | "path" | "middlewares">

export const operationOf = <A>(
  { method, middlewares, path }: Endpoint,
  decode: Operation<A>["decode"]
): Operation<A> => ({
  method,
  path,
  keyed: middlewares.has(Authentication),
  decode
})

export interface Sent {
  readonly body?: unknown
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | undefined>>
}

const FIRST_PROBLEM_STATUS = 400

const pathOf = ({ path }: Operation<unknown>, params: Sent["params"] = {}): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))

const requestOf = (operation: Operation<unknown>, sent: Sent, { apiKey, baseUrl }: ClientOptions) => {
  const address = String(baseUrl).replace(/\/+$/, "") + pathOf(operation, sent.params)
  const request = HttpClientRequest.make(operation.method)(address).pipe(
    HttpClientRequest.acceptJson,
    HttpClientRequest.appendUrlParams(sent.query ?? {}),
    (plain) => withKey(plain, operation.keyed ? apiKey : undefined)
  )
  return sent.body === undefined ? request : HttpClientRequest.bodyJsonUnsafe(request, sent.body)
}

const unreachable = (operation: Operation<unknown>, cause: HttpClientError.HttpClientError) =>
  new ServiceUnreachable({ message: `${operation.method} ${operation.path} got no response: ${cause.message}`, cause })

const unexpected = ({ method, path }: Operation<unknown>, status: number, cause: unknown) =>
  new UnexpectedAnswer({
    message: `${method} ${path} was answered with status ${status} and a body that the contract does not describe`,
    status,
    cause
  })

const decodeProblem = Schema.decodeUnknownEffect(Schema.Union(PROBLEMS))

/** Any problem of the service, whether or not the endpoint declares it: a wrong address, for one, causes another. */
const problemOf = (operation: Operation<unknown>, response: HttpClientResponse.HttpClientResponse) =>
  response.json.pipe(
    Effect.flatMap(decodeProblem),
    Effect.mapError((cause) => unexpected(operation, response.status, cause)),
    Effect.flatMap((problem): Effect.Effect<never, Problem> => Effect.fail(problem))
  )

export const call = Effect.fnUntraced(function* <A>(operation: Operation<A>, sent: Sent, options: ClientOptions) {
  const client = yield* HttpClient.HttpClient
  const response = yield* Effect.mapError(client.execute(requestOf(operation, sent, options)), (cause) =>
    unreachable(operation, cause)
  )
  if (response.status >= FIRST_PROBLEM_STATUS) return yield* problemOf(operation, response)
  return yield* Effect.mapError(operation.decode(response), (cause) => unexpected(operation, response.status, cause))
})

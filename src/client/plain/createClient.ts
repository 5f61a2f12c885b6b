/**
 * The client: one method per operation, over `fetch` and nothing else. Only the service validates
 * requests, so every message about a request is the service's own.
 */

import { call, type Sent, type Service } from "./call.ts"
import { within } from "./deadline.ts"
import type { CallOptions, Client, Detail, RecordedCallOptions, RecordsFilter } from "./generated/contract.ts"
import { OPERATIONS } from "./generated/table.ts"
import { RETRIES } from "./retries.ts"

const DEFAULT_TIMEOUT_MILLIS = 30_000

export interface ClientOptions {
  /**
   * Address of the service, such as https://api.example.org: http or https, with or without a path.
   * A query, a fragment and credentials are refused.
   */
  readonly baseUrl: string | URL
  /** The API key. Only the calls that need one send it. */
  readonly apiKey?: string | undefined
  /**
   * Milliseconds for a whole call, retries included. A call that takes longer is rejected with a
   * ServiceUnreachable.
   * @default 30000
   */
  readonly timeoutMillis?: number | undefined
  /** Replacement for the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * Maximum number of retries. Any call is retried after a 429 or 503 with a Retry-After of at most
   * 5 seconds, and a GET, `project` or `compare` after a lost connection. The two are counted
   * separately.
   * @default 2
   */
  readonly retries?: number | undefined
}

const parsed = (address: string): URL | undefined => {
  try {
    return new URL(address)
  } catch {
    return undefined
  }
}

const withoutPassword = (address: string): string => address.replace(/\/\/.*@/, "//...@")

/**
 * The address without a trailing slash. `localhost:8080` is refused, because its scheme would be
 * `localhost`.
 */
const addressOf = (baseUrl: string): string => {
  const url = /^https?:\/\//i.test(baseUrl) ? parsed(baseUrl) : undefined
  if (url !== undefined && url.origin + url.pathname === url.href) return url.href.replace(/\/+$/, "")
  throw new TypeError(
    `baseUrl must begin with http:// or https:// and end with a host or a path, such as https://api.example.org; it is "${withoutPassword(baseUrl)}"`
  )
}

const checkedKey = (apiKey: string | undefined): string | undefined => {
  if (apiKey === undefined || /^[\x21-\x7e]+$/.test(apiKey)) return apiKey
  throw new TypeError("apiKey must be a key as it was issued: text without spaces and line breaks")
}

const checkedTimeout = (timeoutMillis: number): number => {
  if (typeof timeoutMillis === "number" && timeoutMillis > 0) return timeoutMillis
  throw new TypeError(`timeoutMillis must be a number above 0; it is ${timeoutMillis}`)
}

const checkedRetries = (retries: number): number => {
  if (Number.isInteger(retries) && retries >= 0) return retries
  throw new TypeError(`retries must be a whole number from 0 on; it is ${retries}`)
}

const KEY_BYTES = 16

/**
 * A random Idempotency-Key. Unlike crypto.randomUUID it works on pages without TLS. Undefined in
 * Node 18, which has no global `crypto`: a call is then not retried after a lost connection.
 */
const newIdempotencyKey = (): string | undefined => {
  const bytes = globalThis.crypto?.getRandomValues(new Uint8Array(KEY_BYTES))
  return bytes && Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** The parts of a recorded call next to its body. */
const recordedCall = ({ detail, idempotencyKey = newIdempotencyKey() }: RecordedCallOptions<Detail> = {}) => ({
  query: { detail },
  idempotencyKey
})

/** Only V8 has it; elsewhere an error keeps its own stack. */
const { captureStackTrace } = Error as { readonly captureStackTrace?: (target: object, calledBy: unknown) => void }

/** Replaces the stack with the caller's, because frames inside the client help nobody. */
const fromCaller = (error: unknown, { stack }: { readonly stack?: string }): unknown => {
  if (error instanceof Error && typeof stack === "string") {
    error.stack = stack.replace(/^.*/, () => `${error.name}: ${error.message}`)
  }
  return error
}

/** Returns the function through which every method makes its call. */
const runner = (service: Service, timeoutMillis: number, methods: () => Client) => {
  return async <A>(name: keyof Client, sent: Sent, { signal }: CallOptions = {}): Promise<A> => {
    const caller = {}
    captureStackTrace?.(caller, methods()[name])
    try {
      return (await within(timeoutMillis, signal, (callSignal) =>
        call(OPERATIONS[name], sent, service, callSignal)
      )) as A
    } catch (error) {
      throw signal?.aborted ? error : fromCaller(error, caller)
    }
  }
}

const instant = (name: string, time: Date | string | undefined): string | undefined => {
  if (!(time instanceof Date)) return time
  if (Number.isNaN(time.getTime())) throw new TypeError(`${name} is an invalid Date: make it from a valid date`)
  return time.toISOString()
}

const queryOf = ({ cursor, from, limit, to }: RecordsFilter): NonNullable<Sent["query"]> => ({
  from: instant("from", from),
  to: instant("to", to),
  cursor: cursor?.toString(),
  limit: limit?.toString()
})

/** Callers in JavaScript may pass anything. */
const answerIdOf = (answer: { readonly provenance?: { readonly answerId?: unknown } } | null | undefined): string => {
  const answerId = answer?.provenance?.answerId
  if (typeof answerId === "string") return answerId
  throw new TypeError("check takes only a recorded answer: this one has no provenance.answerId")
}

/**
 * Creates a client. Nothing is sent before the first call.
 *
 *     const client = createClient({ baseUrl: "https://api.example.org", apiKey })
 *     const answer = await client.project({ scenario, loans })
 *
 * @throws TypeError if `baseUrl` is not an http or https address, `apiKey` is empty or not
 * printable ASCII without spaces, `timeoutMillis` is not above 0, or `retries` is not a whole
 * number from 0 up
 */
export const createClient = (options: ClientOptions): Client => {
  const { apiKey, baseUrl, fetch, retries = RETRIES, timeoutMillis = DEFAULT_TIMEOUT_MILLIS } = options
  const service = {
    address: addressOf(String(baseUrl)),
    apiKey: checkedKey(apiKey),
    fetch,
    retries: checkedRetries(retries)
  }
  const run = runner(service, checkedTimeout(timeoutMillis), () => client)
  const client: Client = {
    project: (body, callOptions) => run("project", { body, ...recordedCall(callOptions) }, callOptions),
    compare: (body, callOptions) => run("compare", { body, ...recordedCall(callOptions) }, callOptions),
    eligiblePlans: (body, callOptions) => run("eligiblePlans", { body }, callOptions),
    planTypes: (callOptions) => run("planTypes", {}, callOptions),
    calculate: (body, callOptions) => run("calculate", { body }, callOptions),
    comparePlans: (body, callOptions) => run("comparePlans", { body }, callOptions),
    explain: (body, callOptions) => run("explain", { body }, callOptions),
    verify: (answerId, callOptions) => run("verify", { answerId }, callOptions),
    check: async (body, callOptions) => run("check", { answerId: answerIdOf(body), body }, callOptions),
    receipt: (answerId, callOptions) => run("receipt", { answerId }, callOptions),
    me: (callOptions) => run("me", {}, callOptions),
    records: async (filter = {}, callOptions) => run("records", { query: queryOf(filter) }, callOptions),
    rules: (callOptions) => run("rules", {}, callOptions),
    rulesVersion: (callOptions) =>
      run<{ readonly version: string }>("rulesVersion", {}, callOptions).then(({ version }) => version),
    reference: (callOptions) => run("reference", {}, callOptions),
    mintSandboxKey: (email, callOptions) => run("mintSandboxKey", { body: { email } }, callOptions),
    claimProductionKey: (sandboxKey, callOptions) => run("claimProductionKey", { body: { sandboxKey } }, callOptions),
    health: (callOptions) => run("health", {}, callOptions)
  }
  return client
}

/**
 * The client: a method for each operation, over `fetch`. It runs wherever there is one, and needs nothing else. A request
 * is sent as it is and validated by the service alone, so that every message about it is the service's own.
 */

import { call, type Sent, type Service } from "./call.ts"
import { within } from "./deadline.ts"
import type { CallOptions, Client, RecordsFilter } from "./generated/contract.ts"
import { OPERATIONS } from "./generated/table.ts"
import { RETRIES } from "./retries.ts"

const DEFAULT_TIMEOUT_MILLIS = 30_000

export interface ClientOptions {
  /** Address of the service, such as https://api.example.org. */
  readonly baseUrl: string | URL
  /** Needed for the keyed calls only. */
  readonly apiKey?: string | undefined
  /**
   * For a whole call, retries included.
   * @default 30000
   */
  readonly timeoutMillis?: number | undefined
  /** Is called in place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** How often a call is sent again at most, 2 unless told: where the service asks for it, and readings that did not get through. */
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

/** The address without a slash at its end. `localhost:8080` is refused: it would have a scheme of that name. */
const addressOf = (baseUrl: string): string => {
  const url = /^https?:\/\//i.test(baseUrl) ? parsed(baseUrl) : undefined
  if (url !== undefined && url.origin + url.pathname === url.href) return url.href.replace(/\/+$/, "")
  throw new TypeError(
    `baseUrl must begin with http:// or https:// and end with a host or a path, such as https://api.example.org; it is "${withoutPassword(baseUrl)}"`
  )
}

const keyOf = (apiKey: string | undefined): string | undefined => {
  if (apiKey === undefined || /^[\x21-\x7e]+$/.test(apiKey)) return apiKey
  throw new TypeError("apiKey must be a key as it was issued: text without spaces and line breaks")
}

const timeOf = (timeoutMillis: number): number => {
  if (typeof timeoutMillis === "number" && timeoutMillis > 0) return timeoutMillis
  throw new TypeError(`timeoutMillis must be a number above 0; it is ${timeoutMillis}`)
}

const timesOf = (retries: number): number => {
  if (Number.isInteger(retries) && retries >= 0) return retries
  throw new TypeError(`retries must be a whole number from 0 on; it is ${retries}`)
}

/** Of V8; elsewhere an error keeps the stack that it has. */
const { captureStackTrace } = Error as { readonly captureStackTrace?: (target: object, calledBy: unknown) => void }

/** An error as if it came from where the call was made: the steps in between say nothing to anyone. */
const fromCaller = (error: unknown, { stack }: { readonly stack?: string }): unknown => {
  if (error instanceof Error && typeof stack === "string") {
    error.stack = stack.replace(/^.*/, () => `${error.name}: ${error.message}`)
  }
  return error
}

/** Runs calls, each for one of the methods. */
const runner = (service: Service, timeoutMillis: number, methods: () => Client) => {
  return async <A>(name: keyof Client, sent: Sent, { signal }: CallOptions = {}): Promise<A> => {
    const caller = {}
    captureStackTrace?.(caller, methods()[name])
    try {
      return (await within(timeoutMillis, signal, (ending) => call(OPERATIONS[name], sent, service, ending))) as A
    } catch (error) {
      throw signal?.aborted ? error : fromCaller(error, caller)
    }
  }
}

const instant = (name: string, time: Date | string | undefined): string | undefined => {
  if (!(time instanceof Date)) return time
  if (Number.isNaN(time.getTime())) throw new TypeError(`${name} is a Date without a time: it was made of no date`)
  return time.toISOString()
}

const queryOf = ({ cursor, from, limit, to }: RecordsFilter): NonNullable<Sent["query"]> => ({
  from: instant("from", from),
  to: instant("to", to),
  cursor: cursor?.toString(),
  limit: limit?.toString()
})

/** JavaScript may hand over anything. */
const answerIdOf = (answer: { readonly provenance?: { readonly answerId?: unknown } } | null | undefined): string => {
  const answerId = answer?.provenance?.answerId
  if (typeof answerId === "string") return answerId
  throw new TypeError("check takes an answer that was recorded: it has provenance.answerId")
}

/**
 * Makes a client. Nothing is sent before a call.
 *
 *     const client = createClient({ baseUrl: "https://api.example.org", apiKey })
 *     const answer = await client.project({ scenario, loans })
 *
 * Throws a TypeError if `baseUrl` is no address of a service, `apiKey` no key, `timeoutMillis` not above 0, or
 * `retries` no whole number.
 */
export const createClient = (options: ClientOptions): Client => {
  const { apiKey, baseUrl, fetch, retries = RETRIES, timeoutMillis = DEFAULT_TIMEOUT_MILLIS } = options
  const service = { address: addressOf(String(baseUrl)), apiKey: keyOf(apiKey), fetch, retries: timesOf(retries) }
  const run = runner(service, timeOf(timeoutMillis), () => client)
  const client: Client = {
    project: (body, how) => run("project", { body }, how),
    compare: (body, how) => run("compare", { body }, how),
    eligiblePlans: (body, how) => run("eligiblePlans", { body }, how),
    planTypes: (how) => run("planTypes", {}, how),
    calculate: (body, how) => run("calculate", { body }, how),
    explain: (body, how) => run("explain", { body }, how),
    verify: (answerId, how) => run("verify", { answerId }, how),
    check: async (body, how) => run("check", { answerId: answerIdOf(body), body }, how),
    me: (how) => run("me", {}, how),
    records: async (filter = {}, how) => run("records", { query: queryOf(filter) }, how),
    rules: (how) => run("rules", {}, how),
    rulesVersion: (how) => run<{ readonly version: string }>("rulesVersion", {}, how).then(({ version }) => version),
    reference: (how) => run("reference", {}, how),
    mintSandboxKey: (email, how) => run("mintSandboxKey", { body: { email } }, how),
    claimProductionKey: (sandboxKey, how) => run("claimProductionKey", { body: { sandboxKey } }, how),
    health: (how) => run("health", {}, how)
  }
  return client
}

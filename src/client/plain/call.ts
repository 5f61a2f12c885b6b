/**
 * One call: sends a request unchanged and returns the answer or throws the problem. Requests are
 * not validated. In an answer, only the presence of required members is checked.
 */

import { isProblemDocument, ServiceProblem, ServiceUnreachable, UnexpectedAnswer } from "./failures.ts"
import type { ProblemTag } from "./generated/contract.ts"
import { PROBLEM_SLUGS } from "./generated/table.ts"
import { type Received, withRetries } from "./retries.ts"

export interface Operation {
  readonly method: string
  readonly path: string
  /** Whether the API key is sent. */
  readonly keyed?: boolean
  /** Required members of the answer; empty if the answer is an array. */
  readonly members?: ReadonlyArray<string>
  /** How an answer begins that is a text, not JSON. */
  readonly start?: string
}

export interface Sent {
  readonly body?: unknown
  /** Replaces `:answerId` in the path. */
  readonly answerId?: string
  readonly query?: Readonly<Record<string, string | undefined>>
  /** With this key, the service carries out the call once, however often it is sent. */
  readonly idempotencyKey?: string | undefined
}

export interface Service {
  /** Without a trailing slash. */
  readonly address: string
  readonly apiKey: string | undefined
  readonly fetch: typeof globalThis.fetch | undefined
  /** Maximum number of retries, as in `ClientOptions`. */
  readonly retries: number
}

const addressOf = ({ path }: Operation, { answerId = "", query = {} }: Sent, { address }: Service): string => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const search = String(new URLSearchParams(given))
  return address + path.replace(":answerId", encodeURIComponent(answerId)) + (search && `?${search}`)
}

/** Redirects are not followed, because the key would be sent to their target. */
const requestOf = ({ keyed, method }: Operation, { body, idempotencyKey }: Sent, { apiKey }: Service): RequestInit => ({
  method,
  redirect: "manual",
  headers: {
    accept: "application/json",
    ...(method === "POST" ? { "content-type": "application/json" } : {}),
    ...(keyed && apiKey !== undefined ? { "x-api-key": apiKey } : {}),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey })
  },
  // Without a body the service refuses the call with its own message.
  ...(method === "POST" ? { body: JSON.stringify(body ?? null) } : {})
})

/** The error of `fetch` says only that it failed; its `cause` says why. */
const unreachable = ({ method, path }: Operation, error: unknown): ServiceUnreachable => {
  const cause = (error as { readonly cause?: unknown } | undefined)?.cause ?? error
  const { code, message } = (cause ?? {}) as { readonly code?: string; readonly message?: string }
  return new ServiceUnreachable(`${method} ${path} got no response: ${message || code || cause}`, { cause })
}

/** Far more than any answer of the service. */
const MAX_BODY_BYTES = 8_388_608

/** The text of a body; undefined if it is too long. */
const textOf = async (response: Response): Promise<string | undefined> => {
  if (!response.body) return response.text()
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.length
    if (bytes > MAX_BODY_BYTES) {
      await reader.cancel()
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}

const send = async (operation: Operation, url: string, init: RequestInit, { fetch }: Service): Promise<Received> => {
  try {
    const response = await (fetch ?? globalThis.fetch)(url, init)
    const retryAfter = response.headers.get("retry-after")
    return { status: response.status, retryAfter, text: await textOf(response) }
  } catch (error) {
    throw unreachable(operation, error)
  }
}

const parsed = (text = ""): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isAnswer = (value: unknown, { members = [] }: Operation): boolean =>
  members.length === 0
    ? Array.isArray(value)
    : typeof value === "object" && value !== null && members.every((member) => member in value)

/** "answer-not-found" is an AnswerNotFoundProblem. */
const tagOf = (slug: string) =>
  `${slug.replace(/(?:^|-)\w/g, (start) => start.slice(-1).toUpperCase())}Problem` as ProblemTag

/**
 * Any problem of the service, also one that the operation does not declare: a wrong path gives 404.
 */
const problemIn = (value: unknown): ServiceProblem | undefined => {
  if (!isProblemDocument(value)) return undefined
  const slug = /\/problems\/([\w-]+)$/.exec(value.type)?.[1] ?? ""
  return PROBLEM_SLUGS.includes(slug) ? new ServiceProblem(tagOf(slug), value) : undefined
}

const unexpected = ({ method, path }: Operation, { status, text }: Received): UnexpectedAnswer => {
  const isRedirect = status === 0 || (status >= 300 && status < 400)
  const body =
    text === undefined ? `a body of more than ${MAX_BODY_BYTES} bytes` : "a body that the contract does not describe"
  const what = isRedirect
    ? "a redirect, which is not followed: give baseUrl the address that it leads to"
    : `status ${status} and ${body}`
  return new UnexpectedAnswer(`${method} ${path} was answered with ${what}`, status)
}

/** Sends a request, with retries, and returns the answer unchanged. */
export const call = async (operation: Operation, sent: Sent, service: Service, signal: AbortSignal) => {
  const url = addressOf(operation, sent, service)
  const init = { ...requestOf(operation, sent, service), signal }
  const once = () => send(operation, url, init, service)
  const isIdempotent = operation.method === "GET" || sent.idempotencyKey !== undefined
  const received = await withRetries(once, isIdempotent, signal, service.retries)
  const { status, text } = received
  const isGood = status >= 200 && status < 300
  if (isGood && operation.start && text?.startsWith(operation.start)) return text
  const value = parsed(text)
  if (isGood && isAnswer(value, operation)) return value
  throw (isGood ? undefined : problemIn(value)) ?? unexpected(operation, received)
}

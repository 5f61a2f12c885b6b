/** The response headers in the OpenAPI document: those of the edge, of a status and of an operation. */
import type { Json } from "../../../schema/derivedJsonSchema.ts"
import { PROBLEM_HEADERS } from "../../../schema/problems.ts"

const header = (description: string, schema: Json) => ({ description, required: true, schema })
const text = { type: "string" }
const integer = { type: "integer", minimum: 0 }

const HEADERS = {
  "X-Request-Id": header("Id of this request. A valid id that the client sent is kept.", text),
  "RateLimit-Limit": header("Calls per calendar month.", integer),
  "RateLimit-Remaining": header("Calls left this month, as in GET /v1/me.", integer),
  "RateLimit-Reset": header("Seconds until the count resets at 00:00 UTC on the 1st.", integer),
  "Retry-After": header("Seconds to wait before the next attempt.", integer),
  "WWW-Authenticate": header("How to authenticate.", { type: "string", examples: ['X-Api-Key realm="..."'] }),
  "Cache-Control": header("How long the response may be cached: max-age, in seconds.", text),
  Vary: header("Accept: the same record is also served as HTML.", text),
  ETag: header("Of the JSON form, which never changes.", text)
} as const satisfies Json

type Name = keyof typeof HEADERS

const RATE_LIMIT_HEADERS = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const

/** Statuses of responses that are sent before the caller is known. */
const BEFORE_CALLER = new Set([401, 408, 431])
const INTERNAL = 500

/** Headers of an operation's successful responses, in addition to those that its schema declares. */
const OPERATION_HEADERS: Readonly<Record<string, ReadonlyArray<Name>>> = {
  getRules: ["Cache-Control"],
  getRulesVersion: ["Cache-Control"],
  verifyAnswer: ["Vary", "Cache-Control"]
}
const NOT_MODIFIED = 304
const PROBLEM = 400

const pick = (names: ReadonlyArray<string>, required = true) =>
  Object.fromEntries(names.map((name) => [name, { ...HEADERS[name as Name], required }]))

/** Headers of a response, in addition to those that its schema declares. */
export const responseHeaders = (operationId: string, status: number, keyed: boolean): Json => {
  // Caches keep a confirmation for everybody, so it names no request. Its page has no ETag.
  const isImmutable = operationId === "verifyAnswer" && status < PROBLEM
  return {
    ...(isImmutable ? pick(["ETag"], status === NOT_MODIFIED) : pick(["X-Request-Id"])),
    ...pick(PROBLEM_HEADERS[status] ?? []),
    ...(status < PROBLEM ? pick(OPERATION_HEADERS[operationId] ?? []) : {}),
    // After an outage before the caller is known there are no figures to send.
    ...(keyed && !BEFORE_CALLER.has(status) ? pick(RATE_LIMIT_HEADERS, status < INTERNAL) : {})
  }
}

/** Response headers of the OpenAPI document: common ones, per status and per operation. */
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
  ETag: header("ETag of the JSON form, which never changes.", text)
} as const satisfies Json

/** Only on an answer that was recorded by an earlier call. */
export const IDEMPOTENT_REPLAYED = {
  "Idempotent-Replayed": {
    description: "true: the answer of an earlier call with this Idempotency-Key, which was not charged again.",
    required: false,
    schema: { type: "string", enum: ["true"] }
  }
}

type Name = keyof typeof HEADERS

const RATE_LIMIT_HEADERS = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const

/** Statuses of responses that are sent before the caller is known. */
const BEFORE_CALLER = new Set([401, 408, 431])
const INTERNAL = 500

/** Extra headers of an operation's successful responses, not declared by its schema. */
const OPERATION_HEADERS: Readonly<Record<string, ReadonlyArray<Name>>> = {
  getRules: ["Cache-Control"],
  getRulesVersion: ["Cache-Control"],
  verifyAnswer: ["Vary", "Cache-Control"]
}
const NOT_MODIFIED = 304
const PROBLEM = 400

const pick = (names: ReadonlyArray<string>, required = true) =>
  Object.fromEntries(names.map((name) => [name, { ...HEADERS[name as Name], required }]))

/** Extra headers of a response, not declared by its schema. */
export const responseHeaders = (operationId: string, status: number, keyed: boolean): Json => {
  // A cached confirmation is shared, so it carries no request id. Its HTML page has no ETag.
  const isImmutable = operationId === "verifyAnswer" && status < PROBLEM
  return {
    ...(isImmutable ? pick(["ETag"], status === NOT_MODIFIED) : pick(["X-Request-Id"])),
    ...pick(PROBLEM_HEADERS[status] ?? []),
    ...(status < PROBLEM ? pick(OPERATION_HEADERS[operationId] ?? []) : {}),
    // After an outage before the caller is known, there is no usage to send.
    ...(keyed && !BEFORE_CALLER.has(status) ? pick(RATE_LIMIT_HEADERS, status < INTERNAL) : {})
  }
}

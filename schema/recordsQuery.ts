/** Query of GET /v1/records, sent as text: a half-open time range, a cursor and a page size. */
import { Effect, Schema, SchemaTransformation } from "effect"

export const MAX_RECORDS_LIMIT = 1000
export const DEFAULT_RECORDS_LIMIT = 100
const MAX_INT64 = 9_223_372_036_854_775_807n

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/
const INSTANT_MESSAGE =
  "must be an ISO 8601 date-time with a zone, such as 2026-11-01T00:00:00Z (write + as %2B in a query)"

/** Accepts only dates that exist: Date would read 30 February as 2 March. */
const isInstant = (text: string): boolean => {
  const parts = INSTANT.exec(text)
  if (parts === null || Number.isNaN(Date.parse(text))) return false
  const [year, month, day] = parts.slice(1, 4).map(Number) as [number, number, number]
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day
}

const checked = (message: string, accepts: (text: string) => boolean) =>
  Schema.String.annotate({ message }).check(Schema.makeFilter((text: string) => (accepts(text) ? undefined : message)))

const Instant = checked(INSTANT_MESSAGE, isInstant).pipe(
  Schema.decodeTo(
    Schema.Date,
    SchemaTransformation.transform({
      decode: (text: string) => new Date(text),
      encode: (date: Date) => date.toISOString()
    })
  )
)

const isCursor = (text: string): boolean => /^\d{1,19}$/.test(text) && BigInt(text) >= 1n && BigInt(text) <= MAX_INT64

const Cursor = checked("must be the nextCursor of a page", isCursor).pipe(
  Schema.decodeTo(
    Schema.BigInt,
    SchemaTransformation.transform({ decode: (text: string) => BigInt(text), encode: (cursor: bigint) => `${cursor}` })
  )
)

const isLimit = (text: string): boolean =>
  /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_RECORDS_LIMIT

const Limit = checked(`must be a whole number from 1 to ${MAX_RECORDS_LIMIT}`, isLimit)
  .pipe(
    Schema.decodeTo(
      Schema.Int,
      SchemaTransformation.transform({ decode: (text: string) => Number(text), encode: (limit: number) => `${limit}` })
    )
  )
  .pipe(Schema.withDecodingDefaultKey(Effect.succeed(String(DEFAULT_RECORDS_LIMIT))))

export const RecordsQuery = Schema.Struct({
  from: Schema.optionalKey(Instant),
  to: Schema.optionalKey(Instant),
  cursor: Schema.optionalKey(Cursor),
  limit: Limit
}).annotate({ identifier: "RecordsQuery" })
export type RecordsQuery = typeof RecordsQuery.Type

/**
 * The same query for OpenAPI, with the types of the decoded values, such as integer, instead of
 * text.
 */
export const RECORDS_PARAMETERS = {
  from: { type: "string", format: "date-time", description: "Earliest time of recording, inclusive." },
  to: { type: "string", format: "date-time", description: "Latest time of recording, exclusive." },
  cursor: { type: "integer", format: "int64", minimum: 1, description: "nextCursor of the previous page." },
  limit: {
    type: "integer",
    format: "int32",
    minimum: 1,
    maximum: MAX_RECORDS_LIMIT,
    default: DEFAULT_RECORDS_LIMIT,
    description: "Rows per page."
  }
} as const

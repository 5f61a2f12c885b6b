/** Cleanup of derived JSON Schema, for the OpenAPI document and the tool server alike. */

export type Json = Readonly<Record<string, unknown>>

/** Annotations are derived as `allOf`; this merges them into the keywords next to them. */
export const withoutAllOf = ({ allOf, ...siblings }: Json): Json =>
  Array.isArray(allOf) ? Object.assign({}, ...allOf, siblings) : siblings

/** A bound that only repeats that a number is a safe integer. */
export const isVacuousBound = (keyword: string, value: unknown): boolean =>
  (keyword === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
  (keyword === "maximum" && value === Number.MAX_SAFE_INTEGER)

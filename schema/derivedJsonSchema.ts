/**
 * What JSON Schema derived from an Effect Schema says with more words than it needs. The OpenAPI document and the tool
 * server's schemas both drop it; what else each of them changes stands with it.
 */

export type Json = Readonly<Record<string, unknown>>

/** Annotations are derived as `allOf`; here they join the keywords beside them. */
export const withoutAllOf = ({ allOf, ...beside }: Json): Json =>
  Array.isArray(allOf) ? Object.assign({}, ...allOf, beside) : beside

/** A bound that says no more than that a number is an integer. */
export const isVacuousBound = (keyword: string, value: unknown): boolean =>
  (keyword === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
  (keyword === "maximum" && value === Number.MAX_SAFE_INTEGER)

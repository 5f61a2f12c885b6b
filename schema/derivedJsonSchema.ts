/** The cleanup of JSON Schema that Effect derives, for the OpenAPI document and the MCP tools. */

export type Json = Readonly<Record<string, unknown>>

/** Effect derives annotations as `allOf`. Merges them into the keywords next to it. */
export const withoutAllOf = ({ allOf, ...siblings }: Json): Json =>
  Array.isArray(allOf) ? Object.assign({}, ...allOf, siblings) : siblings

/** Whether a bound only repeats that a number is a safe integer. */
export const isVacuousBound = (keyword: string, value: unknown): boolean =>
  (keyword === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
  (keyword === "maximum" && value === Number.MAX_SAFE_INTEGER)

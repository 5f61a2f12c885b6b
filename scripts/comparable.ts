/** Answers without what differs between two servers or releases that compute the same. */

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

const UNIQUE_MEMBERS = new Set([
  "answerHash",
  "answerId",
  "answerSalt",
  "computedAtUtc",
  "verifyUrl",
  "asOf",
  "inputsHash",
  "instance",
  "recordedAtUtc",
  "type",
  "ruleVersion"
])
const RULE_LISTS = new Set(["citations", "knownOmissions"])

/** An answer without the fields that always differ, and with its rules as ids. */
export const comparable = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value).filter(([name]) => !UNIQUE_MEMBERS.has(name))
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      RULE_LISTS.has(name) ? (member as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id) : comparable(member)
    ])
  )
}

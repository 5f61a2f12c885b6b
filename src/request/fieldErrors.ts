/** The `errors` of a refused request: each field with its messages, of limited size. Imports nothing. */

export type FieldErrors = Readonly<Record<string, ReadonlyArray<string>>>

const MAX_PROBLEMS = 50
/** Limits the search, because fields with equal shortened names and messages are reported only once. */
const MAX_LOOKED_AT = 4 * MAX_PROBLEMS
/** Keeps the whole response under 32 KB. */
const MAX_ERRORS_BYTES = 24_000

const utf8 = new TextEncoder()

/** At most 50 messages, each field once with its distinct messages, within the limit of bytes. */
export const boundedErrors = (problems: Iterable<readonly [field: string, message: string]>): FieldErrors => {
  const errors = new Map<string, Array<string>>()
  let count = 0
  let bytes = 0
  let looked = 0
  for (const [field, message] of problems) {
    if (looked++ === MAX_LOOKED_AT) break
    const messages = errors.get(field) ?? []
    if (messages.includes(message)) continue
    bytes += utf8.encode(JSON.stringify([field, message])).length
    if (count === MAX_PROBLEMS || bytes > MAX_ERRORS_BYTES) break
    count++
    messages.push(message)
    errors.set(field, messages)
  }
  return Object.fromEntries(errors)
}

/**
 * The library's request decoder. It works from generated shapes instead of the contract's schemas,
 * and accepts and refuses the same values. The result is a complete copy of the request.
 */
import type { Shape } from "../../schema/shape.ts"
import { boundedErrors } from "../request/fieldErrors.ts"
import { fieldPath } from "../request/fieldPath.ts"
import { problemsIn, readerOf } from "../request/read.ts"

/**
 * Messages by field, as in the `errors` of an HTTP 400:
 * `{ "loans[0].interestRate": ["must be ..."] }`. At most 50 messages.
 */
export type RequestErrors = Readonly<Record<string, ReadonlyArray<string>>>

const MAX_NAMED = 3

/**
 * An invalid request or option. `errors` has the problems by field, at most 50; `message` has the
 * first three and the number of the rest.
 */
export class RequestError extends RangeError {
  override readonly name = "RequestError"
  readonly errors: RequestErrors

  constructor(errors: RequestErrors) {
    const problems = Object.entries(errors).flatMap(([field, messages]) =>
      messages.map((message) => `${field} ${message}`)
    )
    const rest = problems.length > MAX_NAMED ? [`and ${problems.length - MAX_NAMED} more`] : []
    super([...problems.slice(0, MAX_NAMED), ...rest].join("; "))
    this.errors = errors
  }
}

function* fieldProblems(shape: Shape, value: unknown): Generator<readonly [field: string, message: string]> {
  for (const [path, message] of problemsIn(shape, value)) yield [fieldPath(path), message]
}

/**
 * Returns a decoder: it gives names their canonical spelling and fills in defaults.
 * @throws RequestError from the decoder, if the value is not a valid request
 */
export const checkerOf = <Request>(shape: Shape) => {
  const read = readerOf(shape)
  return (value: unknown): Request => {
    const decoded = read(value)
    if (decoded === undefined) throw new RequestError(boundedErrors(fieldProblems(shape, value)))
    return decoded as Request
  }
}

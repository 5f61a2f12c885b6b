/**
 * Reads a request by its generated shape, without the schemas of the contract. It takes and refuses the
 * same values, and gives a new and complete one, so that nobody changes it later.
 */
import type { Shape } from "../../schema/shape.ts"
import { boundedErrors } from "../request/fieldErrors.ts"
import { fieldPath } from "../request/fieldPath.ts"
import { problemsIn, readerOf } from "../request/read.ts"

/** What is wrong with a request, by field, as in the `errors` of a 400: `{ "loans[0].interestRate": ["must be ..."] }`. */
export type RequestErrors = Readonly<Record<string, ReadonlyArray<string>>>

const MOST_SAID = 3

/** No figures are given for a request that is not one. `errors` holds every problem, `message` the first of them. */
export class RequestError extends RangeError {
  override readonly name = "RequestError"
  readonly errors: RequestErrors

  constructor(errors: RequestErrors) {
    const said = Object.entries(errors).flatMap(([field, messages]) => messages.map((message) => `${field} ${message}`))
    const others = said.length > MOST_SAID ? [`and ${said.length - MOST_SAID} more`] : []
    super([...said.slice(0, MOST_SAID), ...others].join("; "))
    this.errors = errors
  }
}

function* wordedProblems(shape: Shape, value: unknown): Generator<readonly [field: string, message: string]> {
  for (const [path, message] of problemsIn(shape, value)) yield [fieldPath(path), message]
}

/** Gives the request as the engine reads it: names in canonical spelling, and defaults. Throws RequestError. */
export const checkerOf = <Request>(shape: Shape) => {
  const read = readerOf(shape)
  return (value: unknown): Request => {
    const known = read(value)
    if (known === undefined) throw new RequestError(boundedErrors(wordedProblems(shape, value)))
    return known as Request
  }
}

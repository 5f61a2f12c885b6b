/**
 * Decodes a request of the page by the generated shapes of the contract, which accept and refuse
 * the same values as its schemas. So the worker loads no schema library.
 */
import { ProjectionRequest as shape } from "../../../schema/generated/shapes.ts"
import type { ProjectionRequest } from "../../../schema/projection.ts"
import { boundedErrors, type FieldErrors } from "../../request/fieldErrors.ts"
import { fieldPath } from "../../request/fieldPath.ts"
import { problemsIn, readerOf } from "../../request/read.ts"

const read = readerOf(shape)

function* problemsOf(value: unknown): Generator<readonly [field: string, message: string]> {
  for (const [path, message] of problemsIn(shape, value)) yield [fieldPath(path), message]
}

type Decoded =
  | { readonly _tag: "Request"; readonly request: ProjectionRequest }
  | { readonly _tag: "Refused"; readonly errors: FieldErrors }

export const decodeRequest = (value: unknown): Decoded => {
  const request = read(value)
  return request === undefined
    ? { _tag: "Refused", errors: boundedErrors(problemsOf(value)) }
    : { _tag: "Request", request: request as ProjectionRequest }
}

/**
 * Decodes a request from its bytes to its value. The HTTP routes, the tool server and the command line share these
 * steps, so all three accept and refuse the same requests. Each answers refusals in its own way.
 */
import { Effect, Result, type Schema } from "effect"
import type { JsonBounds } from "../../schema/bounds.ts"
import { adviceOf } from "./advice.ts"
import { boundedErrors, type FieldErrors } from "./fieldErrors.ts"
import { fieldPath, WHOLE_BODY } from "./fieldPath.ts"
import { type ScanProblem, scanJson } from "./jsonScan.ts"
import { problemsIn, readerOf } from "./read.ts"
import { shapeOf } from "./shape.ts"

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const NOT_UTF8: ScanProblem = { path: WHOLE_BODY, message: "is not valid UTF-8" }

/** The text of bytes that are valid UTF-8. A byte order mark is kept, so that the scan can refuse it. */
export const decodeUtf8 = (bytes: Uint8Array | ArrayBuffer): Result.Result<string, ScanProblem> =>
  Result.try({ try: () => utf8.decode(bytes), catch: () => NOT_UTF8 })

/** The same text, checked to be JSON within the bounds, so that JSON.parse cannot throw on it. */
export const checkJson = (text: string, bounds?: JsonBounds): Result.Result<string, ScanProblem> => {
  const problem = scanJson(text, bounds)
  return problem === undefined ? Result.succeed(text) : Result.fail(problem)
}

/** A schema that can be decoded without a service. */
export type StrictSchema = Schema.ConstraintCodec<unknown, unknown>

/**
 * Reads a value by the shape of a schema: no unknown properties, and every problem at once. A wrong
 * value takes no longer than a valid one, because the search stops once enough problems are found.
 */
export const readStrictly = <S extends StrictSchema>(schema: S) => {
  const shape = shapeOf(schema.ast)
  const read = readerOf(shape)
  const advice = adviceOf(shape)
  function* worded(value: unknown): Generator<readonly [field: string, message: string]> {
    const advise = advice(value)
    for (const problem of problemsIn(shape, value)) yield [fieldPath(problem[0]), advise(problem)]
  }
  return (value: unknown): Result.Result<S["Type"], FieldErrors> => {
    const known = read(value)
    return known === undefined ? Result.fail(boundedErrors(worded(value))) : Result.succeed(known as S["Type"])
  }
}

export const decodeStrictly = <S extends StrictSchema>(schema: S) => {
  const read = readStrictly(schema)
  return (value: unknown): Effect.Effect<S["Type"], FieldErrors> => Effect.suspend(() => Effect.fromResult(read(value)))
}

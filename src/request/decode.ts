/**
 * From the bytes of a request to its decoded value, in the steps that the HTTP routes, the tool server and the command
 * line share, so that all three accept and refuse the same requests. How a refusal is answered is left to each of them.
 */
import { Effect, Schema } from "effect"
import type { JsonBounds } from "../../schema/bounds.ts"
import { STRICT_PARSE_OPTIONS } from "../../schema/primitives.ts"
import { adviceOf } from "./advice.ts"
import { WHOLE_BODY } from "./fieldPath.ts"
import { type ScanProblem, scanJson } from "./jsonScan.ts"
import { problemsOf } from "./problemsOf.ts"
import { type FieldErrors, fieldErrors } from "./validation.ts"

const UNTIL_FIRST_PROBLEM = { ...STRICT_PARSE_OPTIONS, errors: "first" } as const

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const NOT_UTF8: ScanProblem = { path: WHOLE_BODY, message: "is not valid UTF-8" }

/** The text of bytes that are valid UTF-8. A byte order mark is kept, so that the scan can refuse it. */
export const decodeUtf8 = (bytes: Uint8Array | ArrayBuffer): Effect.Effect<string, ScanProblem> =>
  Effect.try({ try: () => utf8.decode(bytes), catch: () => NOT_UTF8 })

/** The same text, once it is known to be JSON within the bounds, so that JSON.parse cannot throw on it. */
export const checkJson = (text: string, bounds?: JsonBounds): Effect.Effect<string, ScanProblem> => {
  const problem = scanJson(text, bounds)
  return problem === undefined ? Effect.succeed(text) : Effect.fail(problem)
}

/** What can be decoded without a service. */
export type StrictSchema = Schema.ConstraintCodec<unknown, unknown>

/**
 * Decodes a value as strictly as all routes do: no unknown properties, and every problem at once. A value that cannot be
 * accepted takes no longer than one that can: its first problem ends the decoding, and only as many others are looked
 * for as are told.
 */
export const decodeStrictly = <S extends StrictSchema>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(schema, UNTIL_FIRST_PROBLEM)
  const problems = problemsOf(schema.ast)
  const advice = adviceOf(schema.ast)
  const refuse = (value: unknown) => Effect.fail(fieldErrors(problems.find(value), advice(value)))
  return (value: unknown): Effect.Effect<S["Type"], FieldErrors> =>
    problems.isTooLong(value) ? refuse(value) : Effect.catch(decode(value), () => refuse(value))
}

/**
 * From the bytes of a request to its decoded value, in the steps that the HTTP routes, the tool server and the command
 * line share, so that all three accept and refuse the same requests. How a refusal is answered is left to each of them.
 */
import { Effect, Schema } from "effect"
import { STRICT_PARSE_OPTIONS } from "../../schema/primitives.ts"
import { WHOLE_BODY } from "./fieldPath.ts"
import { type ScanProblem, scanJson } from "./jsonScan.ts"
import { type FieldErrors, fieldErrors } from "./validation.ts"

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const NOT_UTF8: ScanProblem = { path: WHOLE_BODY, message: "is not valid UTF-8" }

/** The text of bytes that are valid UTF-8. A byte order mark is kept, so that the scan can refuse it. */
export const decodeUtf8 = (bytes: Uint8Array | ArrayBuffer): Effect.Effect<string, ScanProblem> =>
  Effect.try({ try: () => utf8.decode(bytes), catch: () => NOT_UTF8 })

/** The same text, once it is known to be JSON within the bounds, so that JSON.parse cannot throw on it. */
export const checkJson = (text: string): Effect.Effect<string, ScanProblem> => {
  const problem = scanJson(text)
  return problem === undefined ? Effect.succeed(text) : Effect.fail(problem)
}

/** Decodes a value as strictly as the HTTP routes do: no unknown properties, and every problem at once. */
export const decodeStrictly = <S extends Schema.ConstraintCodec<unknown, unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(schema, STRICT_PARSE_OPTIONS)
  return (value: unknown): Effect.Effect<S["Type"], FieldErrors> =>
    Effect.mapError(decode(value), ({ issue }) => fieldErrors(issue))
}

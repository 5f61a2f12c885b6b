/**
 * Requests from a file, or from standard input for `-`. Limits, schemas and messages are those of
 * the HTTP API, one line per message.
 */
import { createReadStream } from "node:fs"
import type { Readable } from "node:stream"
import { Effect, Result, type Schema } from "effect"
import { LOAN_BOOK_BODY_BYTES } from "../../../schema/bounds.ts"
import { checkJson, decodeStrictly, decodeUtf8 } from "../../request/decode.ts"
import type { FieldErrors } from "../../request/fieldErrors.ts"
import { WHOLE_BODY } from "../../request/fieldPath.ts"
import type { ScanProblem } from "../../request/jsonScan.ts"
import { badInput, type CommandFailed } from "../failures.ts"
import { argument } from "../flags.ts"
import { CommandIo, pathNamed } from "../io.ts"
import { say } from "../output.ts"
import { PLAN } from "./scenarioFlags.ts"

export const STANDARD_INPUT = "-"

export const requestArgument = argument("request", "A JSON file, or - for standard input; none with flags")

/** One line per message, beginning with the field, or with `whole` for the whole body. */
export const fieldLines = (errors: FieldErrors, whole: string = WHOLE_BODY): ReadonlyArray<string> =>
  Object.entries(errors).flatMap(([field, messages]) =>
    messages.map((message) => `${field === WHOLE_BODY ? whole : field}: ${message}`)
  )

export const refuseFields = (errors: FieldErrors, whole?: string): CommandFailed =>
  badInput(...fieldLines(errors, whole))

/** The name of the whole request in messages. */
const bodyName = (path: string): string => (path === STANDARD_INPUT ? WHOLE_BODY : path)

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "is a directory; use a file",
  EACCES: "cannot be read by this user: permission denied"
}

/** A hint for a plan's name given as the file. */
const planHint = (name: string): string =>
  Result.isSuccess(PLAN.read(name)) ? `; to name a plan, use --plan ${name}` : ""

const unreadable = (name: string, cause: unknown): CommandFailed => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown cause"
  const what = FILE_PROBLEMS[code] ?? `cannot be read (${code})`
  return badInput(`${name}: ${what}${code === "ENOENT" ? planHint(name) : ""}`)
}

const refuseText =
  (file: string) =>
  ({ message, path }: ScanProblem): CommandFailed =>
    refuseFields({ [path]: [message] }, bodyName(file))

/** Collects the stream; stops once it exceeds the limit. */
const collect = async (stream: Readable, limitBytes: number): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  let bytes = 0
  for await (const chunk of stream) {
    const buffer = Buffer.from(chunk)
    chunks.push(buffer)
    bytes += buffer.length
    if (bytes > limitBytes) break
  }
  return Buffer.concat(chunks)
}

/** The bytes of a stream; more than `limitBytes` if it is larger. */
const bytesOf = (name: string, stream: () => Readable, limitBytes: number): Effect.Effect<Buffer, CommandFailed> =>
  Effect.tryPromise({ try: () => collect(stream(), limitBytes), catch: (cause) => unreadable(name, cause) })

/** The bytes of a file; more than `limitBytes` if it is larger. */
export const readFileBytes = (name: string, limitBytes: number): Effect.Effect<Buffer, CommandFailed, CommandIo> =>
  Effect.flatMap(pathNamed(name), (path) => bytesOf(name, () => createReadStream(path), limitBytes))

/** The text of a file, or of standard input for `-`, of at most `limitBytes`. */
export const readText = Effect.fnUntraced(function* (path: string, limitBytes: number) {
  const isStandardInput = path === STANDARD_INPUT
  const name = isStandardInput ? "standard input" : path
  const { stdin } = yield* CommandIo
  if (isStandardInput && stdin.isTTY === true)
    yield* say("Reading the request from standard input; end it with Ctrl-D.")
  const bytes = yield* isStandardInput ? bytesOf(name, () => stdin, limitBytes) : readFileBytes(path, limitBytes)
  if (bytes.length > limitBytes) return yield* badInput(`${name}: is larger than ${limitBytes} bytes`)
  return yield* Effect.mapError(Effect.fromResult(decodeUtf8(bytes)), refuseText(path))
})

/** The decoded request of a file or of standard input. */
export const readRequest = Effect.fnUntraced(function* <S extends Schema.ConstraintCodec<unknown, unknown>>(
  path: string,
  schema: S
) {
  const text = yield* readText(path, LOAN_BOOK_BODY_BYTES)
  const json = yield* Effect.mapError(Effect.fromResult(checkJson(text)), refuseText(path))
  return yield* Effect.mapError(decodeStrictly(schema)(JSON.parse(json)), (errors) =>
    refuseFields(errors, bodyName(path))
  )
})

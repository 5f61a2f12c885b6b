/**
 * Messages over standard input and output, one JSON text per line. Each line is checked like a
 * request body. A line that is not a message gets a JSON-RPC error. Knows nothing of methods.
 */
import type { Readable, Writable } from "node:stream"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Stream } from "effect"
import { LOAN_BOOK_BODY_BYTES } from "../../schema/bounds.ts"
import { scanJson } from "../request/jsonScan.ts"
import { type Reading, RPC_CODES, type RpcError, readMessage, rpcError } from "./message.ts"

/** The same limit as for a request body. */
const MAX_LINE_CHARACTERS = LOAN_BOOK_BODY_BYTES

/** The current line so far. A line that is too long is discarded. */
interface Line {
  readonly text: string
  readonly tooLong: boolean
}

const EMPTY: Line = { text: "", tooLong: false }

const extended = (line: Line, text: string): Line =>
  line.tooLong || line.text.length + text.length > MAX_LINE_CHARACTERS
    ? { text: "", tooLong: true }
    : { text: line.text + text, tooLong: false }

/** Splits text into lines; an unfinished line is kept for the next chunk. */
const splitLines = (unfinished: Line, chunk: string): readonly [Line, ReadonlyArray<Line>] => {
  const [first = "", ...others] = chunk.split("\n")
  const parts = [extended(unfinished, first), ...others.map((text) => extended(EMPTY, text))]
  return [parts.at(-1)!, parts.slice(0, -1)]
}

const noMessage = (error: RpcError): Reading => ({ _tag: "NoMessage", error })

const readLine = ({ text, tooLong }: Line): Reading => {
  if (tooLong) {
    const message = `Invalid Request: a message is limited to ${MAX_LINE_CHARACTERS} characters`
    return noMessage(rpcError(RPC_CODES.invalidRequest, message))
  }
  const problem = scanJson(text)
  if (problem === undefined) return readMessage(JSON.parse(text))
  return noMessage(rpcError(RPC_CODES.parseError, `Parse error: ${problem.path} ${problem.message}`))
}

const isBlank = ({ text, tooLong }: Line): boolean => !tooLong && text.trim() === ""

/** The messages of an input, in order, until it ends. A read error counts as the end. */
export const readings = (input: Readable): Stream.Stream<Reading> =>
  NodeStream.fromReadable<Uint8Array, unknown>({ evaluate: () => input, onError: (cause) => cause }).pipe(
    Stream.catch(() => Stream.empty),
    Stream.decodeText(),
    Stream.concat(Stream.succeed("\n")),
    Stream.mapAccum(() => EMPTY, splitLines),
    Stream.filter((line) => !isBlank(line)),
    Stream.map(readLine)
  )

/** Writes one message as a line, and waits until the stream has taken it. */
export const writeLine = (output: Writable, message: object): Effect.Effect<void> =>
  Effect.callback((resume) => {
    output.write(`${JSON.stringify(message)}\n`, () => resume(Effect.void))
  })

/**
 * Messages over standard input and output, one JSON text a line. Checks each line as a request body is checked, answers
 * what is no message with the protocol's own error, and hands on the rest. Does not know what the messages ask for.
 */
import type { Readable, Writable } from "node:stream"
import { NodeStream } from "@effect/platform-node"
import { Effect, Stream } from "effect"
import { LOAN_BOOK_BODY_BYTES } from "../../schema/middleware.ts"
import { scanJson } from "../request/jsonScan.ts"
import { type Reading, RPC_CODES, type RpcError, readMessage, rpcError } from "./message.ts"

/** The same bound as a request body has. */
const MAX_LINE_CHARACTERS = LOAN_BOOK_BODY_BYTES

/** What a line begins with, and whether the rest of it was thrown away. */
interface Line {
  readonly text: string
  readonly tooLong: boolean
}

const EMPTY: Line = { text: "", tooLong: false }

const extended = (line: Line, text: string): Line =>
  line.tooLong || line.text.length + text.length > MAX_LINE_CHARACTERS
    ? { text: "", tooLong: true }
    : { text: line.text + text, tooLong: false }

/** Cuts text at its line ends; what has no end yet is kept for the next piece. */
const cut = (begun: Line, piece: string): readonly [Line, ReadonlyArray<Line>] => {
  const [first = "", ...others] = piece.split("\n")
  const parts = [extended(begun, first), ...others.map((text) => extended(EMPTY, text))]
  return [parts.at(-1)!, parts.slice(0, -1)]
}

const noMessage = (error: RpcError): Reading => ({ _tag: "NoMessage", error })

const readLine = ({ text, tooLong }: Line): Reading => {
  if (tooLong) {
    const message = `Invalid Request: a message may hold at most ${MAX_LINE_CHARACTERS} characters`
    return noMessage(rpcError(RPC_CODES.invalidRequest, message))
  }
  const problem = scanJson(text)
  if (problem === undefined) return readMessage(JSON.parse(text))
  return noMessage(rpcError(RPC_CODES.parseError, `Parse error: ${problem.path} ${problem.message}`))
}

const isBlank = ({ text, tooLong }: Line): boolean => !tooLong && text.trim() === ""

/** What arrives, in order, until the input ends. An input that breaks off ends, too. */
export const readings = (input: Readable): Stream.Stream<Reading> =>
  NodeStream.fromReadable<Uint8Array, unknown>({ evaluate: () => input, onError: (cause) => cause }).pipe(
    Stream.catch(() => Stream.empty),
    Stream.decodeText(),
    Stream.concat(Stream.succeed("\n")),
    Stream.mapAccum(() => EMPTY, cut),
    Stream.filter((line) => !isBlank(line)),
    Stream.map(readLine)
  )

/** Writes one message as a line, and waits while the reader is slow. */
export const writeLine = (output: Writable, message: object): Effect.Effect<void> =>
  Effect.callback((resume) => {
    output.write(`${JSON.stringify(message)}\n`, () => resume(Effect.void))
  })

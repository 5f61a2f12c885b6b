/**
 * How a command fails: the lines for standard error, and the exit code for scripts. Commands fail with nothing else;
 * printing and exit codes are in one place, run.ts.
 */
import { Data, Effect } from "effect"
import type { PortfolioProblem } from "../portfolio/read/problem.ts"
import { isWebAddress } from "../request/webAddress.ts"
import { harmless } from "./views/text.ts"

/** 1: refused or not found. 2: invalid input or usage. 3: a database or service cannot be reached. */
type FailureCode = 1 | 2 | 3

export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly exitCode: FailureCode
  readonly lines: ReadonlyArray<string>
}> {}

/** The request is valid, but refused or not found. */
export const refused = (...lines: ReadonlyArray<string>) => new CommandFailed({ exitCode: 1, lines })

/** The input cannot be used. */
export const badInput = (...lines: ReadonlyArray<string>) => new CommandFailed({ exitCode: 2, lines })

/** What a portfolio cannot be read, computed or written of. Its lines hold names that files have, such as those of columns. */
export const asBadInput = ({ lines }: PortfolioProblem): CommandFailed => badInput(...lines.map(harmless))

/** A database or a service does not answer. */
export const unavailable = (...lines: ReadonlyArray<string>) => new CommandFailed({ exitCode: 3, lines })

/** A service that was asked over the network. */
export const noAnswer = (url: string, detail: string) => unavailable(`${url} gave no usable answer: ${detail}`)

export const requireServiceAddress = (url: string): Effect.Effect<void, CommandFailed> =>
  isWebAddress(url)
    ? Effect.void
    : Effect.fail(badInput("--url: use the address of the service, such as https://api.example.org"))

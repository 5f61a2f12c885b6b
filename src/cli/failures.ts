/**
 * How a command ends when it does not succeed: what is said on standard error, and the exit code that a script reads.
 * Commands fail with nothing else; printing and exiting happen once, in main.ts.
 */
import { Data } from "effect"

/** 1: refused or not found. 2: bad input or usage. 3: something needed cannot be reached. */
type FailureCode = 1 | 2 | 3

export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly exitCode: FailureCode
  readonly lines: ReadonlyArray<string>
}> {}

/** The request was understood and the answer is no. */
export const refused = (...lines: ReadonlyArray<string>) => new CommandFailed({ exitCode: 1, lines })

/** What was sent cannot be used. */
export const badInput = (...lines: ReadonlyArray<string>) => new CommandFailed({ exitCode: 2, lines })

/** A database or a service does not answer. */
export const unavailable = (...lines: ReadonlyArray<string>) => new CommandFailed({ exitCode: 3, lines })

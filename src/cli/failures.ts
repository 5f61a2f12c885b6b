/**
 * Failures of commands: lines for standard error and an exit code for scripts. Commands fail with
 * nothing else; run.ts alone prints them, without the control characters of a file or a service.
 */
import { Data, Effect } from "effect"
import type { PortfolioProblem } from "../portfolio/index.ts"
import { isWebAddress } from "../request/webAddress.ts"

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

export const asBadInput = ({ lines }: PortfolioProblem): CommandFailed => badInput(...lines)

/** A database or a service does not answer. */
export const unavailable = (...lines: ReadonlyArray<string>) => new CommandFailed({ exitCode: 3, lines })

/** A service on the network gave no usable answer. */
export const noAnswer = (url: string, detail: string) => unavailable(`${url} gave no usable answer: ${detail}`)

export const requireServiceAddress = (url: string): Effect.Effect<void, CommandFailed> =>
  isWebAddress(url)
    ? Effect.void
    : Effect.fail(badInput("--url: use the address of the service, such as https://api.example.org"))

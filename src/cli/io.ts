/**
 * What a command line reads and writes: its streams, its environment and its working folder. main.ts hands in those of the
 * process, and nothing else in this folder reads the process; tests hand in their own.
 */
import type { Readable, Writable } from "node:stream"
import { Context, Effect } from "effect"
import { inFolder } from "../portfolio/read/sources.ts"

interface Output extends Writable {
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface CommandStreams {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Relative paths start here. */
  readonly cwd: string
}

export class CommandIo extends Context.Service<CommandIo, CommandStreams>()("repayment-of-record/CommandIo") {}

/** The path of a file that an argument names. */
export const pathNamed = (name: string): Effect.Effect<string, never, CommandIo> =>
  CommandIo.useSync(({ cwd }) => inFolder(cwd, name))

/** The exit code of a command that is interrupted. A command that runs until it is stopped sets it to 0. */
export class CodeWhenStopped extends Context.Service<CodeWhenStopped, { code: number }>()(
  "repayment-of-record/CodeWhenStopped"
) {}

/** Runs until it is interrupted, and has succeeded then. */
export const untilStopped = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | CodeWhenStopped> =>
  Effect.onInterrupt(work, () =>
    CodeWhenStopped.useSync((whenStopped) => {
      whenStopped.code = 0
    })
  )

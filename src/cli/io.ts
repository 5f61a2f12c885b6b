/**
 * Streams, environment and working folder of a command line. main.ts passes those of the process,
 * and tests pass their own. No other file of src/cli touches them.
 */
import type { Readable, Writable } from "node:stream"
import { Context, Effect } from "effect"
import { inFolder } from "../platform/inFolder.ts"

interface Output extends Writable {
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface CommandStreams {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** The base of relative paths. */
  readonly cwd: string
}

export class CommandIo extends Context.Service<CommandIo, CommandStreams>()("repayment-of-record/CommandIo") {}

/** The path of a file argument, resolved against `cwd`. */
export const pathNamed = (name: string): Effect.Effect<string, never, CommandIo> =>
  CommandIo.useSync(({ cwd }) => inFolder(cwd, name))

/**
 * The exit code of an interrupted command. A command that runs until it is stopped sets it to 0.
 */
export class CodeWhenStopped extends Context.Service<CodeWhenStopped, { code: number }>()(
  "repayment-of-record/CodeWhenStopped"
) {}

/** Makes an interruption of `work` a success (exit code 0). */
export const untilStopped = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | CodeWhenStopped> =>
  Effect.onInterrupt(work, () =>
    CodeWhenStopped.useSync((whenStopped) => {
      whenStopped.code = 0
    })
  )

/**
 * Output of commands: data to standard output, diagnostics to standard error. A reader that closes
 * the pipe early is not a failure. Also describes the terminal for views.
 */
import type { Writable } from "node:stream"
import { styleText } from "node:util"
import { Effect, identity } from "effect"
import { Command, TerminalCapabilities } from "effect/cli"
import { badInput, type CommandFailed, refused } from "./failures.ts"
import { switchFlag } from "./flags.ts"
import { CommandIo, type CommandStreams } from "./io.ts"

const DEFAULT_COLUMNS = 80
const MIN_COLUMNS = 60
const MAX_COLUMNS = 120

interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly accent: (text: string) => string
}

/** The terminal that a view is shown on. */
export interface Screen {
  readonly columns: number
  readonly style: Style
}

/** `validateStream` is off because TerminalCapabilities has already decided about colors. */
const ansi = (format: "bold" | "dim" | "green") => (text: string) => styleText(format, text, { validateStream: false })
const COLORS: Style = { bold: ansi("bold"), dim: ansi("dim"), accent: ansi("green") }
const PLAIN: Style = { bold: identity, dim: identity, accent: identity }

const isTerminal = ({ stdout }: CommandStreams): boolean => stdout.isTTY === true

/** The current width of standard output, and colors only if it is a terminal that supports them. */
export const screen: Effect.Effect<Screen, never, CommandIo> = Effect.gen(function* () {
  const io = yield* CommandIo
  const { canColor } = yield* TerminalCapabilities.TerminalCapabilities
  return {
    columns: Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, io.stdout.columns ?? DEFAULT_COLUMNS)),
    style: canColor && isTerminal(io) ? COLORS : PLAIN
  }
})

/** Fails with the error code if the text cannot be written. */
const write = (stream: Writable, text: string): Effect.Effect<void, string> =>
  Effect.callback((resume) => {
    stream.write(text, (error?: NodeJS.ErrnoException | null) =>
      resume(error == null ? Effect.void : Effect.fail(error.code ?? error.message))
    )
  })

const CLOSED_PIPE = "EPIPE"

const writeFailure = (code: string, ...remedy: ReadonlyArray<string>): CommandFailed =>
  refused(`Standard output cannot be written (${code}).`, ...remedy)

/**
 * Keeps error events from ending the process. Returns the check at the end of a command. It fails
 * if any output was lost, including help and completions, whose writer reports no failure.
 */
export const watchOutput = ({ stderr, stdout }: CommandStreams): Effect.Effect<void, CommandFailed> => {
  let code: string | undefined
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    code ??= error.code ?? error.message
  })
  stderr.on("error", () => undefined)
  return Effect.callback((resume) => {
    const isLost = () => code !== undefined && code !== CLOSED_PIPE
    // Written last, so its callback comes after every failure. The events follow it.
    stdout.write("", () => setImmediate(() => resume(isLost() ? Effect.fail(writeFailure(code!)) : Effect.void)))
  })
}

const writeOut = (text: string): Effect.Effect<void, string, CommandIo> =>
  CommandIo.use(({ stdout }) => write(stdout, `${text}\n`))

/** Prints data. False if the reader has closed the pipe, as in `repay project x | head -1`. */
export const printed = (text: string): Effect.Effect<boolean, CommandFailed, CommandIo> =>
  writeOut(text).pipe(
    Effect.as(true),
    Effect.catch((code) => (code === CLOSED_PIPE ? Effect.succeed(false) : Effect.fail(writeFailure(code))))
  )

export const print = (text: string): Effect.Effect<void, CommandFailed, CommandIo> => Effect.asVoid(printed(text))

/** Prints a diagnostic. A failure is ignored, because there is nowhere to report it. */
export const sayTo = ({ stderr }: CommandStreams, line: string): Effect.Effect<void> =>
  Effect.ignore(write(stderr, `${line}\n`))

export const say = (line: string): Effect.Effect<void, never, CommandIo> => CommandIo.use((io) => sayTo(io, line))

const JSON_INDENT = 2

export const jsonText = (value: unknown): string => JSON.stringify(value, null, JSON_INDENT)

export const printJson = (value: unknown): Effect.Effect<void, CommandFailed, CommandIo> => print(jsonText(value))

const outputFlags = {
  json: switchFlag("json", "Print JSON, also on a terminal"),
  table: switchFlag("table", "Print a table, also into a pipe or file")
}

/** The output format: chosen by flag, else JSON unless standard output is a terminal. */
export interface Format {
  readonly isJson: boolean
}

const formatOf = (isJson: boolean, isTable: boolean): Effect.Effect<Format, CommandFailed, CommandIo> =>
  isJson && isTable
    ? Effect.fail(badInput("--json and --table: use one of them, or neither"))
    : CommandIo.useSync((io) => ({ isJson: isJson || (!isTable && !isTerminal(io)) }))

/**
 * A command that prints data, with `--json` and `--table`. They are checked before it does
 * anything, because printing needs a Format and only this function makes one.
 */
export const dataCommand = <const Name extends string, const Config extends Command.Command.Config, E, R>(
  name: Name,
  config: Config,
  run: (input: Command.Command.Config.InferValue<Config>, format: Format) => Effect.Effect<void, E, R>
) =>
  Command.make(name, { own: config, ...outputFlags }, ({ json, own, table }) =>
    Effect.flatMap(formatOf(json, table), (format) => run(own, format))
  )

export type View = (screen: Screen) => string

const textOf = ({ isJson }: Format, data: unknown, view: View): Effect.Effect<string, never, CommandIo> =>
  isJson ? Effect.succeed(jsonText(data)) : Effect.map(screen, view)

/** Prints data as JSON or as its view. */
export const show = (format: Format, data: unknown, view: View): Effect.Effect<void, CommandFailed, CommandIo> =>
  Effect.flatMap(textOf(format, data, view), print)

/**
 * Prints data that cannot be printed again. A closed pipe is a failure, reported with the remedy.
 */
export const showOnce = (
  format: Format,
  data: unknown,
  view: View,
  remedy: string
): Effect.Effect<void, CommandFailed, CommandIo> =>
  Effect.flatMap(textOf(format, data, view), (text) =>
    Effect.mapError(writeOut(text), (code) => writeFailure(code, remedy))
  )

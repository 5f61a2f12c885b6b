/**
 * Data goes to standard output, diagnostics to standard error, and a reader that closes the pipe early is not a
 * failure. Also describes the terminal, so that views can fit it. Knows nothing of what is printed.
 */
import { styleText } from "node:util"
import { Effect, identity } from "effect"
import { Flag, TerminalCapabilities } from "effect/cli"
import { badInput } from "./failures.ts"

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

/** Whether the terminal supports colors has been asked already, so the stream is not asked again. */
const ansi = (format: "bold" | "dim" | "green") => (text: string) => styleText(format, text, { validateStream: false })
const COLORS: Style = { bold: ansi("bold"), dim: ansi("dim"), accent: ansi("green") }
const PLAIN: Style = { bold: identity, dim: identity, accent: identity }

const isTerminal = (): boolean => process.stdout.isTTY === true

/** The current width of standard output, and colors only if it is a terminal that supports them. */
export const screen: Effect.Effect<Screen> = Effect.map(
  TerminalCapabilities.TerminalCapabilities,
  ({ canColor }): Screen => ({
    columns: Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, process.stdout.columns ?? DEFAULT_COLUMNS)),
    style: canColor && isTerminal() ? COLORS : PLAIN
  })
)

const write = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void> =>
  Effect.callback((resume) => {
    stream.write(text, () => resume(Effect.void))
  })

/** `repay project x | head -1` closes the pipe early, and has got what it wanted. */
export const forgiveClosedPipes: Effect.Effect<void> = Effect.sync(() => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error
    })
  }
})

/** Data, on standard output. */
export const print = (text: string): Effect.Effect<void> => write(process.stdout, `${text}\n`)

/** Diagnostics, on standard error. */
export const say = (line: string): Effect.Effect<void> => write(process.stderr, `${line}\n`)

const JSON_INDENT = 2

export const printJson = (value: unknown): Effect.Effect<void> => print(JSON.stringify(value, null, JSON_INDENT))

export const outputFlags = {
  json: Flag.Boolean("json").pipe(
    Flag.withDescription("Print JSON, also on a terminal"),
    Flag.withDefault(false),
    Flag.withoutNegation
  ),
  table: Flag.Boolean("table").pipe(
    Flag.withDescription("Print a table, also into a pipe or file"),
    Flag.withDefault(false),
    Flag.withoutNegation
  )
}

interface OutputFlags {
  readonly json: boolean
  readonly table: boolean
}

/** Whether to print JSON: by the flags, else unless standard output is a terminal. */
export const wantsJson = ({ json, table }: OutputFlags) =>
  json && table
    ? Effect.fail(badInput("--json and --table: use one of them, or neither"))
    : Effect.succeed(json || (!table && !isTerminal()))

/** Prints data as JSON or as its view. */
export const show = Effect.fnUntraced(function* (flags: OutputFlags, data: unknown, view: (screen: Screen) => string) {
  if (yield* wantsJson(flags)) return yield* printJson(data)
  return yield* print(view(yield* screen))
})

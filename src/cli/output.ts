/**
 * Data goes to standard output, talk to standard error, and a reader that goes away early is no failure. Also says
 * what standard output is, so that views can fit it. Nothing here knows what is printed.
 */
import { Effect } from "effect"
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

/** What a view is drawn on. */
export interface Screen {
  readonly columns: number
  readonly style: Style
}

const ansi = (open: number, close: number) => (text: string) => `\u001B[${open}m${text}\u001B[${close}m`
const COLORS: Style = { bold: ansi(1, 22), dim: ansi(2, 22), accent: ansi(32, 39) }
const asItIs = (text: string): string => text
const PLAIN: Style = { bold: asItIs, dim: asItIs, accent: asItIs }

const isTerminal = (): boolean => process.stdout.isTTY === true

/** Standard output as it is now: its width, and colors only on a terminal that wants them. */
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

/** `repay project x | head -1` closes the pipe; what was asked for has been delivered. */
export const forgiveClosedPipes: Effect.Effect<void> = Effect.sync(() => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error
    })
  }
})

/** Data, on standard output. */
export const print = (text: string): Effect.Effect<void> => write(process.stdout, `${text}\n`)

/** Talk, on standard error. */
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
    Flag.withDescription("Print for reading, also into a pipe or file"),
    Flag.withDefault(false),
    Flag.withoutNegation
  )
}

interface OutputFlags {
  readonly json: boolean
  readonly table: boolean
}

/** Whether to print JSON: as the flags say, else by what standard output is. */
export const wantsJson = ({ json, table }: OutputFlags) =>
  json && table
    ? Effect.fail(badInput("--json and --table: send one of them, or none"))
    : Effect.succeed(json || (!table && !isTerminal()))

/** Prints data as JSON or as its view. */
export const show = Effect.fnUntraced(function* (flags: OutputFlags, data: unknown, view: (screen: Screen) => string) {
  if (yield* wantsJson(flags)) return yield* printJson(data)
  return yield* print(view(yield* screen))
})

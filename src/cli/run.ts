/**
 * The command line `repay` as a function. It assembles the commands, and alone prints failures and
 * turns them into exit codes. main.ts makes this function a program.
 */
import { Console as ConsoleOf } from "node:console"
import * as NodeChildProcessSpawner from "@effect/platform-node/NodeChildProcessSpawner"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Cause, ConfigProvider, Console, Effect, Exit, Layer, Logger, PlatformError, Stdio, Terminal } from "effect"
import { CliConfig, CliError, CliOutput, Command, TerminalCapabilities } from "effect/cli"
import packageJson from "../../package.json" with { type: "json" }
import { Launch } from "../platform/launch.ts"
import { groupsFor } from "./commands.ts"
import { CommandFailed } from "./failures.ts"
import { CHANGE_IS_ONE_WORD, GLOBAL_FLAGS } from "./flags.ts"
import { withHelp } from "./helpText.ts"
import { CodeWhenStopped, CommandIo, type CommandStreams } from "./io.ts"
import type { LoadService } from "./operate/serve.ts"
import { print, say, sayTo, watchOutput } from "./output.ts"
import { harmless } from "./views/text.ts"

const version = packageJson.version

/** What a newcomer can do at once; the help of all commands is one word away. */
const FIRST_STEPS = `What federal student loans cost under each plan. Three things to do now:

  repay compare --income 60000 --balance 30000 --rate 6
      a loan under every plan that can be chosen
  repay import MyStudentData.txt --plan RAP,standard --income 60000 | repay compare -
      your own loans, from the file of studentaid.gov
  repay serve
      a page for the browser, an API, and tools for AI agents

All commands: repay --help`

const commandLineFor = Effect.fnUntraced(function* (args: ReadonlyArray<string>, loadService: LoadService) {
  const groups = yield* Effect.promise(() =>
    groupsFor(args, {
      root: () => repay,
      loadService,
      printHelp: (path) => Command.runWith(repay, { version })([...path, "--help"])
    })
  )
  const repay: Command.Command<
    "repay",
    Record<never, never>,
    unknown,
    unknown,
    Command.Environment | CommandIo | CodeWhenStopped
  > = Command.make("repay", {}, () => print(FIRST_STEPS)).pipe(
    withHelp(
      "Federal student-loan repayment calculations that anyone can confirm later.",
      "Data goes to standard output, diagnostics to standard error. Exit codes: 0 success, 1 refused or not found, 2 invalid input or usage, 3 a database or service cannot be reached."
    ),
    Command.withSubcommands(groups)
  )
  return repay
})

const USAGE_CODE = 2
const INTERRUPTED_CODE = 130
/** EX_SOFTWARE of sysexits.h: an internal error. */
const DEFECT_CODE = 70

const codeOfFailure = (failure: unknown): number => {
  if (failure instanceof CommandFailed) return failure.exitCode
  if (CliError.isCliError(failure)) return failure._tag === "ShowHelp" && failure.errors.length === 0 ? 0 : USAGE_CODE
  return DEFECT_CODE
}

/** A line may contain text from a service or a file. */
const MAX_LINE_CHARACTERS = 4000

const report = (cause: Cause.Cause<unknown>): Effect.Effect<void, never, CommandIo> => {
  const failure = Cause.squash(cause)
  if (failure instanceof CommandFailed)
    return Effect.forEach(failure.lines, (line) => say(harmless(line).slice(0, MAX_LINE_CHARACTERS)), { discard: true })
  if (Cause.hasInterruptsOnly(cause) || CliError.isCliError(failure)) return Effect.void
  return say(`Internal error; please report: ${Cause.pretty(cause)}`)
}

/** Removed commands, each with its replacement. */
const GONE: Readonly<Record<string, string>> = {
  "log witness": "repay log witness is gone: run litewitness or omniwitness instead, see docs/log.md"
}

/** The framework's own line breaks precede an empty or an indented line; others are an argument's. */
const linesOfMessage = (message: string): ReadonlyArray<string> => message.split(/\n(?=\n| {2})/).map(harmless)

/**
 * Requested help is data. An invalid invocation gets a line per error and a pointer to the help.
 */
const presenterOf = (args: ReadonlyArray<string>, io: CommandStreams) =>
  CliOutput.layerPresenter({
    present: (event) => {
      if (event._tag !== "InvalidInvocation") return CliOutput.defaultPresenter.present(event)
      const gone = GONE[args.slice(0, 2).join(" ")]
      const messages = gone === undefined ? event.errors.map(({ message }) => message) : [gone]
      const hasLooseWords = args.includes("--change") && messages.some((message) => message.includes("positional"))
      const lines = [
        ...messages.flatMap(linesOfMessage),
        ...(hasLooseWords ? [CHANGE_IS_ONE_WORD] : []),
        `See: ${event.commandPath.join(" ")} --help`
      ]
      return Effect.forEach(lines, (line) => sayTo(io, line), { discard: true })
    }
  })

const failedStream = (method: string) => (cause: unknown) =>
  PlatformError.systemError({ module: "Stdio", method, _tag: "Unknown", cause })

const stdioOf = (args: ReadonlyArray<string>, { stderr, stdin, stdout }: CommandStreams): Stdio.Stdio => {
  const into = (stream: CommandStreams["stdout"], name: string) => () =>
    NodeSink.fromWritable({ evaluate: () => stream, onError: failedStream(name), endOnDone: false })
  return Stdio.make({
    args: Effect.succeed(args),
    stdinIsTerminal: Effect.sync(() => stdin.isTTY === true),
    stdoutIsTerminal: Effect.sync(() => stdout.isTTY === true),
    stderrIsTerminal: Effect.sync(() => stderr.isTTY === true),
    stdin: NodeStream.fromReadable({ evaluate: () => stdin, onError: failedStream("stdin"), closeOnDone: false }),
    stdout: into(stdout, "stdout"),
    stderr: into(stderr, "stderr")
  })
}

/** No command prompts. */
const noPrompt = Effect.die(new Error("repay does not prompt"))

const terminalOf = ({ stdout }: CommandStreams): Terminal.Terminal =>
  Terminal.make({
    columns: Effect.sync(() => stdout.columns ?? 0),
    rows: Effect.succeed(0),
    size: noPrompt,
    readInput: noPrompt,
    readLine: noPrompt,
    display: () => noPrompt
  })

/** Everything that a command uses of the process. */
const environmentOf = (args: ReadonlyArray<string>, io: CommandStreams) => {
  const { env, stderr, stdout } = io
  return Layer.mergeAll(
    NodeChildProcessSpawner.layer.pipe(Layer.provideMerge(Layer.merge(NodeFileSystem.layer, NodePath.layer))),
    TerminalCapabilities.layer,
    presenterOf(args, io),
    CliConfig.layer({ builtIns: GLOBAL_FLAGS }),
    Layer.succeed(Terminal.Terminal, terminalOf(io)),
    Layer.succeed(Console.Console, new ConsoleOf({ stdout, stderr })),
    // Service logs are diagnostics.
    Layer.succeed(Logger.LogToStderr, true),
    Layer.succeed(Launch, {
      get folder() {
        return io.cwd
      },
      isTerminal: stdout.isTTY === true
    })
  ).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.succeed(CommandIo, io),
        Layer.succeed(Stdio.Stdio, stdioOf(args, io)),
        Layer.succeed(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(env))
      )
    )
  )
}

/** One invocation. The exit code is read off the exit, because a signal interrupts the effect. */
export interface CommandLine {
  readonly run: Effect.Effect<void, unknown>
  readonly exitCode: (exit: Exit.Exit<unknown, unknown>) => number
}

/** @param loadService loads the service that `repay serve` runs */
export const commandLine = (args: ReadonlyArray<string>, io: CommandStreams, loadService: LoadService): CommandLine => {
  const whenStopped = { code: INTERRUPTED_CODE }
  const run = Effect.gen(function* () {
    const outputWritten = watchOutput(io)
    yield* Command.runWith(yield* commandLineFor(args, loadService), { version })(args)
    yield* outputWritten
  })
  return {
    run: run.pipe(
      Effect.tapCause(report),
      Effect.provide(environmentOf(args, io)),
      Effect.provideService(CodeWhenStopped, whenStopped)
    ),
    exitCode: (exit) => {
      if (Exit.isSuccess(exit)) return 0
      return Cause.hasInterruptsOnly(exit.cause) ? whenStopped.code : codeOfFailure(Cause.squash(exit.cause))
    }
  }
}

/** Runs an invocation to its end, and returns its exit code. */
export const runCommandLine = (...invocation: Parameters<typeof commandLine>): Effect.Effect<number> => {
  const { exitCode, run } = commandLine(...invocation)
  return Effect.map(Effect.exit(run), exitCode)
}

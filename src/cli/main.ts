#!/usr/bin/env node
/**
 * The command line `repay`: assembles the commands. The only place where a failure is printed and becomes an exit code.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, type Exit, Layer, Logger, type Runtime, Stdio } from "effect"
import { CliConfig, CliError, CliOutput, Command } from "effect/cli"
import packageJson from "../../package.json" with { type: "json" }
import { groupsFor } from "./commands.ts"
import { CommandFailed } from "./failures.ts"
import { GLOBAL_FLAGS } from "./globalFlags.ts"
import { helpText } from "./helpText.ts"
import { leaveFailuresToWriters, say } from "./output.ts"
import type { Serve } from "./serve.ts"

/** Runs the service like `npm start`: one process, or WORKERS processes that each run this same command. */
const serve: Serve = Effect.gen(function* () {
  const { commandFailure } = yield* Effect.promise(() => import("./installation.ts"))
  const service = yield* Effect.promise(() => import("../main.ts"))
  return yield* Effect.mapError(service.serve, commandFailure)
})

const version = packageJson.version

/** The command line for these arguments. */
const commandLineFor = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const groups = yield* Effect.promise(() =>
    groupsFor(args, {
      whole: () => repay,
      serve,
      printHelp: (path) => Command.runWith(repay, { version })([...path, "--help"])
    })
  )
  const repay: Command.Command<"repay", never, unknown, unknown, Command.Environment> = Command.make("repay").pipe(
    Command.withDescription(
      helpText(
        "Federal student-loan repayment calculations that anyone can confirm later.",
        "Data goes to standard output, diagnostics to standard error. Exit codes: 0 success, 1 refused or not found, 2 invalid input or usage, 3 a database or service cannot be reached."
      )
    ),
    Command.withSubcommands(groups)
  )
  return repay
})

const run = Effect.gen(function* () {
  yield* leaveFailuresToWriters
  const args = yield* (yield* Stdio.Stdio).args
  yield* Command.runWith(yield* commandLineFor(args), { version })(args)
})

const USAGE_CODE = 2
const INTERRUPTED_CODE = 130
/** EX_SOFTWARE of sysexits.h: an internal error. */
const DEFECT_CODE = 70

const exitCodeOf = (cause: Cause.Cause<unknown>): number => {
  if (Cause.hasInterruptsOnly(cause)) return Number(process.exitCode ?? INTERRUPTED_CODE)
  const failure = Cause.squash(cause)
  if (failure instanceof CommandFailed) return failure.exitCode
  if (CliError.isCliError(failure)) return failure._tag === "ShowHelp" && failure.errors.length === 0 ? 0 : USAGE_CODE
  return DEFECT_CODE
}

const teardown: Runtime.Teardown = <E, A>(exit: Exit.Exit<E, A>, onExit: (code: number) => void): void =>
  onExit(exit._tag === "Success" ? 0 : exitCodeOf(exit.cause))

const report = (cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  const failure = Cause.squash(cause)
  if (failure instanceof CommandFailed) return Effect.forEach(failure.lines, say, { discard: true })
  if (Cause.hasInterruptsOnly(cause) || CliError.isCliError(failure)) return Effect.void
  return say(`Internal error; please report: ${Cause.pretty(cause)}`)
}

/** Requested help is data. An invalid invocation is reported in one line, with the way to the help. */
const Presenter = CliOutput.layerPresenter({
  present: Effect.fnUntraced(function* (event) {
    if (event._tag !== "InvalidInvocation") return yield* CliOutput.defaultPresenter.present(event)
    yield* Effect.forEach(event.errors, ({ message }) => say(message))
    return yield* say(`See: ${event.commandPath.join(" ")} --help`)
  })
})

const Configuration = CliConfig.layer({ builtIns: GLOBAL_FLAGS })

/** Logs of services are diagnostics too. */
const DiagnosticsOnStandardError = Layer.succeed(Logger.LogToStderr, true)

run.pipe(
  Effect.tapCause(report),
  Effect.provide(Layer.mergeAll(NodeServices.layer, Configuration, Presenter, DiagnosticsOnStandardError)),
  NodeRuntime.runMain({ disableErrorReporting: true, teardown })
)

#!/usr/bin/env node
/**
 * The command line `repay`: assembles the commands. The only place where a failure is printed and becomes an exit code.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, type Exit, Layer, Logger, type Runtime } from "effect"
import { CliConfig, CliError, CliOutput, Command } from "effect/cli"
import packageJson from "../../package.json" with { type: "json" }
import { auditCommand } from "./audit.ts"
import { compareCommand, eligibleCommand, projectCommand } from "./calculations.ts"
import { doctorCommand } from "./doctor.ts"
import { explainCommand } from "./explain.ts"
import { CommandFailed } from "./failures.ts"
import { GLOBAL_FLAGS } from "./globalFlags.ts"
import { helpCommand } from "./help.ts"
import { helpText } from "./helpText.ts"
import { importCommand } from "./import.ts"
import { keysCommand } from "./keys.ts"
import { logCommand } from "./log.ts"
import { mailsCommand } from "./mails.ts"
import { mcpCommand } from "./mcp.ts"
import { migrateCommand } from "./migrate.ts"
import { openApiCommand } from "./openapi.ts"
import { leaveFailuresToWriters, say } from "./output.ts"
import { portfolioCommand } from "./portfolio.ts"
import { receiptCommand } from "./receipt.ts"
import { rulesCommand } from "./rules.ts"
import { type Serve, serveCommand } from "./serve.ts"
import { subscriptionsCommand } from "./subscriptions.ts"
import { usageCommand } from "./usage.ts"
import { verifyCommand } from "./verify.ts"

/** Runs the service like `npm start`: one process, or WORKERS processes that each run this same command. */
const serve: Serve = Effect.gen(function* () {
  const { commandFailure } = yield* Effect.promise(() => import("./installation.ts"))
  const service = yield* Effect.promise(() => import("../main.ts"))
  return yield* Effect.mapError(service.serve, commandFailure)
})

const version = packageJson.version

/** Declared with its type, because the command line that it runs is made of it. */
const printHelp = (path: ReadonlyArray<string>): Effect.Effect<void, unknown, Command.Environment> =>
  Command.runWith(repay, { version })([...path, "--help"])

const repay = Command.make("repay").pipe(
  Command.withDescription(
    helpText(
      "Federal student-loan repayment calculations that anyone can confirm later.",
      "Data goes to standard output, diagnostics to standard error. Exit codes: 0 success, 1 refused or not found, 2 invalid input or usage, 3 a database or service cannot be reached."
    )
  ),
  Command.withSubcommands([
    {
      group: "Calculate",
      commands: [
        projectCommand,
        explainCommand,
        compareCommand,
        eligibleCommand,
        importCommand,
        portfolioCommand,
        rulesCommand
      ]
    },
    { group: "Confirm", commands: [verifyCommand, receiptCommand, logCommand] },
    { group: "Connect", commands: [mcpCommand, openApiCommand] },
    { group: "Find out", commands: [helpCommand((): Command.Command.Any => repay, printHelp)] },
    {
      group: "Operate",
      commands: [
        serveCommand(serve),
        migrateCommand,
        doctorCommand,
        auditCommand,
        keysCommand,
        usageCommand,
        mailsCommand,
        subscriptionsCommand
      ]
    }
  ])
)

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

Effect.andThen(leaveFailuresToWriters, Command.run(repay, { version })).pipe(
  Effect.tapCause(report),
  Effect.provide(Layer.mergeAll(NodeServices.layer, Configuration, Presenter, DiagnosticsOnStandardError)),
  NodeRuntime.runMain({ disableErrorReporting: true, teardown })
)

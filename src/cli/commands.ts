/** The commands of `repay` by group. A command's module is loaded only when it is named. */
import type { Effect } from "effect"
import type { Command } from "effect/cli"
import type { CodeWhenStopped, CommandIo } from "./io.ts"
import { commandsNamedIn, group } from "./lazyCommands.ts"
import type { LoadService } from "./operate/serve.ts"

/** Dependencies that run.ts passes in. */
interface Dependencies {
  readonly loadService: LoadService
  /** The root command. It exists once a command runs, because it is made of the commands. */
  readonly root: () => Command.Command.Any
  readonly printHelp: (
    path: ReadonlyArray<string>
  ) => Effect.Effect<void, unknown, Command.Environment | CommandIo | CodeWhenStopped>
}

/** All groups. Commands that `args` do not name are stubs, enough for the list in the help. */
export const groupsFor = (args: ReadonlyArray<string>, { loadService, printHelp, root }: Dependencies) => {
  const command = commandsNamedIn(args)
  return Promise.all([
    group("Calculate", [
      command(
        "project",
        "Project one loan book under one plan",
        async () => (await import("./calculate/calculations.ts")).projectCommand
      ),
      command(
        "explain",
        "Explain the payment of a month, step by step",
        async () => (await import("./calculate/explain.ts")).explainCommand
      ),
      command(
        "compare",
        "Compare 2 to 10 scenarios",
        async () => (await import("./calculate/calculations.ts")).compareCommand
      ),
      command(
        "paths",
        "Find the change of plan with the lowest cost",
        async () => (await import("./calculate/paths.ts")).pathsCommand
      ),
      command(
        "couple",
        "Compare joint and separate returns of two borrowers",
        async () => (await import("./calculate/couple.ts")).coupleCommand
      ),
      command(
        "eligible",
        "List the plans that each loan can elect",
        async () => (await import("./calculate/calculations.ts")).eligibleCommand
      ),
      command(
        "import",
        "Turn a studentaid.gov download into a request",
        async () => (await import("./calculate/import.ts")).importCommand
      ),
      command(
        "portfolio",
        "Compute files of borrowers",
        async () => (await import("./portfolio/portfolio.ts")).portfolioCommand
      ),
      command(
        "rules",
        "List the rules ledger, or what changed in it",
        async () => (await import("./calculate/rules.ts")).rulesCommand
      )
    ]),
    group("Confirm", [
      command("verify", "Confirm a recorded answer", async () => (await import("./confirm/verify.ts")).verifyCommand),
      command(
        "receipt",
        "Keep the proof that an answer is on record",
        async () => (await import("./confirm/receipt.ts")).receiptCommand
      ),
      command("log", "Follow a log of records", async () => (await import("./confirm/log.ts")).logCommand)
    ]),
    group("Connect", [
      command(
        "mcp",
        "Serve MCP on standard input and output",
        async () => (await import("./connect/mcp.ts")).mcpCommand
      ),
      command(
        "openapi",
        "Print the OpenAPI document",
        async () => (await import("./connect/openapi.ts")).openApiCommand
      )
    ]),
    group("Find out", [
      command("help", "Print the help of a command", async () =>
        (await import("./help.ts")).helpCommand(root, printHelp)
      )
    ]),
    group("Operate", [
      command("serve", "Run the service", async () => (await import("./operate/serve.ts")).serveCommand(loadService)),
      command(
        "migrate",
        "Bring the database up to date",
        async () => (await import("./operate/migrate.ts")).migrateCommand
      ),
      command(
        "doctor",
        "Check this installation, and say what to fix",
        async () => (await import("./operate/doctor.ts")).doctorCommand
      ),
      command(
        "audit",
        "Check every record against the log",
        async () => (await import("./operate/audit.ts")).auditCommand
      ),
      command("keys", "List, create and revoke API keys", async () => (await import("./operate/keys.ts")).keysCommand),
      command(
        "usage",
        "List the calls of a month by key",
        async () => (await import("./operate/lists.ts")).usageCommand
      ),
      command(
        "mails",
        "List mails that wait or were given up",
        async () => (await import("./operate/lists.ts")).mailsCommand
      ),
      command(
        "subscriptions",
        "See, pay, end and allow subscriptions",
        async () => (await import("./operate/subscriptions.ts")).subscriptionsCommand
      )
    ])
  ])
}

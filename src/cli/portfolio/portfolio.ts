/** `repay portfolio`: the group of commands that run the engine on files of borrowers. */
import { Command } from "effect/cli"
import { withHelp } from "../helpText.ts"
import { portfolioDiffCommand } from "./diff.ts"
import { portfolioRunCommand } from "./run.ts"
import { sampleCommand } from "./sample.ts"
import { portfolioWorkerCommand } from "./worker.ts"

export const portfolioCommand = Command.make("portfolio").pipe(
  withHelp(
    "Compute thousands to millions of borrowers under every plan, from files to files.",
    "Runs the open engine on this machine, or on several machines that share a database. Nothing is recorded, and no key is needed."
  ),
  Command.withSubcommands([portfolioRunCommand, portfolioDiffCommand, portfolioWorkerCommand, sampleCommand])
)

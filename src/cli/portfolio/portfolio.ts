/** `repay portfolio`: the group of commands that run the engine on files of borrowers. */
import { Command } from "effect/cli"
import { helpText } from "../helpText.ts"
import { portfolioDiffCommand } from "./diff.ts"
import { portfolioRunCommand } from "./run.ts"
import { sampleCommand } from "./sample.ts"
import { portfolioWorkerCommand } from "./worker.ts"

export const portfolioCommand = Command.make("portfolio").pipe(
  Command.withDescription(
    helpText(
      "Thousands to millions of borrowers under every plan, from files to files.",
      "The open engine on this machine, or on several that meet in a database: nothing is recorded, and no key is needed."
    )
  ),
  Command.withSubcommands([portfolioRunCommand, portfolioDiffCommand, portfolioWorkerCommand, sampleCommand])
)

/** `repay serve`: the service itself. How it starts and stops is the composition root's business, handed in. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import type { CommandFailed } from "./failures.ts"
import { helpText } from "./helpText.ts"

/** Runs until it is interrupted, and stops in order then. */
export type Serve = Effect.Effect<never, CommandFailed>

/** Being told to stop is how a service ends well. */
const endWell = Effect.sync(() => {
  process.exitCode = 0
})

export const serveCommand = (serve: Serve) =>
  Command.make("serve", {}, () => Effect.onInterrupt(serve, () => endWell)).pipe(
    Command.withDescription(
      helpText(
        "Run the service until SIGTERM or Ctrl-C, then finish what is in flight. Configured by the environment: HOST, PORT, DATABASE_URL, DATA_DIR and the others of docs/operating.md. Says on standard error why it cannot start."
      )
    ),
    Command.withShortDescription("Run the service"),
    Command.withExamples([{ command: "PORT=9000 repay serve", description: "With the embedded database in ./.data" }])
  )

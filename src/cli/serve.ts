/** `repay serve`: runs the service, which is passed in. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import type { CommandFailed } from "./failures.ts"
import { helpText } from "./helpText.ts"

/** Runs until it is interrupted, then shuts down gracefully. */
export type Serve = Effect.Effect<never, CommandFailed>

/** A service that stops because it was told to has succeeded. */
const succeed = Effect.sync(() => {
  process.exitCode = 0
})

export const serveCommand = (serve: Serve) =>
  Command.make("serve", {}, () => Effect.onInterrupt(serve, () => succeed)).pipe(
    Command.withDescription(
      helpText(
        "Run the service until SIGTERM or Ctrl-C, then finish the requests in flight. Configured by environment variables: HOST, PORT, DATABASE_URL, DATA_DIR and the others in docs/operating.md. Standard error says why it cannot start."
      )
    ),
    Command.withExamples([{ command: "PORT=9000 repay serve", description: "With the embedded database in ./.data" }])
  )

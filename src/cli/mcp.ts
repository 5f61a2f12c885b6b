/** `repay mcp`: the tool server on standard input and output, for clients that start a program. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { badInput } from "./failures.ts"
import { helpText } from "./helpText.ts"

export const mcpCommand = Command.make(
  "mcp",
  {},
  Effect.fn("repay.mcp")(function* () {
    const { serveStdio } = yield* Effect.promise(() => import("../mcp/stdio.ts"))
    return yield* Effect.catchTag(serveStdio(), "BridgeMisconfigured", ({ lines }) => Effect.fail(badInput(...lines)))
  })
).pipe(
  Command.withDescription(
    helpText(
      "Speak the Model Context Protocol on standard input and output, one JSON message a line, until the input ends.",
      "With REPAY_URL and REPAY_API_KEY in the environment, passes everything on to the tool server of that service, which records and charges each calculation. Without them, computes here: no key, no record, and the answers say so."
    )
  ),
  Command.withShortDescription("Speak MCP on standard input and output"),
  Command.withExamples([
    { command: "repay mcp", description: "The engine of this machine, nothing recorded" },
    {
      command: "REPAY_URL=https://api.example.org REPAY_API_KEY=slr_sbx_... repay mcp",
      description: "A service elsewhere"
    }
  ])
)

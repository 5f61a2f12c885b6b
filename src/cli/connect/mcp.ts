/** `repay mcp`: the tool server on standard input and output, for clients that start a program. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { badInput } from "../failures.ts"
import { helpText } from "../helpText.ts"
import { CommandIo } from "../io.ts"

export const mcpCommand = Command.make(
  "mcp",
  {},
  Effect.fn("repay.mcp")(function* () {
    const { serveStdio } = yield* Effect.promise(() => import("../../mcp/stdio.ts"))
    const { stdin, stdout } = yield* CommandIo
    return yield* Effect.catchTag(serveStdio(stdin, stdout), "ServiceMisnamed", ({ lines }) =>
      Effect.fail(badInput(...lines))
    )
  })
).pipe(
  Command.withDescription(
    helpText(
      "Serve the Model Context Protocol on standard input and output, one JSON message per line, until the input ends.",
      "With REPAY_URL and REPAY_API_KEY in the environment, forwards everything to the tool server of that service, which records and charges each calculation. Without them, computes locally: no key and no record, and the answers say so."
    )
  ),
  Command.withExamples([
    { command: "repay mcp", description: "The engine of this machine, nothing recorded" },
    {
      command: "REPAY_URL=https://api.example.org REPAY_API_KEY=slr_sbx_... repay mcp",
      description: "A remote service"
    }
  ])
)

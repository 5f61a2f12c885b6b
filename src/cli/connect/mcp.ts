/** `repay mcp`: the tool server on standard input and output, for clients that start a program. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { withHelp } from "../helpText.ts"
import { CommandIo } from "../io.ts"

export const mcpCommand = Command.make(
  "mcp",
  {},
  Effect.fn("repay.mcp")(function* () {
    const { serveStdio } = yield* Effect.promise(() => import("../../mcp/stdio.ts"))
    const { stdin, stdout } = yield* CommandIo
    return yield* serveStdio(stdin, stdout)
  })
).pipe(
  withHelp(
    "Serve the Model Context Protocol on standard input and output, one JSON message per line, until the input ends.",
    "Computes on this machine: no key and no record, and the answers say so. For recorded answers, give your client the address of a service, such as https://api.example.org/mcp; docs/mcp.md shows how."
  ),
  Command.withExamples([{ command: "repay mcp", description: "The engine of this machine, nothing recorded" }])
)

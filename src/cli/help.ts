/** `repay help`, a command that prints what `--help` prints. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { badInput } from "./failures.ts"
import { argument } from "./flags.ts"
import { withHelp } from "./helpText.ts"

const subcommandOf = (command: Command.Command.Any | undefined, name: string) =>
  command?.subcommands.flatMap(({ commands }) => commands).find((subcommand) => subcommand.name === name)

/** `root` is lazy because this command is part of it. */
export const helpCommand = <E, R>(
  root: () => Command.Command.Any,
  print: (path: ReadonlyArray<string>) => Effect.Effect<void, E, R>
) =>
  Command.make(
    "help",
    {
      command: argument("command", "The command, such as project or subscriptions list").pipe(Argument.variadic())
    },
    Effect.fn("repay.help")(function* ({ command: path }) {
      if (path.reduce<Command.Command.Any | undefined>(subcommandOf, root()) === undefined)
        return yield* badInput(`There is no command ${path.join(" ")}`, "See: repay --help")
      return yield* print(path)
    })
  ).pipe(
    withHelp("Print the help of a command, or of all of them."),
    Command.withExamples([{ command: "repay help project", description: "The same as repay project --help" }])
  )

/**
 * Commands that are loaded when they are named. Of the others, their names and what the list of commands says of them are
 * all that help and refusals need, so a command starts without the modules of the rest.
 */
import { Command } from "effect/cli"

/** Completions tell of all commands. An argument that only looks like the name of a command does no harm. */
const isNamed = (args: ReadonlyArray<string>, name: string): boolean =>
  args.some((arg) => arg === name || arg.startsWith("--completions"))

/** For these arguments: a command by its name, what the list of commands says of it, and where it is. */
export const commandsNamedIn =
  (args: ReadonlyArray<string>) =>
  async <const Name extends string, Input, Context, E, R>(
    name: Name,
    about: string,
    load: () => Promise<Command.Command<Name, Input, Context, E, R>>
  ) =>
    isNamed(args, name)
      ? Command.withShortDescription(await load(), about)
      : Command.withShortDescription(Command.make(name), about)

/** A group of the list of commands. */
export const group = async <const Loading extends ReadonlyArray<Promise<Command.Command.Any>>>(
  name: string,
  commands: Loading
) => ({ group: name, commands: await Promise.all(commands) })

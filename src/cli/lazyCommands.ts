/**
 * Commands that are imported only when the arguments name them. Help and usage errors need only
 * names and short descriptions of the others, so startup stays fast.
 */
import { Command } from "effect/cli"

/** Completions need every command. A false match only loads one unneeded module. */
const isNamed = (args: ReadonlyArray<string>, name: string): boolean =>
  args.some((arg) => arg === name || arg.startsWith("--completions"))

/** Makes a command if `args` name it, else a stub with its name and description. */
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

/** A heading in the list of commands, with its commands. */
export const group = async <const Loading extends ReadonlyArray<Promise<Command.Command.Any>>>(
  name: string,
  commands: Loading
) => ({ group: name, commands: await Promise.all(commands) })

/** Shell completion scripts that also offer file names and the values of choice flags. */
import { Completions } from "effect/cli"
import { LOAN } from "./calculate/loanFlags.ts"
import { HOUSEHOLD, PLAN } from "./calculate/scenarioFlags.ts"

type ValueType = Completions.FlagType & Completions.ArgumentType

/** The command whose arguments are names of commands. */
const HELP = "help"

const FILE: ValueType = { _tag: "Path", pathType: "file" }
/** Files and folders. */
const ANY_PATH: ValueType = { _tag: "Path", pathType: "either" }

/**
 * Completion types of arguments and flags that are parsed as text, because `-` or an id is valid
 * too.
 */
const VALUE_TYPES: Readonly<Record<string, ValueType>> = {
  request: FILE,
  file: FILE,
  answer: FILE,
  receipt: FILE,
  checkpoint: FILE,
  diff: FILE,
  out: ANY_PATH,
  ...Object.fromEntries(
    [PLAN, ...HOUSEHOLD, ...LOAN].flatMap(({ flag, names }) =>
      names === undefined ? [] : [[flag, { _tag: "Choice" as const, values: names }]]
    )
  )
}

const withValueType = <Described extends { readonly name: string; readonly type: unknown }>(
  parameter: Described
): Described => ({
  ...parameter,
  type: VALUE_TYPES[parameter.name] ?? parameter.type
})

const withValueTypes = (command: Completions.CommandDescriptor): Completions.CommandDescriptor => ({
  ...command,
  flags: command.flags.map(withValueType),
  arguments: command.arguments.map(withValueType),
  subcommands: command.subcommands.map(withValueTypes)
})

/** Completes `repay help` with a command's name, then with a subcommand's name. */
const withCommandNames = (root: Completions.CommandDescriptor): Completions.CommandDescriptor => {
  const namesOf = (commands: Completions.CommandDescriptor["subcommands"]) => commands.map(({ name }) => name)
  const [first, second] = [namesOf(root.subcommands), namesOf(root.subcommands.flatMap((one) => one.subcommands))]
  const withNameChoices = (command: Completions.CommandDescriptor) => ({
    ...command,
    arguments: command.arguments.flatMap((argument) => [
      { ...argument, variadic: false, type: { _tag: "Choice" as const, values: first } },
      { ...argument, type: { _tag: "Choice" as const, values: second } }
    ])
  })
  return { ...root, subcommands: root.subcommands.map((one) => (one.name === HELP ? withNameChoices(one) : one)) }
}

export const completionsOf = (
  command: Parameters<typeof Completions.fromCommand>[0],
  shell: Completions.Shell
): string =>
  Completions.generate(command.name, shell, withCommandNames(withValueTypes(Completions.fromCommand(command))))

/** The completions of a shell, which know which values are files and which have names. */
import { Completions } from "effect/cli"
import { LOAN } from "./calculate/loanFlags.ts"
import { HOUSEHOLD, PLAN } from "./calculate/scenarioFlags.ts"

type ValueType = Completions.FlagType & Completions.ArgumentType

/** The command that takes the names of commands. */
const HELP = "help"

const FILE: ValueType = { _tag: "Path", pathType: "file" }
/** Completed as folders too. */
const ANY_PATH: ValueType = { _tag: "Path", pathType: "either" }

/** Arguments and flags that are read as text, because they may be - or an id as well, and what a shell offers for them. */
const OFFERED: Readonly<Record<string, ValueType>> = {
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

const offering = <Described extends { readonly name: string; readonly type: unknown }>(
  described: Described
): Described => ({
  ...described,
  type: OFFERED[described.name] ?? described.type
})

const withOffers = (command: Completions.CommandDescriptor): Completions.CommandDescriptor => ({
  ...command,
  flags: command.flags.map(offering),
  arguments: command.arguments.map(offering),
  subcommands: command.subcommands.map(withOffers)
})

/** `repay help` takes the name of a command, and after it that of one of its own. */
const withNames = (whole: Completions.CommandDescriptor): Completions.CommandDescriptor => {
  const namesOf = (commands: Completions.CommandDescriptor["subcommands"]) => commands.map(({ name }) => name)
  const [first, second] = [namesOf(whole.subcommands), namesOf(whole.subcommands.flatMap((one) => one.subcommands))]
  const choosing = (command: Completions.CommandDescriptor) => ({
    ...command,
    arguments: command.arguments.flatMap((argument) => [
      { ...argument, variadic: false, type: { _tag: "Choice" as const, values: first } },
      { ...argument, type: { _tag: "Choice" as const, values: second } }
    ])
  })
  return { ...whole, subcommands: whole.subcommands.map((one) => (one.name === HELP ? choosing(one) : one)) }
}

export const completionsOf = (
  command: Parameters<typeof Completions.fromCommand>[0],
  shell: Completions.Shell
): string => Completions.generate(command.name, shell, withNames(withOffers(Completions.fromCommand(command))))

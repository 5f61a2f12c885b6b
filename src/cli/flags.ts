/** Flags that every command has (help, version, completions), and helpers for others. */
import { Console, Effect, Option } from "effect"
import { Argument, Flag, GlobalFlag } from "effect/cli"

const CompletionsFlag: typeof GlobalFlag.Completions = GlobalFlag.Action({
  flag: GlobalFlag.Completions.flag,
  run: Effect.fnUntraced(function* (shell, { command }) {
    if (Option.isNone(shell)) return
    const { completionsOf } = yield* Effect.promise(() => import("./completions.ts"))
    yield* Console.log(completionsOf(command, shell.value))
  })
})

const VersionFlag: typeof GlobalFlag.Version = GlobalFlag.Action({
  flag: Flag.withAlias(GlobalFlag.Version.flag, "V"),
  run: GlobalFlag.Version.run
})

export const GLOBAL_FLAGS = [GlobalFlag.Help, VersionFlag, CompletionsFlag]

/** A shell splits a change at spaces, and the command would take one of the words for a file. */
export const CHANGE_IS_ONE_WORD = "A change is one word: --change 3:income=80000,status=mfj"

export const argument = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description))

/** A flag with a text. The help shows its place as `metavar`. */
export const textFlag = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description))

export const optionalFlag = (...flag: Parameters<typeof textFlag>) => Flag.optional(textFlag(...flag))

export const switchFlag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false), Flag.withoutNegation)

/**
 * A command that takes a request from a file, standard input or flags. It can also print an example
 * file, or the request that its flags make.
 */
import { Effect, Option } from "effect"
import { Argument, type Flag } from "effect/cli"
import type { Naming } from "../../messages/naming.ts"
import type { StrictSchema } from "../../request/decode.ts"
import { badInput, CommandFailed } from "../failures.ts"
import { CHANGE_IS_ONE_WORD, switchFlag } from "../flags.ts"
import type { CommandIo } from "../io.ts"
import { dataCommand, type Format, printJson, say, show, type View } from "../output.ts"
import { wrap } from "../views/text.ts"
import { CHANGES } from "./changes.ts"
import { type Given, linesOf } from "./flagReader.ts"
import { BALANCE } from "./loanFlags.ts"
import { OF_FILES, ofFlags } from "./naming.ts"
import { readRequest, requestArgument } from "./requestFile.ts"
import { flagAt, flagsOf, requestOf, type Shape } from "./requestFlags.ts"

/** Flags of one command alone, each a field of its body. They override the file. */
type ExtraFlags = Readonly<Record<string, Flag.Flag<unknown>>>

interface RequestOptions<S extends StrictSchema> {
  readonly schema: S
  readonly shape: Shape
  /** The API operation whose body the request is. */
  readonly operation: string
  /** Example flags, shown to a user who gave no flags. */
  readonly flags: string
  readonly fields?: ExtraFlags
  /** Lines about optional fields in a file's request, printed before a table. */
  readonly added: (request: S["Type"]) => ReadonlyArray<string>
}

/** A request and how to show its answer. */
export interface Asked<Request> {
  readonly request: Request
  readonly format: Format
  /** Names of fields in refusals. */
  readonly naming: Naming
  /**
   * Prints the answer. The flags' summary precedes a table, or goes to standard error with JSON.
   */
  readonly present: (data: unknown, view: View) => Effect.Effect<void, CommandFailed, CommandIo>
}

const COMMON_FLAGS = {
  request: Argument.optional(requestArgument),
  example: switchFlag("example", "Print a request to begin with, and do nothing else"),
  printRequest: switchFlag("print-request", "Print the request that the flags make, and do nothing else")
}

/** The operation's request example in the OpenAPI document. */
const exampleOf = (operation: string) =>
  Effect.map(
    Effect.promise(() => import("../../../schema/examples/index.ts")),
    ({ EXAMPLES }) => EXAMPLES[operation]!.request
  )

/** Puts lines before a table, or on standard error alongside JSON. */
export const presentWith =
  (format: Format, summary: ReadonlyArray<string>): Asked<unknown>["present"] =>
  (data, view) => {
    if (format.isJson) return Effect.andThen(Effect.forEach(summary, say, { discard: true }), show(format, data, view))
    return show(format, data, (screen) =>
      [
        ...summary.flatMap((line) => wrap(line, screen.columns)),
        ...(summary.length === 0 ? [] : [""]),
        view(screen)
      ].join("\n")
    )
  }

const noRequest = (name: string, flags: string) =>
  badInput(
    `No request: give a file, or flags such as ${flags}`,
    `A file to begin with: repay ${name} --example > request.json`,
    `See: repay ${name} --help`
  )

/** Flags are refused with a file, because they could contradict it. */
const fileAndFlags = (flags: ReadonlyArray<string>) =>
  badInput(
    `${flags.map((flag) => `--${flag}`).join(", ")}: cannot be used with a file; change the file, or use flags alone`,
    ...(flags.includes(CHANGES.flag) ? [CHANGE_IS_ONE_WORD] : [])
  )

export const givenFlags = (given: Given, plans: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...(plans.length > 0 ? ["plan"] : []),
  ...Object.keys(given).filter((flag) => given[flag] !== undefined)
]

/** Names refused fields by flags instead of paths. Equal problems of several arms appear once. */
const withFlagNames = <E>(failure: E): E | CommandFailed => {
  if (!(failure instanceof CommandFailed)) return failure
  const lines = failure.lines.map((line) =>
    line.replace(/^[^\s:]+(?=:)/, (path) => {
      const flag = flagAt(path)
      return flag === undefined ? path : `--${flag}`
    })
  )
  return new CommandFailed({ exitCode: failure.exitCode, lines: [...new Set(lines)] })
}

const withFields = <Body>(body: Body, fields: Readonly<Record<string, unknown>>): Body =>
  Object.assign({}, body, Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)))

/** What a command was given on its command line. */
interface Input {
  readonly specs: Given
  readonly plans: ReadonlyArray<string>
  readonly fields: Readonly<Record<string, unknown>>
  readonly printRequest: boolean
}

/** Answers the request that flags make, or prints it. */
export const byFlags = <S extends StrictSchema, E, R>(
  { schema, shape }: Pick<RequestOptions<S>, "schema" | "shape">,
  run: (asked: Asked<S["Type"]>) => Effect.Effect<void, E, R>
) =>
  Effect.fnUntraced(function* ({ fields, plans, printRequest, specs }: Input, format: Format) {
    const { body, request, summary } = yield* requestOf(shape, schema, specs, plans)
    if (!printRequest) {
      const asked = {
        request: withFields(request, fields),
        format,
        naming: ofFlags(linesOf(specs[BALANCE]).length),
        present: presentWith(format, summary)
      }
      return yield* Effect.mapError(run(asked), withFlagNames)
    }
    yield* Effect.forEach(summary, say, { discard: true })
    return yield* printJson(withFields(body, fields))
  })

/** @param withoutPlans answers flags that name no plan, if the command has an answer of its own for them */
export const requestCommand = <const Name extends string, S extends StrictSchema, E, R, E2 = never, R2 = never>(
  name: Name,
  { added, fields = {}, flags, operation, schema, shape }: RequestOptions<S>,
  run: (asked: Asked<S["Type"]>) => Effect.Effect<void, E, R>,
  withoutPlans?: (input: Input, format: Format) => Effect.Effect<void, E2, R2>
) =>
  dataCommand(
    name,
    { ...COMMON_FLAGS, ...flagsOf(shape), fields },
    Effect.fnUntraced(function* (input, format) {
      if (input.example) return yield* printJson(yield* exampleOf(operation))
      const given: Given = input.specs
      const plans = input.plan ?? []
      const flagNames = givenFlags(given, plans)
      if (Option.isSome(input.request)) {
        const named = input.printRequest ? [...flagNames, "print-request"] : flagNames
        if (named.length > 0) return yield* fileAndFlags(named)
        const request = withFields(yield* readRequest(input.request.value, schema), input.fields)
        const present = presentWith(format, format.isJson ? [] : added(request))
        return yield* run({ request, format, naming: OF_FILES, present })
      }
      if (flagNames.length === 0) return yield* noRequest(name, flags)
      const sent = { specs: given, plans, fields: input.fields, printRequest: input.printRequest }
      if (plans.length === 0 && withoutPlans !== undefined) return yield* withoutPlans(sent, format)
      return yield* byFlags({ schema, shape }, run)(sent, format)
    })
  )

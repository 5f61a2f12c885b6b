/**
 * A command that takes a request: from a file, from standard input, or from flags. It prints an example of a file, and the
 * request that flags make, for whoever wants to keep it or send it to the API.
 */
import { Effect, Option } from "effect"
import { Argument, type Flag } from "effect/cli"
import type { StrictSchema } from "../../request/decode.ts"
import { badInput, CommandFailed } from "../failures.ts"
import { switchFlag } from "../flags.ts"
import type { CommandIo } from "../io.ts"
import { dataCommand, type Format, printJson, say, show, type View } from "../output.ts"
import { wrap } from "../views/text.ts"
import type { Given } from "./flagReader.ts"
import { readRequest, requestArgument } from "./requestFile.ts"
import { flagsOf, requestOf, type Shape } from "./requestFlags.ts"

/** The flags of one command alone, each a field of its body. They go before what a file says. */
type OwnFields = Readonly<Record<string, Flag.Flag<unknown>>>

interface Kind<S extends StrictSchema> {
  readonly schema: S
  readonly shape: Shape
  /** The operation of the API whose body the request is. */
  readonly operation: string
  /** Flags that make a request, for whoever gave none. */
  readonly flags: string
  readonly fields?: OwnFields
}

/** A request, and how its answer is shown. */
export interface Asked<Request> {
  readonly request: Request
  readonly format: Format
  /** Prints the answer; what flags were read as comes first in a table, and beside the JSON, which has the answer alone. */
  readonly present: (data: unknown, view: View) => Effect.Effect<void, CommandFailed, CommandIo>
}

const own = {
  request: Argument.optional(requestArgument),
  example: switchFlag("example", "Print a request to begin with, and do nothing else"),
  printRequest: switchFlag("print-request", "Print the request that the flags make, and do nothing else")
}

/** The runnable example of the OpenAPI document. */
const exampleOf = (operation: string) =>
  Effect.map(
    Effect.promise(() => import("../../../schema/examples/index.ts")),
    ({ EXAMPLES }) => EXAMPLES[operation]!.request
  )

/** Lines before a table, or beside JSON on standard error. */
export const presentWith =
  (format: Format, said: ReadonlyArray<string>): Asked<unknown>["present"] =>
  (data, view) => {
    if (format.isJson) return Effect.andThen(Effect.forEach(said, say, { discard: true }), show(format, data, view))
    return show(format, data, (screen) =>
      [...said.flatMap((line) => wrap(line, screen.columns)), ...(said.length === 0 ? [] : [""]), view(screen)].join(
        "\n"
      )
    )
  }

const nothingGiven = (name: string, flags: string) =>
  badInput(
    `No request: give a file, or flags such as ${flags}`,
    `A file to begin with: repay ${name} --example > request.json`,
    `See: repay ${name} --help`
  )

/** Of a request that is in a file, flags would tell something that it may contradict. */
const bothGiven = (flags: ReadonlyArray<string>) =>
  badInput(
    `${flags.map((flag) => `--${flag}`).join(", ")}: cannot be used with a file; change the file, or use flags alone`
  )

export const flagsTold = (given: Given, plans: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...(plans.length > 0 ? ["plan"] : []),
  ...Object.keys(given).filter((flag) => given[flag] !== undefined)
]

/** A plan that is refused is named by its flag to whoever told it by one. */
const byFlag = <E>(failure: E): E | CommandFailed =>
  failure instanceof CommandFailed
    ? new CommandFailed({
        exitCode: failure.exitCode,
        lines: failure.lines.map((line) => line.replace(/^(?:arms\[\d+\]\.)?scenario\.planType:/, "--plan:"))
      })
    : failure

const withFields = <Body>(body: Body, fields: Readonly<Record<string, unknown>>): Body =>
  Object.assign({}, body, Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)))

export const requestCommand = <const Name extends string, S extends StrictSchema, E, R>(
  name: Name,
  { fields = {}, flags, operation, schema, shape }: Kind<S>,
  run: (asked: Asked<S["Type"]>) => Effect.Effect<void, E, R>
) =>
  dataCommand(
    name,
    { ...own, ...flagsOf(shape), fields },
    Effect.fnUntraced(function* (input, format) {
      if (input.example) return yield* printJson(yield* exampleOf(operation))
      const given: Given = input.specs
      const plans = input.plan ?? []
      const told = flagsTold(given, plans)
      if (Option.isSome(input.request)) {
        const named = input.printRequest ? [...told, "print-request"] : told
        if (named.length > 0) return yield* bothGiven(named)
        const request = withFields(yield* readRequest(input.request.value, schema), input.fields)
        return yield* run({ request, format, present: presentWith(format, []) })
      }
      if (told.length === 0) return yield* nothingGiven(name, flags)
      const { body, request, said } = yield* requestOf(shape, schema, given, plans)
      if (!input.printRequest) {
        const asked = { request: withFields(request, input.fields), format, present: presentWith(format, said) }
        return yield* Effect.mapError(run(asked), byFlag)
      }
      yield* Effect.forEach(said, say, { discard: true })
      return yield* printJson(withFields(body, input.fields))
    })
  )

/**
 * Basic types of requests and responses: dollars, fractions, counts, canonical strings, instants.
 * Messages say what to send, and never repeat a string that was sent.
 */
import { Effect, Schema, SchemaTransformation } from "effect"
import { FIRST_DAY, MAX_DOLLARS } from "./bounds.ts"
import {
  byKey,
  type DateShape,
  dateMessage,
  dateProblems,
  type NameShape,
  type NumberShape,
  nameOf,
  nameProblem,
  numberMessage,
  numberProblems,
  type TextShape
} from "./shape.ts"
import { type OtherNames, suggestionFor } from "./suggestion.ts"

/** Decoding of requests: unknown properties are refused, and all problems are reported at once. */
export const STRICT_PARSE_OPTIONS = { onExcessProperty: "error", errors: "all" } as const

/** The schema annotation with a basic type's shape (shape.ts), by which requests are read. */
export const SHAPE = "requestShape"
/** The schema annotation of an object with the messages for names that it does not take. */
export const NOT_TAKEN = "requestNotTaken"
/** The schema annotation with the default of a member that may be missing. */
export const BY_DEFAULT = "requestDefault"
/** The schema annotation of a member that the hashed inputs hold only where it is not its default. */
export const IS_ADDITION = "isAddition"
/** The schema annotation of such a member that is as its default below an amount. */
export const LEFT_OUT_BELOW = "leftOutBelow"

const ranged = (description: string, shape: Omit<NumberShape, "kind">, format: string) => {
  const known: NumberShape = { kind: "number", ...shape }
  const { isWhole = false, lowest, min: minimum, max: maximum, send } = known
  const message = numberMessage(known)
  return Schema.Number.annotate({ description, format, message, [SHAPE]: known }).check(
    Schema.isFinite({ message }),
    Schema.makeFilter((value: number) => numberProblems(known, value).at(-1), {
      toJsonSchema: () => ({
        minimum,
        maximum,
        ...(lowest === undefined ? {} : { anyOf: [{ const: minimum }, { minimum: lowest }] }),
        ...(isWhole ? { type: "integer" as const } : {})
      }),
      expected: send
    })
  )
}

/** US dollars, from 0 or `min`, with cents as decimals. */
export const dollars = (description: string, max = MAX_DOLLARS, min = 0) =>
  ranged(`${description} US dollars.`, { min, max, send: "US dollars, such as 30000 or 1250.5" }, "double")

/**
 * A fraction per year: 0.0654 means 6.54%. The refusal of a percentage names the fraction that it
 * probably means.
 */
export const fraction = (description: string, max: number) =>
  ranged(
    `${description} A fraction: 0.0654 means 6.54%.`,
    { min: 0, max, isFraction: true, send: "a fraction, such as 0.0654 for 6.54%" },
    "double"
  )

/** A percentage: 6.54 means 6.54%. */
export const percent = (description: string, max: number) =>
  ranged(
    `${description} Percent: 6.54 means 6.54%.`,
    { min: 0, max, send: "a percentage: 6 means 6 percent" },
    "double"
  )

/** A yearly interest rate in percent. None of a federal loan was below 1, so 0.06 means 6. */
export const ratePercent = (description: string) =>
  ranged(
    `${description} Percent, 0 or 1 to 100: 6 means 6 percent.`,
    { min: 0, lowest: 1, max: 100, send: "0, or 1 or more: 6 means 6 percent" },
    "double"
  )

/** A count, as a whole number; `unit` is a plural. */
export const count = (description: string, max: number, unit: string) =>
  ranged(description, { min: 0, max, isWhole: true, send: `a whole number of ${unit}` }, "int32")

/** A position counted from 1; `unit` is a plural. */
export const ordinal = (description: string, max: number, unit: string) =>
  ranged(description, { min: 1, max, isWhole: true, send: `a whole number of ${unit}, counted from 1` }, "int32")

/** A number of people, at least one. */
export const people = (description: string, max: number) =>
  ranged(description, { min: 1, max, isWhole: true, send: "a whole number of people, such as 3" }, "int32")

/** A year of repayment from the second on: year n is months 12(n-1) to 12n-1, counted from 0. */
export const laterYear = (description: string, max: number) =>
  ranged(description, { min: 2, max, isWhole: true, send: "a year of repayment, such as 3" }, "int32")

const dated = (description: string, shape: DateShape, example: string, constraint: Readonly<Record<string, string>>) =>
  Schema.String.annotate({
    description,
    ...(shape.isMonth === true ? {} : { format: "date" }),
    examples: [example],
    message: dateMessage(shape),
    [SHAPE]: shape
  }).check(Schema.makeFilter((text: string) => dateProblems(shape, text)[0], { toJsonSchema: () => constraint }))

/** A calendar day. It stays text inside the service, where days are compared as text. */
export const date = (description: string) => dated(description, { kind: "date", min: FIRST_DAY }, "2019-08-26", {})

/** A calendar month, YYYY-MM, which stays text too. */
export const month = (description: string) =>
  dated(description, { kind: "date", min: FIRST_DAY, isMonth: true }, "2027-05", {
    pattern: "^\\d{4}-(0[1-9]|1[0-2])$"
  })

const FLAG_MESSAGE = "must be true or false: send a JSON boolean"

/** `Schema.Boolean` that says what to send. */
export const flag = (description: string) =>
  Schema.Boolean.annotate({ description, message: FLAG_MESSAGE, [SHAPE]: { kind: "flag", message: FLAG_MESSAGE } })

/** A member that is optional in requests and always present after decoding. */
export const orElse = <S extends Schema.Top>(schema: S, value: S["Encoded"]) =>
  schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed(value)), Schema.annotateKey({ [BY_DEFAULT]: value }))

/**
 * An optional member that came after the first release: null is as left out, and a request without
 * it keeps its inputs hash.
 */
export const addition = <S extends Schema.Top>(schema: S, value: S["Encoded"] | null = null) =>
  orElse(Schema.NullOr(schema).annotate({ default: value }), value).pipe(Schema.annotateKey({ [IS_ADDITION]: true }))

/** Half a cent: a lower amount is as left out. */
const LOWEST_AMOUNT = 0.005

/** Such a member in US dollars, 0 by default. */
export const addedAmount = <S extends Schema.Top & { readonly Encoded: number }>(schema: S) =>
  addition(schema, 0).pipe(Schema.annotateKey({ [LEFT_OUT_BELOW]: LOWEST_AMOUNT }))

/** A text that a function checks: `problemsOf` returns its messages, none if it is acceptable. */
export const checkedText = (
  message: string,
  problemsOf: (text: string) => ReadonlyArray<string>,
  {
    toJsonSchema,
    ...annotations
  }: {
    readonly description?: string
    readonly format?: string
    readonly toJsonSchema: () => { readonly [keyword: string]: number | string }
  }
) =>
  Schema.String.annotate({
    ...annotations,
    message,
    [SHAPE]: { kind: "text", message, problemsOf } satisfies TextShape
  }).check(Schema.makeFilter((text: string) => problemsOf(text)[0], { toJsonSchema }))

/** A required field, with the message of the 400 response if it is missing. */
export const required = <S extends Schema.Top>(schema: S, send: string) =>
  schema.pipe(Schema.annotateKey({ messageMissingKey: `is required: send ${send}` }))

/**
 * Matches a string against a set, trimmed and case-insensitively, and decodes it to its canonical
 * spelling. A common other name is refused with the value to send.
 */
export const canonical = <const L extends ReadonlyArray<string>>(
  values: L,
  options: {
    readonly description: string
    readonly message: string
    readonly example: string
    readonly otherNames: OtherNames
    readonly aliases?: Readonly<Record<string, L[number]>>
    readonly pattern?: string
  }
) => {
  const { aliases, description, example, message, otherNames, pattern } = options
  const shape: NameShape = {
    kind: "name",
    message,
    names: byKey(values, aliases),
    suggest: suggestionFor(values, otherNames)
  }
  return Schema.String.annotate({ description, examples: [example], message, [SHAPE]: shape })
    .check(
      Schema.makeFilter((text: string) => (nameOf(shape, text) === undefined ? nameProblem(shape, text) : undefined), {
        expected: example,
        toJsonSchema: () => (pattern === undefined ? { minLength: 1 } : { pattern })
      })
    )
    .pipe(
      Schema.decodeTo(
        Schema.Literals(values),
        SchemaTransformation.transform({
          decode: (text: string): L[number] => nameOf(shape, text)!,
          encode: (value: L[number]): string => value
        })
      )
    )
}

/** A time in UTC, ISO 8601 with a Z. It stays a string inside the service. */
export const instant = (description: string) => Schema.String.annotate({ description, format: "date-time" })

/** Money in a response, in US dollars and whole cents. */
export const cents = (description: string) =>
  Schema.Finite.annotate({ description: `${description} US dollars and whole cents.`, format: "double" })

/** An integer in a response. */
export const integer = (description: string) => Schema.Int.annotate({ description })

/** A text in a response. */
export const text = (description: string) => Schema.String.annotate({ description })

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text is a UUID, of any case and version. */
export const isUuid = (text: string): boolean => UUID.test(text)

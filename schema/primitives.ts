/**
 * Basic types of requests and responses: dollars, fractions, counts, canonical strings, instants.
 * Messages say what to send, and never repeat a string that was sent. Contains no rule of law.
 */
import { Effect, Schema, SchemaTransformation } from "effect"
import { lookupKey } from "./lookupKey.ts"
import { type OtherNames, suggestionFor } from "./suggestion.ts"

/** Decoding of requests: unknown properties are refused, and all problems are reported at once. */
export const STRICT_PARSE_OPTIONS = { onExcessProperty: "error", errors: "all" } as const

/** Largest amount of money in a request, in US dollars. */
export const MAX_DOLLARS = 100_000_000

interface Range {
  readonly minimum: number
  readonly maximum: number
  readonly description: string
  /** Completes "send ...": the unit, and an example. */
  readonly send: string
  /** Guess at the meaning of a number out of range, such as a percentage. */
  readonly hint?: (value: number) => string | undefined
}

const jsonRange = ({ maximum, minimum }: Range) => ({ minimum, maximum })

const rangeMessage = (range: Range, value: number): string => {
  const hint = range.hint?.(value)
  return `must be ${range.minimum} to ${range.maximum}: send ${range.send}${hint === undefined ? "" : `; ${hint}`}`
}

const ranged = (range: Range, format: string, whole: boolean) => {
  const kind = whole ? "whole number" : "number"
  const message = `must be a ${kind} from ${range.minimum} to ${range.maximum}: send ${range.send}`
  return Schema.Number.annotate({ description: range.description, format, message }).check(
    Schema.isFinite({ message }),
    Schema.makeFilter(
      (value: number) => {
        if (whole && !Number.isInteger(value)) return message
        return value >= range.minimum && value <= range.maximum ? undefined : rangeMessage(range, value)
      },
      {
        toJsonSchema: () => ({ ...jsonRange(range), ...(whole ? { type: "integer" as const } : {}) }),
        expected: range.send
      }
    )
  )
}

/** US dollars, 0 to 100,000,000; cents as decimals. */
export const dollars = (description: string) =>
  ranged(
    {
      minimum: 0,
      maximum: MAX_DOLLARS,
      description: `${description} US dollars.`,
      send: "US dollars, such as 30000 or 1250.5"
    },
    "double",
    false
  )

/** A fraction per year: 0.0654 is 6.54 %. A percentage is refused with its probable fraction. */
export const fraction = (description: string, maximum: number) =>
  ranged(
    {
      minimum: 0,
      maximum,
      description: `${description} A fraction: 0.0654 means 6.54%.`,
      send: "a fraction, such as 0.0654 for 6.54%",
      hint: (value) =>
        value > maximum && value <= 100
          ? `${value} looks like a percentage; send ${Number((value / 100).toPrecision(12))}`
          : undefined
    },
    "double",
    false
  )

/** A percentage: 6.54 means 6.54 %. */
export const percent = (description: string, maximum: number) =>
  ranged(
    {
      minimum: 0,
      maximum,
      description: `${description} Percent: 6.54 means 6.54%.`,
      send: "a percentage, such as 6.54 for 6.54%"
    },
    "double",
    false
  )

/** A count, as a whole number; `unit` is a plural. */
export const count = (description: string, maximum: number, unit: string) =>
  ranged({ minimum: 0, maximum, description, send: `a whole number of ${unit}` }, "int32", true)

/** A position counted from 1; `unit` is a plural. */
export const ordinal = (description: string, maximum: number, unit: string) =>
  ranged({ minimum: 1, maximum, description, send: `a whole number of ${unit}, counted from 1` }, "int32", true)

/** `Schema.Boolean` that says what to send. */
export const flag = (description: string) =>
  Schema.Boolean.annotate({ description, message: "must be true or false: send a JSON boolean" })

/** Optional in requests, always present after decoding. */
export const orElse = <S extends Schema.Top>(schema: S, value: S["Encoded"]) =>
  schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed(value)))

/** The 400 message of an absent required field. */
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
  const byKey = new Map<string, L[number]>(values.map((value) => [lookupKey(value), value]))
  for (const [alias, value] of Object.entries(options.aliases ?? {})) byKey.set(lookupKey(alias), value)
  const suggest = suggestionFor(values, options.otherNames)
  const refusalOf = (text: string): string => {
    const suggestion = suggest(text)
    return suggestion === undefined ? options.message : `${suggestion}; ${options.message}`
  }
  return Schema.String.annotate({
    description: options.description,
    examples: [options.example],
    message: options.message
  })
    .check(
      Schema.makeFilter((text: string) => (byKey.has(lookupKey(text)) ? undefined : refusalOf(text)), {
        expected: options.example,
        toJsonSchema: () => ({
          minLength: 1,
          ...(options.pattern === undefined ? {} : { pattern: options.pattern })
        })
      })
    )
    .pipe(
      Schema.decodeTo(
        Schema.Literals(values),
        SchemaTransformation.transform({
          decode: (text: string): L[number] => byKey.get(lookupKey(text))!,
          encode: (value: L[number]): string => value
        })
      )
    )
}

/** A time in UTC, ISO 8601 with a Z. It stays a string inside the service. */
export const instant = (description: string) => Schema.String.annotate({ description, format: "date-time" })

/** Response money in US dollars with whole cents. */
export const cents = (description: string) =>
  Schema.Finite.annotate({ description: `${description} US dollars and whole cents.`, format: "double" })

/** Response integer. */
export const integer = (description: string) => Schema.Int.annotate({ description })

/** Response text. */
export const text = (description: string) => Schema.String.annotate({ description })

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text is a UUID, of any case and version. */
export const isUuid = (text: string): boolean => UUID.test(text)

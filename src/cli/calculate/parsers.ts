/**
 * Parsers of flag values as people write them. An ambiguous value is refused with both ways to
 * write it, because a plausible wrong number is worse than an error.
 */
import { Result } from "effect"
import { type OtherNames, suggestionFor } from "../../../schema/suggestion.ts"

/** Parses the text of one flag. The failure says what to send. */
export type Parser<A> = (text: string) => Result.Result<A, string>

const PERCENT = 100
const DIGITS = 12

const withoutNoise = (value: number): number => Number(value.toPrecision(DIGITS))

/** Commas group thousands, and cents have 1 or 2 digits. So 30.000 is refused, not read as 30. */
const DOLLARS = /^\$?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?$/

export const parseDollars: Parser<number> = (text) =>
  DOLLARS.test(text.trim())
    ? Result.succeed(Number(text.trim().replace(/[$,]/g, "")))
    : Result.fail("must be US dollars: send 30000, 30,000 or 1250.50")

const PERCENTAGE = /^(\d+\.?\d*|\.\d+)\s*(%?)$/

/** A percentage. Between 0 and 1 the percent sign is required, because a fraction may be meant. */
export const parsePercent =
  (maximum: number): Parser<number> =>
  (text) => {
    const [, digits, sign] = PERCENTAGE.exec(text.trim()) ?? []
    if (digits === undefined) return Result.fail("must be in percent: send 6.54 or 6.54%")
    const value = Number(digits)
    if (value > maximum) return Result.fail(`must be 0 to ${maximum} percent: send 6.54 for 6.54%`)
    if (sign === "" && value > 0 && value < 1)
      return Result.fail(
        `may mean two things: send ${withoutNoise(value * PERCENT)} for ${withoutNoise(value * PERCENT)}%, or ${value}% if it is less than one percent`
      )
    return Result.succeed(withoutNoise(value / PERCENT))
  }

export const parseWhole: Parser<number> = (text) =>
  /^\d{1,9}$/.test(text.trim()) ? Result.succeed(Number(text)) : Result.fail("must be a whole number: send 0, 1 or 12")

export const parseText: Parser<string> = (text) => Result.succeed(text)

export const parseYesOrNo: Parser<boolean> = (text) => {
  const [all, yes] = /^(?:(yes|true)|no|false)$/i.exec(text) ?? []
  return all === undefined ? Result.fail("must be yes or no") : Result.succeed(yes !== undefined)
}

/** The comparison key of a name: its letters and digits, in lower case. */
const keyOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "")

interface NameOptions {
  readonly otherNames: OtherNames
  readonly aliases?: Readonly<Record<string, string>>
  /** The words after "send" if there is no suggestion. */
  readonly send: string
}

/**
 * Parses a value of the API, also with hyphens for spaces, or another name for exactly one value.
 * The API refuses other names; here only ambiguous and misspelled names are refused.
 */
export const parseName = (
  values: ReadonlyArray<string>,
  { aliases = {}, otherNames, send }: NameOptions
): Parser<string> => {
  const unambiguous = Object.entries(otherNames.names).flatMap(([name, [value, ...others]]) =>
    value === undefined || others.length > 0 ? [] : [[name, value] as const]
  )
  const spellings = [...unambiguous, ...Object.entries(aliases), ...values.map((value) => [value, value] as const)]
  const known = new Map(spellings.map(([name, value]) => [keyOf(name), value]))
  const suggest = suggestionFor(values, otherNames)
  return (text) => {
    const value = known.get(keyOf(text))
    if (value !== undefined) return Result.succeed(value)
    return Result.fail(`is not clear: ${suggest(text) ?? `send ${send}`}`)
  }
}

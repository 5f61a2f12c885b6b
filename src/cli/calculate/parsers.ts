/**
 * How people write the facts of a request on a command line, and what is read from that. What could be meant in two ways
 * is refused with both ways to write it: a wrong number that looks right is worse than a question.
 */
import { Result } from "effect"
import { type OtherNames, suggestionFor } from "../../../schema/suggestion.ts"

/** Reads the text of one flag. The failure says what to send. */
export type Reading<A> = (text: string) => Result.Result<A, string>

const PERCENT = 100
const DIGITS = 12

const withoutNoise = (value: number): number => Number(value.toPrecision(DIGITS))

/** Thousands in threes and cents in twos, so that 30.000 is not taken for thirty dollars. */
const DOLLARS = /^\$?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?$/

export const dollarsRead: Reading<number> = (text) =>
  DOLLARS.test(text.trim())
    ? Result.succeed(Number(text.trim().replace(/[$,]/g, "")))
    : Result.fail("must be US dollars: send 30000, 30,000 or 1250.50")

const PERCENTAGE = /^(\d+\.?\d*|\.\d+)\s*(%?)$/

/** A number of percent, with or without the sign. Below one it might be a fraction, so the sign has to say that it is none. */
export const percentRead =
  (maximum: number): Reading<number> =>
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

export const wholeRead: Reading<number> = (text) =>
  /^\d{1,9}$/.test(text.trim()) ? Result.succeed(Number(text)) : Result.fail("must be a whole number: send 0, 1 or 12")

export const textRead: Reading<string> = (text) => Result.succeed(text)

export const yesOrNoRead: Reading<boolean> = (text) => Result.succeed(text === "true")

/** What is the same in the spellings of a name: its letters and digits, whatever their case. */
const keyOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "")

interface Known {
  readonly otherNames: OtherNames
  readonly aliases?: Readonly<Record<string, string>>
  /** Completes "send ...", where it cannot be told which value was meant. */
  readonly send: string
}

/**
 * A value of the wire, with hyphens for its spaces too, or another name of it. The API refuses other names with the value
 * to send; people are understood, except where a name stands for several values or has a slip in it.
 */
export const nameRead = (values: ReadonlyArray<string>, { aliases = {}, otherNames, send }: Known): Reading<string> => {
  const ofOne = Object.entries(otherNames.names).flatMap(([name, [value, ...others]]) =>
    value === undefined || others.length > 0 ? [] : [[name, value] as const]
  )
  const spellings = [...ofOne, ...Object.entries(aliases), ...values.map((value) => [value, value] as const)]
  const known = new Map(spellings.map(([name, value]) => [keyOf(name), value]))
  const suggest = suggestionFor(values, otherNames)
  return (text) => {
    const value = known.get(keyOf(text))
    if (value !== undefined) return Result.succeed(value)
    return Result.fail(`is not clear: ${suggest(text) ?? `send ${send}`}`)
  }
}

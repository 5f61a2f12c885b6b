/**
 * The shapes of requests, as data: the values that are accepted, and the messages for others. Each
 * basic type has its shape in primitives.ts, and src/request/shape.ts combines them from the
 * schemas. generated/shapes.ts contains the same shapes for the library, which loads no schemas.
 */
import { lookupKey } from "./lookupKey.ts"

interface WithMessage {
  /** The message for a value of another type. */
  readonly message: string
}

export interface NumberShape {
  readonly kind: "number"
  readonly min: number
  readonly max: number
  readonly isWhole?: boolean
  /** Set for a fraction: a number above the range and up to 100 is probably a percentage. */
  readonly isFraction?: boolean
  /** Set for a percentage: the lowest number but `min`, because one between is probably a fraction. */
  readonly lowest?: number
  /** The end of the message "send ...": the unit, and an example. */
  readonly send: string
}

export interface FlagShape extends WithMessage {
  readonly kind: "flag"
}

/** A calendar day, YYYY-MM-DD, or a calendar month, YYYY-MM. */
export interface DateShape {
  readonly kind: "date"
  /** The earliest day; of a month, its first. */
  readonly min: string
  readonly isMonth?: boolean
}

export interface TextShape extends WithMessage {
  readonly kind: "text"
  /** In Unicode code points. */
  readonly maxCharacters?: number
  readonly lengthMessage?: string
  /** Returns the messages for a text, none if it is acceptable; replaces the check of length. */
  readonly problemsOf?: (text: string) => ReadonlyArray<string>
}

export interface NameShape extends WithMessage {
  readonly kind: "name"
  /** Canonical spellings, by the look-up keys of the accepted names. */
  readonly names: ReadonlyMap<string, string>
  /** Says what to send instead of an unknown name; undefined if that is not clear. */
  readonly suggest?: (name: string) => string | undefined
}

export type LeafShape = NumberShape | FlagShape | DateShape | TextShape | NameShape

export interface ListShape extends WithMessage {
  readonly kind: "list"
  readonly item: Shape
  readonly min: number
  readonly max: number
  readonly lengthMessage: string
}

export interface ObjectShape extends WithMessage {
  readonly kind: "object"
  readonly members: Readonly<Record<string, Member>>
  /** The messages for names that other requests take here, and this one does not. */
  readonly notTaken?: Readonly<Record<string, string>>
  /** Whether members of other names are kept as they are instead of refused. */
  readonly isOpen?: boolean
}

export type Shape = LeafShape | ListShape | ObjectShape

export interface Member {
  readonly shape: Shape
  readonly isNullable?: boolean
  /** The message for a value that is neither null nor acceptable, if not the shape's own. */
  readonly nullMessage?: string
  /** The message for a missing member; undefined if the member has a default, `otherwise`. */
  readonly required?: string
  readonly byDefault?: null | boolean | number | string | ReadonlyArray<never>
  /** Whether the hashed inputs of a request hold the member only where it is not its default. */
  readonly isAddition?: boolean
  /** Such a number below this is as its default. */
  readonly leftOutBelow?: number
}

/** Canonical names, by the look-up keys of the names and their aliases. */
export const byKey = (
  names: ReadonlyArray<string>,
  others: Readonly<Record<string, string>> = {}
): ReadonlyMap<string, string> =>
  new Map(
    [...names.map((name) => [name, name] as const), ...Object.entries(others)].map(([name, known]) => [
      lookupKey(name),
      known
    ])
  )

/** The message for a value that is not a number, or not a whole one as required. */
export const numberMessage = ({ isWhole, min, max, send }: NumberShape): string =>
  `must be a ${isWhole ? "whole number" : "number"} from ${min} to ${max}: send ${send}`

/** 0.5 may mean half a percent; what is lower is more likely a fraction that is too large. */
const LOWEST_PERCENTAGE = 0.5

/** The messages for a number; none if it is acceptable. */
export const numberProblems = (shape: NumberShape, value: number): ReadonlyArray<string> => {
  const { isFraction, isWhole, min, max, lowest = min, send } = shape
  if (isWhole && !Number.isInteger(value)) return [numberMessage(shape)]
  if (value === min || (value >= lowest && value <= max)) return []
  const looksLikePercentage = isFraction && value > max && value >= LOWEST_PERCENTAGE && value <= 100
  const hint = looksLikePercentage
    ? `; ${value} looks like a percentage; send ${Number((value / 100).toPrecision(12))}`
    : ""
  const range = `must be ${min} to ${max}: send ${send}${hint}`
  return Number.isFinite(value) ? [range] : [numberMessage(shape), range]
}

/** The message for a value that is not a calendar day, or not a calendar month. */
export const dateMessage = ({ isMonth }: DateShape): string =>
  isMonth === true
    ? "must be a month: send year and month, such as 2027-05"
    : "must be a date: send year, month and day, such as 2019-08-26"

const DAY = /^\d{4}-\d\d-\d\d$/

/** Accepts only days that exist: Date would read 30 February as 2 March. */
export const isDay = (text: string): boolean => {
  const read = DAY.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  return read !== undefined && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(text)
}

/** The messages for a date; none if it is acceptable. */
export const dateProblems = (shape: DateShape, text: string): ReadonlyArray<string> => {
  const min = shape.isMonth === true ? shape.min.slice(0, "YYYY-MM".length) : shape.min
  if (!isDay(shape.isMonth === true ? `${text}-01` : text)) return [dateMessage(shape)]
  return text < min ? [`must be ${min} or later: there were no federal student loans before`] : []
}

/** The messages for a text; none if it is acceptable. */
export const textProblems = (
  { maxCharacters = Number.POSITIVE_INFINITY, lengthMessage, problemsOf }: TextShape,
  text: string
): ReadonlyArray<string> => {
  if (problemsOf !== undefined) return problemsOf(text)
  // A character takes one or two code units. So only a text that may be short enough is counted.
  const isTooLong = text.length > 2 * maxCharacters || (text.length > maxCharacters && [...text].length > maxCharacters)
  return isTooLong ? [lengthMessage!] : []
}

/** The canonical spelling of a name; undefined if it is not known. */
export const nameOf = ({ names }: NameShape, text: string): string | undefined =>
  names.get(text) ?? names.get(lookupKey(text))

/** The message for a name that is not known. */
export const nameProblem = ({ message, suggest }: NameShape, text: string): string => {
  const suggestion = suggest?.(text)
  return suggestion === undefined ? message : `${suggestion}; ${message}`
}

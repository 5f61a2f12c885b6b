/**
 * The parser of the file's layout: bytes to lines, lines to keys and values, and these to loans.
 * Other files interpret the values.
 */
import { isAfterLoans, isRead, KEYS, type Key } from "./keys.ts"
import type { OtherFile } from "./result.ts"

/** Far above genuine files, which are smaller than 200 KB. */
export const MAX_BYTES = 4 * 1024 * 1024
export const MAX_LINES = 100_000

const startsWith = (bytes: Uint8Array, ...mark: ReadonlyArray<number>): boolean =>
  mark.every((byte, index) => bytes[index] === byte)

/** Decodes by the byte order mark, else as UTF-8, or as Windows-1252 if that is not valid UTF-8. */
export const textOf = (bytes: Uint8Array): string => {
  if (startsWith(bytes, 0xff, 0xfe)) return new TextDecoder("utf-16le").decode(bytes)
  if (startsWith(bytes, 0xfe, 0xff)) return new TextDecoder("utf-16be").decode(bytes)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

/** The lines of a text, whatever their line ending; null if the text is too large. */
export const linesOf = (text: string): ReadonlyArray<string> | null => {
  if (text.length > MAX_BYTES) return null
  const lines = text.split(/\r\n?|\n/, MAX_LINES + 1)
  return lines.length > MAX_LINES ? null : lines
}

/** Characters examined by `otherFileOf`. Many, as a page may have comments before its first tag. */
const EXAMINED_LENGTH = 1024

/** Recognizes files that people choose by mistake, by their first characters. */
export const otherFileOf = (text: string): OtherFile | null => {
  const beginning = text.slice(0, EXAMINED_LENGTH).trim().toLowerCase()
  if (beginning === "" && text.trim() === "") return "empty"
  if (beginning.startsWith("%pdf-")) return "pdf"
  if (text.startsWith("PK\u0003\u0004")) return "zip"
  return beginning.startsWith("<") && /<!doctype html|<html/.test(beginning) ? "web-page" : null
}

/** A value in an unexpected form counts as missing too, because part of a text is no amount. */
const MISSING: ReadonlySet<string> = new Set(["", "N/A", "NA", "NOT AVAILABLE", "NULL"])

/** Longer than any value of these keys in a genuine file. Longer values count as missing. */
const MAX_VALUE_LENGTH = 200

/** The value, or undefined if it counts as missing. */
const present = (text: string): string | undefined =>
  text.length > MAX_VALUE_LENGTH || MISSING.has(text.toUpperCase()) ? undefined : text

/** The largest amount that a request accepts. */
const MAX_DOLLARS = 100_000_000

/** Accepts commas only between thousands. Elsewhere one may be a decimal comma, or a cut value. */
const AMOUNT = /^(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d+)?$/

const withoutSign = (text: string): { readonly sign: 1 | -1; readonly bare: string } => {
  if (text.startsWith("-")) return { sign: -1, bare: text.slice(1) }
  return text.startsWith("(") && text.endsWith(")") ? { sign: -1, bare: text.slice(1, -1) } : { sign: 1, bare: text }
}

/** Reads "$1,234.56" (no cents before 2020). A minus or parentheses make it negative. */
export const moneyIn = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const { bare, sign } = withoutSign(text.replace(/[$ ]/g, ""))
  if (bare === "" || !AMOUNT.test(bare)) return undefined
  const amount = Number(bare.replaceAll(",", ""))
  if (amount > MAX_DOLLARS) return undefined
  return amount === 0 ? 0 : sign * amount
}

const PERCENTAGE = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/
/** No federal loan's rate was below 1 percent, but for 0, or above 14 percent. */
const LOWEST_PERCENT = 1
const HIGHEST_FRACTION = 0.14

/**
 * Reads "6.80%" or "6.8" as a fraction, and ".068" too, because a rate below 1 without a sign is no
 * percentage. It shifts the point in the text, so 6.8 is exactly 0.068.
 */
export const rateIn = (
  text: string | undefined
): { readonly rate: number | undefined; readonly isFraction: boolean } => {
  const [, digits, sign] = PERCENTAGE.exec((text ?? "").replaceAll(" ", "")) ?? []
  const written = Number(digits)
  const isFraction = sign === "" && written > 0 && written < LOWEST_PERCENT
  const rate = isFraction ? written : Number(`${digits}e-2`)
  return { rate: rate <= (isFraction ? HIGHEST_FRACTION : 1) ? rate : undefined, isFraction }
}

/** Reads a whole number; undefined for anything else. */
export const countIn = (text: string): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined)

/** Undefined for a day that does not exist, because Date would read 30 February as 2 March. */
const dateOf = (year: string, month: string, day: string): string | undefined => {
  const date = `${year}-${month}-${day}`
  const read = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(date) ? date : undefined
}

/** Reads "MM/DD/YYYY" as YYYY-MM-DD, which sorts as text. */
export const dateIn = (text: string | undefined): string | undefined => {
  const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text ?? "") ?? []
  return year === undefined ? undefined : dateOf(year, month!, day!)
}

/** Reads the day of "YYYY-MM-DD HH:MM:SS". */
export const dayIn = (text: string | undefined): string | undefined => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d) \d\d:\d\d:\d\d$/.exec(text ?? "") ?? []
  return year === undefined ? undefined : dateOf(year, month!, day!)
}

export interface Entry {
  /** `after-loans` stands for every key that ends the last loan. */
  readonly key: Key | "after-loans"
  readonly value: string | undefined
}

export interface Block {
  /** Position in the file, from 1. */
  readonly number: number
  readonly entries: ReadonlyArray<Entry>
}

export interface Layout {
  readonly blocks: ReadonlyArray<Block>
  /** Entries of no loan: the head of the file, and everything after the last loan. */
  readonly outside: ReadonlyArray<Entry>
}

const withSingleSpaces = (text: string): string => text.replace(/[ \t\u00a0]+/g, " ").trim()

const withoutBrackets = (line: string): string =>
  line.slice(line.startsWith("[") ? 1 : 0, line.endsWith("]") ? -1 : undefined)

/** Splits a line at its first colon, because values contain colons too: times and URLs. */
const entryOf = (line: string): Entry | undefined => {
  const bare = withoutBrackets(withSingleSpaces(line))
  const colon = bare.indexOf(":")
  if (colon === -1) return undefined
  const key = bare.slice(0, colon).trim().toLowerCase()
  if (isAfterLoans(key)) return { key: "after-loans", value: undefined }
  if (!isRead(key)) return undefined
  // Only the presence of a name matters.
  return { key, value: key === KEYS.firstName ? undefined : present(bare.slice(colon + 1).trim()) }
}

export const entriesOf = (lines: ReadonlyArray<string>): ReadonlyArray<Entry> =>
  lines.flatMap((line) => entryOf(line) ?? [])

const firstPlace = (entries: ReadonlyArray<Entry>, key: Key): number => {
  const index = entries.findIndex((entry) => entry.key === key)
  return index === -1 ? Number.POSITIVE_INFINITY : index
}

/**
 * The key that opens each loan: the award id in some files of 2026, else the type. The type is a
 * code since about 2020.
 */
const anchorOf = (entries: ReadonlyArray<Entry>): Key | undefined => {
  const [id, code, type] = [KEYS.awardId, KEYS.typeCode, KEYS.type].map((key) => firstPlace(entries, key))
  if (id! < Math.min(code!, type!)) return KEYS.awardId
  if (Number.isFinite(code)) return KEYS.typeCode
  return Number.isFinite(type) ? KEYS.type : undefined
}

const TYPE_KEYS: ReadonlyArray<string> = [KEYS.typeCode, KEYS.typeDescription, KEYS.type]
const isOfType = ({ key }: Entry): boolean => TYPE_KEYS.includes(key)

/**
 * Drops all types if the last loan has no type or no principal, because then lines are missing. If
 * an id opens each loan, its type comes last; without the first lines, each loan would get the type
 * of another.
 */
const withReliableTypes = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const last = blocks.at(-1)!.entries
  if (last.some(isOfType) && last.some(({ key }) => key === KEYS.principal)) return blocks
  return blocks.map(({ entries, number }) => ({ number, entries: entries.filter((entry) => !isOfType(entry)) }))
}

/** The loans of a file; undefined if no line opens one. */
export const layoutOf = (entries: ReadonlyArray<Entry>): Layout | undefined => {
  const anchor = anchorOf(entries)
  if (anchor === undefined) return undefined
  const outside: Array<Entry> = []
  const loans: Array<Array<Entry>> = []
  let current = outside
  for (const entry of entries) {
    if (entry.key === anchor) {
      current = []
      loans.push(current)
    } else if (entry.key === "after-loans") current = outside
    current.push(entry)
  }
  const blocks = loans.map((each, index) => ({ number: index + 1, entries: each }))
  return { outside, blocks: withReliableTypes(blocks) }
}

/** The first value of a key that is present. */
export const firstOf = (entries: ReadonlyArray<Entry>, key: Key): string | undefined =>
  entries.find((entry) => entry.key === key && entry.value !== undefined)?.value

/** All values of a repeated key; missing ones are undefined. */
export const allOf = (entries: ReadonlyArray<Entry>, key: Key): ReadonlyArray<string | undefined> =>
  entries.filter((entry) => entry.key === key).map(({ value }) => value)

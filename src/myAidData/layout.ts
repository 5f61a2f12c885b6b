/**
 * How the file is written: its bytes as lines, the values of its keys, and which line opens a loan. What the values mean
 * is not known here.
 */
import { isAfterLoans, isRead, KEYS, type Key } from "./keys.ts"
import type { OtherFile } from "./result.ts"

/** An honest file has less than 200 KB. */
export const MAX_BYTES = 4 * 1024 * 1024
export const MAX_LINES = 100_000

const startsWith = (bytes: Uint8Array, ...mark: ReadonlyArray<number>): boolean =>
  mark.every((byte, index) => bytes[index] === byte)

/** The encoding is told by a mark, else it is UTF-8 if it can be, else that of old Windows programs. */
export const textOf = (bytes: Uint8Array): string => {
  if (startsWith(bytes, 0xff, 0xfe)) return new TextDecoder("utf-16le").decode(bytes)
  if (startsWith(bytes, 0xfe, 0xff)) return new TextDecoder("utf-16be").decode(bytes)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

/** The lines of a text, however they end; null if there are too many. */
export const linesOf = (text: string): ReadonlyArray<string> | null => {
  if (text.length > MAX_BYTES) return null
  const lines = text.split(/\r\n?|\n/, MAX_LINES + 1)
  return lines.length > MAX_LINES ? null : lines
}

/** A page may have comments before its first mark. */
const BEGINNING = 1024

/** Names what people choose by mistake, by how it begins. */
export const otherFileOf = (text: string): OtherFile | null => {
  const beginning = text.slice(0, BEGINNING).trim().toLowerCase()
  if (beginning === "" && text.trim() === "") return "empty"
  if (beginning.startsWith("%pdf-")) return "pdf"
  if (text.startsWith("PK\u0003\u0004")) return "zip"
  return beginning.startsWith("<") && /<!doctype html|<html/.test(beginning) ? "web-page" : null
}

/** A value that is not written as expected counts as missing too. No amount is made of a part of a text. */
const MISSING: ReadonlySet<string> = new Set(["", "N/A", "NA", "NOT AVAILABLE", "NULL"])

/** No value that is read is longer in any file, and none that is longer is looked into. */
const LONGEST = 200

/** A value, if there is one. */
const present = (text: string): string | undefined =>
  text.length > LONGEST || MISSING.has(text.toUpperCase()) ? undefined : text

/** The most that a request may hold. */
const MAX_DOLLARS = 100_000_000

/** Commas stand between thousands alone: with any other they may be decimal points of another country, or a cut value. */
const AMOUNT = /^(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d+)?$/

const withoutSign = (text: string): { readonly sign: 1 | -1; readonly bare: string } => {
  if (text.startsWith("-")) return { sign: -1, bare: text.slice(1) }
  return text.startsWith("(") && text.endsWith(")") ? { sign: -1, bare: text.slice(1, -1) } : { sign: 1, bare: text }
}

/** "$1,234.56", without cents before 2020; a minus or round brackets make it negative. */
export const moneyIn = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const { bare, sign } = withoutSign(text.replace(/[$ ]/g, ""))
  if (bare === "" || !AMOUNT.test(bare)) return undefined
  const amount = Number(bare.replaceAll(",", ""))
  if (amount > MAX_DOLLARS) return undefined
  return amount === 0 ? 0 : sign * amount
}

const PERCENTAGE = /^(\d+(?:\.\d+)?|\.\d+)%?$/

/** "6.80%", or "6.8", as a fraction: the decimal point is moved in the text, so that 6.8 percent are 0.068 exactly. */
export const fractionIn = (text: string | undefined): number | undefined => {
  const [, digits] = PERCENTAGE.exec((text ?? "").replaceAll(" ", "")) ?? []
  const fraction = Number(`${digits}e-2`)
  return fraction <= 1 ? fraction : undefined
}

/** A whole number; undefined if it is none. */
export const countIn = (text: string): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined)

const dateOf = (year: string, month: string, day: string): string | undefined =>
  Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31
    ? `${year}-${month}-${day}`
    : undefined

/** "MM/DD/YYYY" as YYYY-MM-DD, which sorts. */
export const dateIn = (text: string | undefined): string | undefined => {
  const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text ?? "") ?? []
  return year === undefined ? undefined : dateOf(year, month!, day!)
}

/** The day of "YYYY-MM-DD HH:MM:SS". */
export const dayIn = (text: string | undefined): string | undefined => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d) \d\d:\d\d:\d\d$/.exec(text ?? "") ?? []
  return year === undefined ? undefined : dateOf(year, month!, day!)
}

export interface Entry {
  /** `after-loans` stands for every key that closes the last loan. */
  readonly key: Key | "after-loans"
  readonly value: string | undefined
}

export interface Block {
  /** From 1. */
  readonly number: number
  readonly entries: ReadonlyArray<Entry>
}

export interface Layout {
  readonly blocks: ReadonlyArray<Block>
  /** The head of the file, and what stands in no loan. */
  readonly outside: ReadonlyArray<Entry>
}

const squeezed = (text: string): string => text.replace(/[ \t\u00a0]+/g, " ").trim()

const withoutBrackets = (line: string): string =>
  line.slice(line.startsWith("[") ? 1 : 0, line.endsWith("]") ? -1 : undefined)

/** The first colon divides a line, for values have colons too: times of day, web addresses. */
const entryOf = (line: string): Entry | undefined => {
  const bare = withoutBrackets(squeezed(line))
  const colon = bare.indexOf(":")
  if (colon === -1) return undefined
  const key = bare.slice(0, colon).trim().toLowerCase()
  if (isAfterLoans(key)) return { key: "after-loans", value: undefined }
  if (!isRead(key)) return undefined
  // That there is a name is all that is wanted of it.
  return { key, value: key === KEYS.firstName ? undefined : present(bare.slice(colon + 1).trim()) }
}

export const entriesOf = (lines: ReadonlyArray<string>): ReadonlyArray<Entry> =>
  lines.flatMap((line) => entryOf(line) ?? [])

const firstPlace = (entries: ReadonlyArray<Entry>, key: Key): number => {
  const index = entries.findIndex((entry) => entry.key === key)
  return index === -1 ? Number.POSITIVE_INFINITY : index
}

/** The key that opens a loan: in some files of 2026 its id, else its type, which was a code from about 2020 on. */
const anchorOf = (entries: ReadonlyArray<Entry>): Key | undefined => {
  const [id, code, type] = [KEYS.awardId, KEYS.typeCode, KEYS.type].map((key) => firstPlace(entries, key))
  if (id! < Math.min(code!, type!)) return KEYS.awardId
  if (Number.isFinite(code)) return KEYS.typeCode
  return Number.isFinite(type) ? KEYS.type : undefined
}

const TYPE_KEYS: ReadonlyArray<string> = [KEYS.typeCode, KEYS.typeDescription, KEYS.type]
const isOfType = ({ key }: Entry): boolean => TYPE_KEYS.includes(key)

/**
 * A last loan without a type, or with nothing else, means that lines are missing. If those are the first ones, every loan
 * has got the type of another: where ids open the loans, types stand at their ends. So no type is believed then.
 */
const withCertainTypes = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
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
  return { outside, blocks: withCertainTypes(blocks) }
}

/** The first value of a key that is not missing. */
export const firstOf = (entries: ReadonlyArray<Entry>, key: Key): string | undefined =>
  entries.find((entry) => entry.key === key && entry.value !== undefined)?.value

/** All values of a key that is a list, those that are missing as undefined. */
export const allOf = (entries: ReadonlyArray<Entry>, key: Key): ReadonlyArray<string | undefined> =>
  entries.filter((entry) => entry.key === key).map(({ value }) => value)

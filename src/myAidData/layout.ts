/**
 * From lines to loans: which line opens a loan, where it ends, and the first value of a key within it. What the values
 * mean is not known here.
 */
import { isAfterLoans, isRead, KEYS, type Key } from "./keys.ts"
import { present } from "./values.ts"

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

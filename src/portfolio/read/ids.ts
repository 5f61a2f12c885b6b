/** Ids of borrowers, as lines and rows have them. No two that are written otherwise are ever taken for the same. */
import { hash } from "node:crypto"
import { Predicate } from "effect"

export const MOST_ID_CHARACTERS = 128

/**
 * Control characters, line breaks, invisible characters, halves of characters, and the character
 * that stands for bytes that are no text.
 */
const UNPLAIN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\uFFFD]/gu

export const NOT_PLAIN =
  "must be text without white space at its ends, and without control characters, invisible or broken ones, and accents must be composed (Unicode NFC)"

/** The id that one which is not plain looks like: rows of that id may be of the same borrower. */
export const seemingId = (cell: string): string => cell.replace(UNPLAIN, "").normalize("NFC").trim()

/** Whether an id is what it looks like. One that looks like another is refused. */
export const isPlainId = (id: string): boolean => seemingId(id) === id

/** What seems to be the id of a borrower, or of a row: one, or none. */
export const idsOf = (value: unknown): ReadonlyArray<string> => {
  if (!Predicate.hasProperty(value, "borrowerId")) return []
  const { borrowerId } = value
  return typeof borrowerId === "string" || typeof borrowerId === "number" ? [String(borrowerId)] : []
}

/** What a text of JSON is made of, but for its words and for what stands between. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|-?\d[\d.eE+-]*/g

const isNameOfId = (token: string): boolean => token.startsWith('"') && JSON.parse(token) === "borrowerId"

/** The number under `borrowerId` as it was written, of the outermost object alone: an object within it may have another. */
const numberAsWritten = (line: string): string | undefined => {
  let depth = 0
  let isNamed = false
  for (const [token] of line.matchAll(TOKEN)) {
    if ("{[".includes(token)) depth++
    else if ("]}".includes(token)) depth--
    else if (depth === 1) {
      if (isNamed && !token.startsWith('"')) return token
      isNamed = isNameOfId(token)
    }
  }
  return undefined
}

/** A number that JSON has read, which may be another one than was written. */
export class InexactId {
  readonly message =
    "is a number that may be read as another one: send it as text, in quotes; a number is a whole one without decimals or exponent, below 2^53"
  /** Whose the line may be: the number as it was read, and as it was written. */
  readonly ids: ReadonlyArray<string>

  constructor(ids: ReadonlyArray<string>) {
    this.ids = ids
  }
}

/** The line of JSON as it was read; a number names a borrower as well as text does, where it has its digits alone. */
export const named = (line: string, value: unknown): unknown => {
  if (!Predicate.hasProperty(value, "borrowerId") || typeof value.borrowerId !== "number") return value
  const id = String(value.borrowerId)
  const written = numberAsWritten(line) ?? id
  if (!Number.isSafeInteger(value.borrowerId) || written !== id) return new InexactId([id, written])
  return { ...value, borrowerId: id }
}

/** Of hexadecimal: 64 bits. */
const KEY_DIGITS = 16

/** The first bits of a hash: ids that differ have the same key once in some hundred million portfolios of a million. */
export const keyOf = (id: string): bigint => BigInt(`0x${hash("sha1", id).slice(0, KEY_DIGITS)}`)

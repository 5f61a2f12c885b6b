/**
 * The reader of borrower ids. It checks ids, reads numeric ones, and makes the hashes (keys) by
 * which duplicate ids are found.
 */
import { hash } from "node:crypto"
import { Predicate } from "effect"

export const MAX_ID_CHARACTERS = 128

/**
 * Control characters, line breaks, invisible characters (the blank of Braille too), lone surrogates,
 * and the replacement character of invalid UTF-8.
 */
const UNPLAIN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\uFFFD]/gu

export const NOT_PLAIN =
  "must be text without white space at its ends, and without control characters, invisible or broken ones, and in Unicode NFKC: accents composed, and no other form of a letter, digit or sign, such as a fullwidth one"

/** The plain id that an id resembles. Rows with either id may belong to one borrower. */
export const seemingId = (cell: string): string => cell.replace(UNPLAIN, "").normalize("NFKC").trim()

/** Whether an id is the plain one. */
export const isPlainId = (id: string): boolean => seemingId(id) === id

export const idsOf = (value: unknown): ReadonlyArray<string> => {
  if (!Predicate.hasProperty(value, "borrowerId")) return []
  const { borrowerId } = value
  return typeof borrowerId === "string" || typeof borrowerId === "number" ? [String(borrowerId)] : []
}

/** The strings, brackets and numbers of a JSON text. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|-?\d[\d.eE+-]*/g

const isNameOfId = (token: string): boolean => token.startsWith('"') && JSON.parse(token) === "borrowerId"

/**
 * The number under `borrowerId` as written, in the outermost object only: nested objects may have
 * one too.
 */
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

/** A numeric id that JSON.parse may have changed. */
export class InexactId {
  readonly message =
    "is a number that could be misread: send it as text, in quotes, or as a whole number below 2^53 without decimals or exponent"
  /** The possible ids of the line: the number as parsed and as written. */
  readonly ids: ReadonlyArray<string>

  constructor(ids: ReadonlyArray<string>) {
    this.ids = ids
  }
}

/** The parsed line with its id as text. A number is accepted if it is written as plain digits. */
export const withTextId = (line: string, value: unknown): unknown => {
  if (!Predicate.hasProperty(value, "borrowerId") || typeof value.borrowerId !== "number") return value
  const id = String(value.borrowerId)
  const written = numberAsWritten(line) ?? id
  if (!Number.isSafeInteger(value.borrowerId) || written !== id) return new InexactId([id, written])
  return { ...value, borrowerId: id }
}

/** Hexadecimal digits of 64 bits. */
const KEY_DIGITS = 16

/**
 * The first 64 bits of a hash. Among a million ids, the chance of any collision is about 1 in 40
 * million.
 */
export const keyOf = (id: string): bigint => BigInt(`0x${hash("sha1", id).slice(0, KEY_DIGITS)}`)

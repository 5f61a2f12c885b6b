/** Ids of borrowers, as lines and rows have them. No two that are written otherwise are ever taken for the same. */
import { hash } from "node:crypto"
import { Predicate } from "effect"

export const MOST_ID_CHARACTERS = 128

/** Control characters and line breaks, halves of characters, and what stands for bytes that are no text. */
const UNPLAIN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\uFFFD]/gu

export const NOT_PLAIN = "must be text without white space at its ends, and without control characters or broken ones"

/** Whether an id is what it looks like: one that looks like another is refused, and never taken for it. */
export const isPlainId = (id: string): boolean => id.trim() === id && id.search(UNPLAIN) === -1

/** The id that one which is not plain looks like: rows of that id may be of the same borrower. */
export const seemingId = (cell: string): string => cell.replace(UNPLAIN, "").trim()

/** What seems to be the id of a borrower, or of a row. */
export const idOf = (value: unknown): string | undefined => {
  if (!Predicate.hasProperty(value, "borrowerId")) return undefined
  const { borrowerId } = value
  return typeof borrowerId === "string" || typeof borrowerId === "number" ? String(borrowerId) : undefined
}

const NUMBER_AS_WRITTEN = /"borrowerId"\s*:\s*(-?\d[\d.eE+-]*)/g

/** A number that JSON has read, which may be another one than was written. */
export class InexactId {
  readonly message =
    "is a number that may be read as another one: send it as text, in quotes; a number is a whole one without decimals or exponent, below 2^53"
  /** The number as it was written, where it was found. */
  readonly written: string | undefined

  constructor(written: string | undefined) {
    this.written = written
  }
}

/** The line of JSON as it was read; a number names a borrower as well as text does, where it has its digits alone. */
export const named = (line: string, value: unknown): unknown => {
  if (!Predicate.hasProperty(value, "borrowerId") || typeof value.borrowerId !== "number") return value
  const id = String(value.borrowerId)
  const written = [...line.matchAll(NUMBER_AS_WRITTEN)].map(([, number]) => number)
  const isExact = Number.isSafeInteger(value.borrowerId) && written.length > 0
  if (!isExact || written.some((number) => number !== id)) return new InexactId(written[0])
  return { ...value, borrowerId: id }
}

/** The first 64 bits of a hash: ids that differ have the same key once in some hundred million portfolios of a million. */
export const keyOf = (id: string): bigint => hash("sha1", id, "buffer").readBigUInt64LE(0)

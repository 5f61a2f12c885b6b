/** Ids of borrowers, as lines and rows have them. No two that are written otherwise are ever taken for the same. */
import { hash } from "node:crypto"
import { Predicate } from "effect"

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

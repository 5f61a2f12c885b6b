/**
 * How much a request may hold: loans, arms, the bytes of its body, the values of its JSON. Imports
 * nothing, so that a program that only reads requests needs no more. A text that names a bound
 * takes its number from here.
 */

export const MOST_LOANS = 100
/** What a request has to hold. */
export const LOANS_TO_SEND = `an array of 1 to ${MOST_LOANS} loans`

export const LEAST_ARMS = 2
export const MOST_ARMS = 10
/** The arms of a comparison, in words. */
export const ARMS_RANGE = `${LEAST_ARMS} to ${MOST_ARMS}`

/** In code points. */
export const MOST_LABEL_CHARACTERS = 80

const KIBIBYTE = 1024

/** Where an endpoint sets no other. */
export const SMALL_BODY_BYTES = 16 * KIBIBYTE
/** Enough for a hundred loans in each of ten arms. */
export const LOAN_BOOK_BODY_BYTES = 1024 * KIBIBYTE
/** Twice a hundred loans that are indented and say everything, of strangers. */
export const EXPLAINED_BODY_BYTES = 128 * KIBIBYTE
/** Twice the longest answers, so that they may be indented. */
export const ANSWER_BODY_BYTES = 512 * KIBIBYTE
/** Stripe sends indented events with every line of an invoice. */
export const STRIPE_EVENT_BODY_BYTES = 256 * KIBIBYTE

/** What the JSON of a body may hold, besides being JSON. */
export interface JsonBounds {
  readonly depth: number
  /** Values of all kinds, at every depth. */
  readonly values: number
  readonly objects: number
  /** Different names of members, of all objects together. */
  readonly names: number
  /** Digits, sign, point and exponent of one number. */
  readonly numberCharacters: number
  /** Backslashes that escape, in names and texts. */
  readonly escapes: number
}
const ANY = Number.POSITIVE_INFINITY
/** The largest valid comparison holds about 8,200 values. */
export const REQUEST_BOUNDS: JsonBounds = {
  depth: 16,
  values: 16_384,
  objects: ANY,
  names: 1024,
  numberCharacters: ANY,
  escapes: ANY
}
/**
 * A program that writes ASCII alone needs two escapes for a character beyond the basic plane. An
 * answer has the label of each arm, and that of the arm with the lowest cost.
 */
const ESCAPES_OF_LABELS = 2 * MOST_LABEL_CHARACTERS * (MOST_ARMS + 1)

const nextPowerOfTwo = (count: number): number => 2 ** Math.ceil(Math.log2(count))

/**
 * The largest answers hold about 7,700 values in 1,000 objects, 6 deep, under 39 names, and no
 * number of more than 15 characters.
 */
export const ANSWER_BOUNDS: JsonBounds = {
  depth: 8,
  values: 10_240,
  objects: 1200,
  names: 128,
  numberCharacters: 16,
  escapes: nextPowerOfTwo(ESCAPES_OF_LABELS)
}

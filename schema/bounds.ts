/** How large the bodies of requests may be, and what their JSON may hold. Imports nothing, so that whoever reads a request alone needs no more. */

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
/** The largest answers hold about 7,700 values in 1,000 objects, 6 deep, under 39 names, no number of more than 15 characters, and what labels need of escapes. */
export const ANSWER_BOUNDS: JsonBounds = {
  depth: 8,
  values: 10_240,
  objects: 1200,
  names: 128,
  numberCharacters: 16,
  escapes: 2048
}

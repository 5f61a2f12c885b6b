/**
 * Bounds on requests: loans, arms (the scenarios of a comparison), dollars, days, keys, body bytes
 * and JSON values.
 * Messages take their numbers from here. It imports nothing, so that programs that need only the
 * bounds, such as the page, load no schemas.
 */

/** Largest amount of money in a request, in US dollars. */
export const MAX_DOLLARS = 100_000_000
/** The first day of the federal student loan programs: Pub. L. 85-864, 2 September 1958. */
export const FIRST_DAY = "1958-09-02"

export const MAX_LOANS = 100
/** The loans of a search for the best path, which projects some two thousand paths. */
export const MAX_LOANS_OF_PATHS = 10
/** The loans to send, in words. */
export const LOANS_TO_SEND = `an array of 1 to ${MAX_LOANS} loans`

export const MIN_ARMS = 2
export const MAX_ARMS = 10
/** The arms of a comparison, in words. */
export const ARMS_RANGE = `${MIN_ARMS} to ${MAX_ARMS}`

/** The changes of a scenario in later years. */
export const MAX_CHANGES = 20
/** The pauses of a scenario. */
export const MAX_PAUSES = 10
/** The changes of plan of a scenario. */
export const MAX_PLAN_CHANGES = 5
/** The lump sums of a scenario. */
export const MAX_LUMP_SUMS = 20

/** In Unicode code points. */
export const MAX_LABEL_CHARACTERS = 80

const MAX_KEY_CHARACTERS = 255
const VISIBLE = /^[!-~]+$/
/** An Idempotency-Key: visible ASCII characters, taken as they stand. */
export const IDEMPOTENCY_KEY = { minLength: 1, maxLength: MAX_KEY_CHARACTERS, pattern: VISIBLE.source }
/** The Idempotency-Key to send, in words. */
export const IDEMPOTENCY_KEY_TO_SEND = `1 to ${MAX_KEY_CHARACTERS} visible ASCII characters and no space, such as a UUID`

export const isIdempotencyKey = (text: string): boolean => text.length <= MAX_KEY_CHARACTERS && VISIBLE.test(text)

const KIBIBYTE = 1024

/** Default body limit of an endpoint. */
export const SMALL_BODY_BYTES = 16 * KIBIBYTE
/** Enough for a hundred loans in each of ten arms. */
export const LOAN_BOOK_BODY_BYTES = 1024 * KIBIBYTE
/** A hundred loans with every field, compact. Small, as callers are anonymous. */
export const PLANS_BODY_BYTES = 64 * KIBIBYTE
/** Twice the size of a hundred indented loans with every field. Small, as callers are anonymous. */
export const EXPLAINED_BODY_BYTES = 128 * KIBIBYTE
/** Twice the size of the longest answer, so that it may be sent indented. */
export const ANSWER_BODY_BYTES = 512 * KIBIBYTE
/** Stripe sends indented events with every line of an invoice. */
export const STRIPE_EVENT_BODY_BYTES = 256 * KIBIBYTE

/** Bounds on the structure of a body's JSON. */
export interface JsonBounds {
  readonly depth: number
  /** Values of all kinds, at every depth. */
  readonly values: number
  readonly objects: number
  /** Distinct member names, over all objects. */
  readonly names: number
  /** Characters of one number: digits, sign, point and exponent. */
  readonly numberCharacters: number
  /** Backslash escapes in names and texts. */
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
 * The escapes in an answer's labels, if a program writes them as ASCII: two for a character beyond
 * the Basic Multilingual Plane. An answer contains each arm's label, and the cheapest arm's again.
 */
const ESCAPES_OF_LABELS = 2 * MAX_LABEL_CHARACTERS * (MAX_ARMS + 1)

const nextPowerOfTwo = (count: number): number => 2 ** Math.ceil(Math.log2(count))

/**
 * The largest answers hold about 7,700 values in 1,000 objects, 6 deep, under 39 names, with
 * numbers of at most 15 characters.
 */
export const ANSWER_BOUNDS: JsonBounds = {
  depth: 8,
  values: 10_240,
  objects: 1200,
  names: 128,
  numberCharacters: 16,
  escapes: nextPowerOfTwo(ESCAPES_OF_LABELS)
}

/**
 * The middleware of the contract: the problems that each can answer with, the caller, and the limits that an endpoint
 * sets. How they work is defined by the server.
 */
import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import {
  HeadersTooLargeProblem,
  InternalProblem,
  LedgerUnavailableProblem,
  OverloadedProblem,
  PayloadTooLargeProblem,
  QuotaExceededProblem,
  RateLimitedProblem,
  RequestTimeoutProblem,
  UnauthorizedProblem,
  UnsupportedMediaTypeProblem,
  ValidationProblem
} from "./problems.ts"

const KIBIBYTE = 1024

/** Largest request body in bytes, per endpoint. */
export const BodyLimit = Context.Reference<number>("repayment-of-record/BodyLimit", {
  defaultValue: () => 16 * KIBIBYTE
})
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
/** Bounds of the JSON of an endpoint's body. */
export const JsonBoundsOf = Context.Reference<JsonBounds>("repayment-of-record/JsonBounds", {
  defaultValue: () => REQUEST_BOUNDS
})

/** Whether the bodies of an anonymous endpoint, being large, wait on a line for each address, so that nobody's hold up another's. */
export const IsQueuedByAddress = Context.Reference<boolean>("repayment-of-record/IsQueuedByAddress", {
  defaultValue: () => false
})

/** Buckets of the rate limits per client address, for anonymous endpoints. */
export const ADDRESS_BUCKETS = ["verify", "claim", "mint", "keyless", "reference"] as const
export type AddressBucket = (typeof ADDRESS_BUCKETS)[number]
export const AddressBucketOf = Context.Reference<AddressBucket>("repayment-of-record/AddressBucket", {
  defaultValue: () => "keyless"
})

/** The authenticated caller, provided by `Authentication`. */
export class CurrentCaller extends Context.Service<
  CurrentCaller,
  {
    readonly keyId: string
    readonly tenant: string
    readonly keyPrefix: string
    readonly tier: "Sandbox" | "Production"
    readonly plan: string
    readonly usage: {
      readonly limit: number
      readonly used: number
      readonly periodStart: Date
      readonly periodResetsAt: Date
    }
  }
>()("repayment-of-record/CurrentCaller") {}

/**
 * Renders every failure as a problem document. Outermost on every endpoint. Its problems are those that any request can
 * meet, those of the listener included.
 */
export class Answering extends HttpApiMiddleware.Service<Answering>()("repayment-of-record/Answering", {
  error: [RequestTimeoutProblem, HeadersTooLargeProblem, InternalProblem]
}) {}

/** A valid key, within its rate limit and its monthly quota. */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentCaller }>()(
  "repayment-of-record/Authentication",
  {
    error: [UnauthorizedProblem, RateLimitedProblem, QuotaExceededProblem, LedgerUnavailableProblem],
    requiredForClient: true
  }
) {}

/** The rate limit of the client's address, for anonymous endpoints. */
export class AddressLimit extends HttpApiMiddleware.Service<AddressLimit>()("repayment-of-record/AddressLimit", {
  error: RateLimitedProblem
}) {}

/** Reads the body once and, when it is the turn of its client, checks its text before it is decoded. */
export class JsonBody extends HttpApiMiddleware.Service<JsonBody>()("repayment-of-record/JsonBody", {
  error: [ValidationProblem, PayloadTooLargeProblem, UnsupportedMediaTypeProblem, RateLimitedProblem, OverloadedProblem]
}) {}

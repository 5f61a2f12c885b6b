/**
 * Middleware of the contract: the problems that each can answer with, the caller, and the limits
 * that an endpoint sets. The server implements it.
 */
import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { type JsonBounds, REQUEST_BOUNDS, SMALL_BODY_BYTES } from "./bounds.ts"
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

/** Largest request body in bytes, per endpoint. */
export const BodyLimit = Context.Reference<number>("repayment-of-record/BodyLimit", {
  defaultValue: () => SMALL_BODY_BYTES
})
/** Bounds on the JSON of a request body, per endpoint. */
export const JsonBoundsOf = Context.Reference<JsonBounds>("repayment-of-record/JsonBounds", {
  defaultValue: () => REQUEST_BOUNDS
})

/**
 * Whether anonymous large bodies queue per client address, so that clients don't block each other.
 */
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
 * Renders every failure as a problem document, outermost on every endpoint. Its problems are those
 * that any request can meet, including those of the listener.
 */
export class Answering extends HttpApiMiddleware.Service<Answering>()("repayment-of-record/Answering", {
  error: [RequestTimeoutProblem, HeadersTooLargeProblem, InternalProblem]
}) {}

/** A valid key, within its rate limit and its monthly quota. */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentCaller }>()(
  "repayment-of-record/Authentication",
  {
    error: [UnauthorizedProblem, RateLimitedProblem, QuotaExceededProblem, LedgerUnavailableProblem]
  }
) {}

/** The rate limit of the client's address, for anonymous endpoints. */
export class AddressLimit extends HttpApiMiddleware.Service<AddressLimit>()("repayment-of-record/AddressLimit", {
  error: RateLimitedProblem
}) {}

/** The body of a request as it was sent, provided by `JsonBody`. */
export class SentBody extends Context.Service<
  SentBody,
  {
    /** JSON within the bounds of the endpoint, not yet decoded. */
    readonly text: string
    /** The fair-queue client that the body waited as: its key id, its route, or its route and address. */
    readonly line: string
  }
>()("repayment-of-record/SentBody") {}

/** Reads the body once and checks its text before it is decoded, when it is its client's turn. */
export class JsonBody extends HttpApiMiddleware.Service<JsonBody, { provides: SentBody }>()(
  "repayment-of-record/JsonBody",
  {
    error: [
      ValidationProblem,
      PayloadTooLargeProblem,
      UnsupportedMediaTypeProblem,
      RateLimitedProblem,
      OverloadedProblem
    ]
  }
) {}

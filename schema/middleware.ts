/**
 * Middleware of the HTTP contract (api.ts): the problems that each can return, the authenticated
 * caller, and the limits per endpoint. src/http implements it.
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

/** The largest request body of an endpoint, in bytes. */
export const BodyLimit = Context.Reference<number>("repayment-of-record/BodyLimit", {
  defaultValue: () => SMALL_BODY_BYTES
})
/** The bounds on the JSON of an endpoint's request body. */
export const JsonBoundsOf = Context.Reference<JsonBounds>("repayment-of-record/JsonBounds", {
  defaultValue: () => REQUEST_BOUNDS
})

/**
 * Whether the anonymous bodies of an endpoint have one queue per client address instead of one in
 * all. Set for large bodies, so that clients don't block each other.
 */
export const IsQueuedByAddress = Context.Reference<boolean>("repayment-of-record/IsQueuedByAddress", {
  defaultValue: () => false
})

/** The rate limits per client address. Each anonymous endpoint counts against one of them. */
export const ADDRESS_BUCKETS = ["verify", "log", "claim", "mint", "keyless", "reference"] as const
export type AddressBucket = (typeof ADDRESS_BUCKETS)[number]
export const AddressBucketOf = Context.Reference<AddressBucket>("repayment-of-record/AddressBucket", {
  defaultValue: () => "keyless"
})

/** Whether an endpoint accepts an Idempotency-Key, so that a request can safely be sent again. */
export const TakesIdempotencyKey = Context.Reference<boolean>("repayment-of-record/TakesIdempotencyKey", {
  defaultValue: () => false
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
 * The outermost middleware of every endpoint, which renders every failure as a problem document.
 * Any request can get its problems; the HTTP server returns some of them before an endpoint runs.
 */
export class Answering extends HttpApiMiddleware.Service<Answering>()("repayment-of-record/Answering", {
  error: [RequestTimeoutProblem, HeadersTooLargeProblem, InternalProblem]
}) {}

/** Requires a valid API key, within its rate limit and its monthly quota. */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentCaller }>()(
  "repayment-of-record/Authentication",
  {
    error: [UnauthorizedProblem, RateLimitedProblem, QuotaExceededProblem, LedgerUnavailableProblem]
  }
) {}

/** Applies the rate limit of the client's address, for anonymous endpoints. */
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

/**
 * Reads the body once, waits for the client's turn in a fair queue, and checks the JSON text. The
 * endpoint's handler decodes it.
 */
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

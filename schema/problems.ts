/**
 * All problems (RFC 9457) that the service can return: slug, status, title and additional fields. A
 * problem is an Effect error. The HTTP layer completes its `type` and `instance` and adds its
 * headers.
 * HttpApiError.Problem is not used: it fixes `type` at declaration, but here `type` begins with
 * PUBLIC_URL, which is known only at startup.
 */
import { type Cause, Effect, ErrorReporter, Schema } from "effect"

export const PROBLEM_MEDIA_TYPE = "application/problem+json"

interface Declaration<Slug extends string, Status extends number> {
  readonly slug: Slug
  readonly status: Status
  /** The same for every occurrence of the problem. */
  readonly title: string
  /** Default `detail`, for occurrences without a more specific one. */
  readonly detail: string
}

const members = <const Status extends number>(problem: Declaration<string, Status>) => ({
  type: Schema.String.annotate({
    description: "Address of a page that explains the problem, with an example.",
    format: "uri"
  })
    .check(
      Schema.isPattern(new RegExp(`/problems/${problem.slug}$`), {
        toJsonSchema: () => ({ pattern: `/problems/${problem.slug}$` })
      })
    )
    .pipe(Schema.withConstructorDefault(Effect.succeed(`/problems/${problem.slug}`))),
  title: Schema.String.annotate({ description: "What kind of problem this is.", examples: [problem.title] }).pipe(
    Schema.withConstructorDefault(Effect.succeed(problem.title))
  ),
  status: Schema.Literal(problem.status)
    .annotate({ description: "The HTTP status." })
    .pipe(Schema.withConstructorDefault(Effect.succeed(problem.status))),
  detail: Schema.String.annotate({ description: "What is wrong with this request, and what to do." }).pipe(
    Schema.withConstructorDefault(Effect.succeed(problem.detail))
  ),
  instance: Schema.String.annotate({
    description: "urn:uuid: and the request id, which is also in X-Request-Id.",
    format: "uri"
  }).pipe(Schema.withConstructorDefault(Effect.succeed("")))
})

type Members<Status extends number> = ReturnType<typeof members<Status>>

interface ProblemClass<
  Self,
  Tag extends string,
  Slug extends string,
  Status extends number,
  Fields extends Schema.Struct.Fields
> extends Schema.Class<Self, Schema.Struct<Members<Status> & Fields>, Cause.YieldableError & { readonly _tag: Tag }> {
  readonly declaration: Declaration<Slug, Status>
}

const ProblemTypeId: unique symbol = Symbol.for("repayment-of-record/Problem")

type Annotations = { readonly [key: string]: unknown }

/**
 * Makes the class of one problem. Handlers raise it, OpenAPI documents it, and clients recognize it
 * by its `type`.
 */
const problem =
  <Self>() =>
  <
    const Tag extends string,
    const Slug extends string,
    const Status extends number,
    const Fields extends Schema.Struct.Fields = Record<never, never>
  >(
    tag: Tag,
    declaration: Declaration<Slug, Status>,
    fields?: Fields
  ): ProblemClass<Self, Tag, Slug, Status, Fields> => {
    const struct = Schema.Struct({ ...members(declaration), ...fields }).annotate({
      identifier: tag,
      description: declaration.title
    })
    const annotations: Annotations = {
      description: declaration.title,
      httpApiStatus: declaration.status,
      "~httpApiEncoding": { _tag: "Json", contentType: PROBLEM_MEDIA_TYPE }
    }
    const Base = Schema.Error<{ readonly [ProblemTypeId]: true }>(`${tag}Error`)(struct, annotations)
    Object.assign(Base, { declaration })
    Object.assign(Base.prototype, {
      _tag: tag,
      [ProblemTypeId]: true,
      [ErrorReporter.ignore]: declaration.status < 500
    })
    return Base as unknown as ProblemClass<Self, Tag, Slug, Status, Fields>
  }

/** `errors` of problems that name fields: messages by path, such as `loans[0].interestRate`. */
const errors = Schema.Record(Schema.String, Schema.Array(Schema.String)).annotate({
  description:
    "The messages for each refused field, by its path, such as loans[0].interestRate. The path body means the whole body."
})
const retryAfterSeconds = (defaultSeconds: number) =>
  Schema.Int.annotate({ description: "Seconds to wait before the next attempt; the same as Retry-After." }).pipe(
    Schema.withConstructorDefault(Effect.succeed(defaultSeconds))
  )
const recorded = {
  answerId: Schema.String.annotate({ description: "The recorded answer of the first call.", format: "uuid" }),
  verifyUrl: Schema.String.annotate({ description: "Where anyone can confirm that answer.", format: "uri" })
}
const upgradeUrl = Schema.String.annotate({ description: "The page that says how to get more calls.", format: "uri" })

export class ValidationProblem extends problem<ValidationProblem>()(
  "ValidationProblem",
  {
    slug: "validation",
    status: 400,
    title: "The request is not valid.",
    detail: "Nothing was computed or charged. Correct the fields named in errors and send the request again."
  },
  { errors }
) {}

export class ArtifactPlanProblem extends problem<ArtifactPlanProblem>()(
  "ArtifactPlanProblem",
  {
    slug: "artifact-plan",
    status: 400,
    title: "The plan's answer would be an artifact of the months already counted.",
    detail:
      "The months already counted leave nothing to pay, make the whole balance due at once, or forgive it before any payment; errors say which. If the counts are wrong, correct them. If they are right, leave the plan out, or do what errors say."
  },
  { errors }
) {}

export class IneligiblePlanProblem extends problem<IneligiblePlanProblem>()(
  "IneligiblePlanProblem",
  {
    slug: "ineligible-plan",
    status: 400,
    title: "The loans cannot be repaid under this plan.",
    detail:
      "POST /v1/plan-eligibility lists the plans that each loan can elect; the tool is get_eligible_plans, or without a key compare_plans."
  },
  { errors }
) {}

export class MalformedRequestProblem extends problem<MalformedRequestProblem>()("MalformedRequestProblem", {
  slug: "malformed-request",
  status: 400,
  title: "The request is not valid HTTP.",
  detail: "The connection is closed. Check the request line, the Host header and the length headers of the body."
}) {}

export class UnauthorizedProblem extends problem<UnauthorizedProblem>()("UnauthorizedProblem", {
  slug: "unauthorized",
  status: 401,
  title: "A valid API key is required.",
  detail: "Send an active key in X-Api-Key. POST /v1/keys/sandbox issues one for an email address."
}) {}

/** The `detail` for the holder of a key that no longer works. */
export const ENDED_KEYS = {
  replaced: "This key was replaced by a newer one: send that one in X-Api-Key.",
  revoked: "This key was revoked. Send another one in X-Api-Key, or ask the operator of this service.",
  expired: "This key has expired. POST /v1/keys/sandbox issues another for an email address."
} as const

export class NotFoundProblem extends problem<NotFoundProblem>()("NotFoundProblem", {
  slug: "not-found",
  status: 404,
  title: "The path does not exist.",
  detail: "Paths are case-sensitive and end without a slash. /openapi.json lists those of the JSON API."
}) {}

export class AnswerNotFoundProblem extends problem<AnswerNotFoundProblem>()("AnswerNotFoundProblem", {
  slug: "answer-not-found",
  status: 404,
  title: "No answer is recorded under this id.",
  detail: "Check the id: it is provenance.answerId of a keyed projection or comparison."
}) {}

export class NoSubscriptionProblem extends problem<NoSubscriptionProblem>()(
  "NoSubscriptionProblem",
  {
    slug: "no-subscription",
    status: 404,
    title: "The email address of this key has no paid subscription.",
    detail: "Subscribe through upgradeUrl, then claim again."
  },
  { email: Schema.String.annotate({ description: "Email address that the sandbox key was issued for." }), upgradeUrl }
) {}

export class MethodNotAllowedProblem extends problem<MethodNotAllowedProblem>()("MethodNotAllowedProblem", {
  slug: "method-not-allowed",
  status: 405,
  title: "The method is not allowed for this path.",
  detail: "The Allow header lists the allowed methods."
}) {}

export class RequestTimeoutProblem extends problem<RequestTimeoutProblem>()("RequestTimeoutProblem", {
  slug: "request-timeout",
  status: 408,
  title: "The request took too long to arrive.",
  detail: "The connection is closed. Headers must arrive within 10 seconds, the whole request within 15."
}) {}

export class KeyAlreadyUsedProblem extends problem<KeyAlreadyUsedProblem>()("KeyAlreadyUsedProblem", {
  slug: "key-already-used",
  status: 409,
  title: "The production key of this subscription is already in use.",
  detail: "A key that has answered a call is not replaced. Use it, or contact the operator of this service."
}) {}

export class KeyIssuedAfterPaymentProblem extends problem<KeyIssuedAfterPaymentProblem>()(
  "KeyIssuedAfterPaymentProblem",
  {
    slug: "key-issued-after-payment",
    status: 409,
    title: "This sandbox key was issued after the subscription was paid.",
    detail: "Claim with the sandbox key from which the subscription was bought, or use the key that was sent by email."
  }
) {}

export class SubscriptionHeldProblem extends problem<SubscriptionHeldProblem>()("SubscriptionHeldProblem", {
  slug: "subscription-held",
  status: 409,
  title: "The subscription or its sandbox key is on hold.",
  detail:
    "The operator of this service stopped it, or its payment was refunded or disputed. Ask the operator; only the operator can allow it again."
}) {}

export class RulesChangedProblem extends problem<RulesChangedProblem>()(
  "RulesChangedProblem",
  {
    slug: "rules-changed",
    status: 409,
    title: "The recorded answer of this call can no longer be computed.",
    detail:
      "The call with this Idempotency-Key was answered and charged once. Answers are not stored, and this one cannot be computed again. For a new answer, send the request with another Idempotency-Key."
  },
  recorded
) {}

export class PayloadTooLargeProblem extends problem<PayloadTooLargeProblem>()("PayloadTooLargeProblem", {
  slug: "payload-too-large",
  status: 413,
  title: "The request body is too large.",
  detail: "Send a smaller body."
}) {}

export class UnsupportedMediaTypeProblem extends problem<UnsupportedMediaTypeProblem>()("UnsupportedMediaTypeProblem", {
  slug: "unsupported-media-type",
  status: 415,
  title: "The request body must be JSON.",
  detail: "Send Content-Type: application/json in UTF-8, without Content-Encoding."
}) {}

export class IdempotencyKeyReusedProblem extends problem<IdempotencyKeyReusedProblem>()(
  "IdempotencyKeyReusedProblem",
  {
    slug: "idempotency-key-reused",
    status: 422,
    title: "The Idempotency-Key belongs to another request.",
    detail:
      "Nothing was computed or charged: this account sent the key before with other inputs. Send those inputs again, or these inputs with a new Idempotency-Key."
  },
  recorded
) {}

export class QuotaExceededProblem extends problem<QuotaExceededProblem>()(
  "QuotaExceededProblem",
  {
    slug: "quota-exceeded",
    status: 429,
    title: "This month's calls are used up.",
    detail: "Wait until the month ends, or see upgradeUrl for more calls."
  },
  { upgradeUrl, retryAfterSeconds: retryAfterSeconds(60) }
) {}

export class RateLimitedProblem extends problem<RateLimitedProblem>()(
  "RateLimitedProblem",
  {
    slug: "rate-limited",
    status: 429,
    title: "Too many requests in a short time.",
    detail: "Send the request again after retryAfterSeconds."
  },
  { upgradeUrl, retryAfterSeconds: retryAfterSeconds(1) }
) {}

export class HeadersTooLargeProblem extends problem<HeadersTooLargeProblem>()("HeadersTooLargeProblem", {
  slug: "headers-too-large",
  status: 431,
  title: "The request headers are too large.",
  detail: "The connection is closed. Headers are limited to 16 KiB in total."
}) {}

export class InternalProblem extends problem<InternalProblem>()("InternalProblem", {
  slug: "internal",
  status: 500,
  title: "The service failed.",
  detail:
    "The call was not charged. Send it again. If it fails again, give the operator the id in instance: the log has the failure under it."
}) {}

/** The `detail` of ledger-unavailable for a call whose answer is recorded. */
export const NOT_RECORDED =
  "No answer is sent, because it could not be recorded in time. Send the same request again shortly. With an Idempotency-Key it is charged and recorded once, even if the first attempt was recorded after all."

export class LedgerUnavailableProblem extends problem<LedgerUnavailableProblem>()(
  "LedgerUnavailableProblem",
  {
    slug: "ledger-unavailable",
    status: 503,
    title: "The ledger cannot be reached.",
    detail: "The database did not answer in time. Send the same request again shortly."
  },
  { retryAfterSeconds: retryAfterSeconds(2) }
) {}

export class NotYetLoggedProblem extends problem<NotYetLoggedProblem>()(
  "NotYetLoggedProblem",
  {
    slug: "not-yet-logged",
    status: 503,
    title: "The record is not in the log yet.",
    detail: "A record enters the log within seconds of its answer. Ask again after retryAfterSeconds."
  },
  { retryAfterSeconds: retryAfterSeconds(1) }
) {}

export class StartingProblem extends problem<StartingProblem>()(
  "StartingProblem",
  {
    slug: "starting",
    status: 503,
    title: "The service is starting.",
    detail: "Its log has no key yet, which takes a second at the first start. Ask again after retryAfterSeconds."
  },
  { retryAfterSeconds: retryAfterSeconds(1) }
) {}

export class OverloadedProblem extends problem<OverloadedProblem>()(
  "OverloadedProblem",
  {
    slug: "overloaded",
    status: 503,
    title: "Too many calculations at once.",
    detail: "The call was not charged. Send it again after retryAfterSeconds."
  },
  { retryAfterSeconds: retryAfterSeconds(1) }
) {}

export class WebhookDisabledProblem extends problem<WebhookDisabledProblem>()(
  "WebhookDisabledProblem",
  {
    slug: "webhook-disabled",
    status: 503,
    title: "Payment events are not accepted here.",
    detail: "Without a webhook secret this service cannot verify events. Its operator has to set STRIPE_WEBHOOK_SECRET."
  },
  { retryAfterSeconds: retryAfterSeconds(3600) }
) {}

/** Every problem, in order of status. */
export const PROBLEMS = [
  ValidationProblem,
  ArtifactPlanProblem,
  IneligiblePlanProblem,
  MalformedRequestProblem,
  UnauthorizedProblem,
  NotFoundProblem,
  AnswerNotFoundProblem,
  NoSubscriptionProblem,
  MethodNotAllowedProblem,
  RequestTimeoutProblem,
  KeyAlreadyUsedProblem,
  KeyIssuedAfterPaymentProblem,
  SubscriptionHeldProblem,
  RulesChangedProblem,
  PayloadTooLargeProblem,
  UnsupportedMediaTypeProblem,
  IdempotencyKeyReusedProblem,
  QuotaExceededProblem,
  RateLimitedProblem,
  HeadersTooLargeProblem,
  InternalProblem,
  LedgerUnavailableProblem,
  NotYetLoggedProblem,
  StartingProblem,
  OverloadedProblem,
  WebhookDisabledProblem
] as const
export type Problem = InstanceType<(typeof PROBLEMS)[number]>

export const isProblem = (value: unknown): value is Problem =>
  typeof value === "object" && value !== null && ProblemTypeId in value

/** Headers of a status, in addition to those of every response. */
export const PROBLEM_HEADERS: Readonly<Record<number, ReadonlyArray<string>>> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
  429: ["Retry-After"],
  503: ["Retry-After"]
}

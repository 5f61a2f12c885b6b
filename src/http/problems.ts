/**
 * Mapping of service failures to problems, and of problems to documents (RFC 9457). Services fail
 * in terms of the domain and know no status. Problems that a route raises itself also get their
 * absolute type, instance and headers here.
 */

import { Clock, Effect, Layer, Metric } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { Answering } from "../../schema/middleware.ts"
import {
  ArtifactPlanProblem,
  ENDED_KEYS,
  IdempotencyKeyReusedProblem,
  IneligiblePlanProblem,
  InternalProblem,
  isProblem,
  KeyAlreadyUsedProblem,
  KeyIssuedAfterPaymentProblem,
  LedgerUnavailableProblem,
  NOT_RECORDED,
  NoSubscriptionProblem,
  NotYetLoggedProblem,
  OverloadedProblem,
  PROBLEM_MEDIA_TYPE,
  type Problem,
  QuotaExceededProblem,
  RateLimitedProblem,
  RulesChangedProblem,
  StartingProblem,
  SubscriptionHeldProblem,
  UnauthorizedProblem,
  ValidationProblem,
  WebhookDisabledProblem
} from "../../schema/problems.ts"
import type { PlanRefused, RequestContradicted } from "../engine/Engine.ts"
import { currentLaw } from "../engine/index.ts"
import { contradictionMessages } from "../messages/contradictions.ts"
import { dayOf } from "../messages/figures.ts"
import { refusalErrors } from "../messages/refusals.ts"
import { AppConfig } from "../platform/config.ts"
import { counter, countersOf } from "../platform/telemetry.ts"
import { boundedErrors } from "../request/fieldErrors.ts"
import { fieldErrors } from "../request/validation.ts"
import type { Caller, KeyRefused, NoSubscription, TooManyClaims } from "../services/accounts/index.ts"
import type { IdempotencyKeyReused, QuotaSpent, RulesChanged } from "../services/answers/index.ts"
import { verifyUrlOf } from "../services/answers/local.ts"
import { ruleVersion } from "../services/answers/publishedRules.ts"
import type { AnswerRow } from "../services/answers/records.ts"
import type { NotYetLogged } from "../services/log/index.ts"
import { CurrentOutage } from "../services/outage.ts"
import { CurrentRequestState, noteRefusedCharge, noteRepeated, noteUsage } from "./requestState.ts"
import { upgradeUrl } from "./upgradeUrl.ts"

const CHALLENGE = 'X-Api-Key realm="repayment-of-record"'

const headersOf = (problem: Problem): Record<string, string> => ({
  ...(problem.status === 401 ? { "www-authenticate": CHALLENGE } : {}),
  // The rest of an oversized body is not read.
  ...(problem.status === 413 ? { connection: "close" } : {}),
  ...("retryAfterSeconds" in problem ? { "retry-after": String(problem.retryAfterSeconds) } : {})
})

/** The problem as it is sent: type and instance completed, its additional members last. */
export const problemDocument = (problem: Problem, publicUrl: string, requestId: string): Record<string, unknown> => ({
  ...problem,
  type: `${publicUrl}${problem.type}`,
  instance: `urn:uuid:${requestId}`
})

export const problemResponse = Effect.fnUntraced(function* (
  problem: Problem,
  publicUrl: string,
  headers: Record<string, string> = {}
) {
  const { requestId } = yield* CurrentRequestState
  return HttpServerResponse.jsonUnsafe(problemDocument(problem, publicUrl, requestId), {
    status: problem.status,
    contentType: PROBLEM_MEDIA_TYPE,
    headers: { ...headersOf(problem), ...headers }
  })
})

const MILLISECONDS_PER_SECOND = 1000

/** Whole seconds until an instant, never negative. */
export const secondsUntil = (instant: Date, nowMillis: number): number =>
  Math.max(0, Math.ceil((instant.getTime() - nowMillis) / MILLISECONDS_PER_SECOND))

/** One text for every fault of a signature, so that the text does not help to forge one. */
const signatureRefused = () =>
  new ValidationProblem({ errors: { "Stripe-Signature": ["does not verify over the body, or is too old"] } })

/** Needs no settings, so calculations without a service use the same words. */
export const requestContradicted = ({ contradictions }: RequestContradicted) =>
  Effect.fail(new ValidationProblem({ errors: boundedErrors(contradictionMessages(contradictions)) }))

type PlanProblem = ArtifactPlanProblem | IneligiblePlanProblem | ValidationProblem

/** A plan that cannot answer, or a request that contradicts itself. */
export const planRefused = ({ arms }: PlanRefused) => {
  const kinds = arms.map(({ refusal }) => refusal.kind)
  // A contradiction must be fixed first, so it hides other refusals.
  const told = kinds.includes("contradiction") ? arms.filter(({ refusal }) => refusal.kind === "contradiction") : arms
  const errors = boundedErrors(told.flatMap((arm) => refusalErrors(currentLaw, arm)))
  if (kinds.includes("contradiction")) return Effect.fail<PlanProblem>(new ValidationProblem({ errors }))
  const isArtifact = kinds[0] === "artifact"
  return Effect.fail<PlanProblem>(
    isArtifact ? new ArtifactPlanProblem({ errors }) : new IneligiblePlanProblem({ errors })
  )
}

/** The reason why a recorded answer cannot be computed again, with a remedy. */
const whyChanged = ({ answerId, recordedAtUtc, ruleVersion: recordedVersion }: AnswerRow): string => {
  const why =
    recordedVersion === ruleVersion
      ? "the texts of the service or its address have changed since"
      : `its rules were ${recordedVersion}, and are now ${ruleVersion}`
  return `The call with this Idempotency-Key was answered at ${recordedAtUtc.toISOString()}, as ${answerId}, and charged once. Answers are not stored, and this one cannot be computed again: ${why}. For a new answer, send the request with another Idempotency-Key.`
}

const refusedCalls = counter("quota_refused_total", "Keyed calls refused for the monthly quota, by tier.")

/** Handlers that turn domain failures into problems, grouped by the routes that use them. */
export const makeRefusals = Effect.gen(function* () {
  const { paymentLink, publicUrl } = yield* AppConfig
  const refused = yield* countersOf(refusedCalls, "tier", ["Sandbox", "Production"])
  const limited = {
    RateLimited: ({ retryAfterSeconds }: { readonly retryAfterSeconds: number }) =>
      Effect.fail(new RateLimitedProblem({ upgradeUrl: paymentLink, retryAfterSeconds }))
  }
  const refusedBy = (problem: LedgerUnavailableProblem) =>
    Effect.andThen(
      CurrentOutage.useSync((outage) => outage.refuse()),
      Effect.fail(problem)
    )
  const unavailable = { LedgerUnavailable: () => refusedBy(new LedgerUnavailableProblem({})) }
  /** The monthly quota is used up; the RateLimit headers show it. */
  const quotaSpent = Effect.fnUntraced(function* ({ keyId, tier, usage }: Pick<Caller, "keyId" | "tier" | "usage">) {
    yield* noteUsage(usage)
    yield* Metric.update(refused[tier], 1)
    return yield* new QuotaExceededProblem({
      detail: `${usage.used} of ${usage.limit} calls used. Wait until ${dayOf(usage.periodResetsAt)}, 00:00 UTC, or see upgradeUrl for more calls.`,
      upgradeUrl: tier === "Sandbox" ? upgradeUrl(paymentLink, undefined, keyId) : paymentLink,
      retryAfterSeconds: secondsUntil(usage.periodResetsAt, yield* Clock.currentTimeMillis)
    })
  })
  const key = {
    ...unavailable,
    KeyRefused: ({ end }: KeyRefused) =>
      Effect.fail(new UnauthorizedProblem(end === null ? {} : { detail: ENDED_KEYS[end] }))
  }
  const charge = {
    LedgerUnavailable: () => Effect.andThen(noteRefusedCharge, unavailable.LedgerUnavailable()),
    KeyRefused: (refused: KeyRefused) => Effect.andThen(noteRefusedCharge, key.KeyRefused(refused)),
    QuotaSpent: (spent: QuotaSpent) => Effect.andThen(noteRefusedCharge, quotaSpent(spent))
  }
  const receipt = {
    ...unavailable,
    NotYetLogged: ({ isStarting }: NotYetLogged) =>
      Effect.fail<StartingProblem | NotYetLoggedProblem>(
        isStarting ? new StartingProblem({}) : new NotYetLoggedProblem({})
      )
  }
  const recordOf = ({ answerId }: AnswerRow) => ({ answerId, verifyUrl: verifyUrlOf(publicUrl, answerId) })
  const repeat = {
    IdempotencyKeyReused: ({ recorded }: IdempotencyKeyReused) =>
      Effect.andThen(noteRepeated, Effect.fail(new IdempotencyKeyReusedProblem(recordOf(recorded)))),
    RulesChanged: ({ recorded }: RulesChanged) =>
      Effect.andThen(
        noteRepeated,
        Effect.fail(new RulesChangedProblem({ ...recordOf(recorded), detail: whyChanged(recorded) }))
      )
  }
  const overload = { Overloaded: () => Effect.fail(new OverloadedProblem({})) }
  const claim = {
    ...unavailable,
    NoSubscription: ({ email, sandboxKeyId }: NoSubscription) =>
      Effect.fail(new NoSubscriptionProblem({ email, upgradeUrl: upgradeUrl(paymentLink, email, sandboxKeyId) })),
    KeyAlreadyUsed: () => Effect.fail(new KeyAlreadyUsedProblem({})),
    KeyIssuedAfterPayment: () => Effect.fail(new KeyIssuedAfterPaymentProblem({})),
    SubscriptionHeld: () => Effect.fail(new SubscriptionHeldProblem({})),
    TooManyClaims: ({ retryAfterSeconds }: TooManyClaims) =>
      Effect.fail(
        new RateLimitedProblem({
          detail:
            "This subscription's key was claimed often and never used. Use the newest key that you received, or claim again after retryAfterSeconds.",
          upgradeUrl: paymentLink,
          retryAfterSeconds
        })
      ),
    NotASandboxKey: () =>
      Effect.fail(
        new ValidationProblem({
          errors: { sandboxKey: ["is not a sandbox key: send the key that begins with slr_sbx_"] }
        })
      )
  }
  return {
    limited,
    unavailable,
    overload,
    quotaSpent,
    /** Reads of the log; `receipt` covers a record that is not logged yet. */
    tile: { ...unavailable, ...limited },
    log: { ...receipt, ...limited },
    receipt,
    admission: { ...key, ...limited },
    claim,
    webhook: {
      ...unavailable,
      SignatureRefused: () => Effect.fail(signatureRefused()),
      WebhookDisabled: () => Effect.fail(new WebhookDisabledProblem({}))
    },
    charge,
    /** A charged call whose dates may contradict each other. */
    dated: { ...charge, RequestContradicted: requestContradicted },
    /** A recorded call: its plan may be refused, and it may have been sent before. */
    plan: {
      ...charge,
      ...repeat,
      LedgerUnavailable: () =>
        Effect.andThen(noteRefusedCharge, refusedBy(new LedgerUnavailableProblem({ detail: NOT_RECORDED }))),
      PlanRefused: planRefused
    }
  }
})

const isRequestFault = (error: HttpApiError.HttpApiSchemaError): boolean =>
  error.kind !== "Body" && error.kind !== "ResponseHeaders"

/** Renders problems, also those of undecodable requests; anything else is a defect. */
export const AnsweringLive = Layer.effect(
  Answering,
  Effect.gen(function* () {
    const { publicUrl } = yield* AppConfig
    return (httpEffect) =>
      Effect.catch(httpEffect, (error: unknown) => {
        if (isProblem(error)) return problemResponse(error, publicUrl)
        if (HttpApiError.HttpApiSchemaError.is(error) && isRequestFault(error)) {
          return problemResponse(new ValidationProblem({ errors: fieldErrors(error.cause.issue) }), publicUrl)
        }
        return Effect.die(error)
      })
  })
)

export const internalProblem = (publicUrl: string) => problemResponse(new InternalProblem({}), publicUrl)

/**
 * The verification of Stripe's payment events, and the only file that imports Stripe's package.
 * readEvent.ts reads an event, and Subscriptions applies it.
 */
import { Clock, Context, Data, Effect, Layer, Redacted, Schema } from "effect"
import { AppConfig } from "../../platform/config.ts"
import type { PaymentEvent } from "./paymentEvent.ts"
import { Envelope, readEvent } from "./readEvent.ts"
import { isStorableId, refused } from "./stripeObjects.ts"

/** The signature is missing, wrong or too old, or the signed body is not an event. */
export class SignatureRefused extends Data.TaggedError("SignatureRefused") {}

/** STRIPE_WEBHOOK_SECRET is not set, so no event can be verified. */
export class WebhookDisabled extends Data.TaggedError("WebhookDisabled") {}

const TOLERANCE_SECONDS = 300
const MILLISECONDS = 1000
/**
 * The signature's timestamp in seconds; undefined if it has none, or no hash of the scheme v1.
 */
const secondsOf = (signature: string | undefined): number | undefined => {
  const parts = (signature ?? "").split(",")
  const time = parts.find((part) => /^t=\d{1,15}$/.test(part))
  const isSigned = parts.some((part) => /^v1=[0-9a-f]{64}$/.test(part))
  return time !== undefined && isSigned ? Number(time.slice("t=".length)) : undefined
}

const decodeEnvelope = Schema.decodeUnknownSync(Envelope)

/** If an event's id cannot be stored, nothing else in it is trusted. */
const unreadable = ({ type }: PaymentEvent): PaymentEvent => ({ id: "unreadable", type, ...refused("unreadable") })

/**
 * Returns a signature check. Stripe's package is large, so it is loaded only if there is a secret.
 */
const checkerOf = (secret: Redacted.Redacted<string>) =>
  Effect.map(
    Effect.promise(() => import("stripe")),
    ({ default: { webhooks } }) =>
      (body: string, signature: string, receivedAt: number) =>
        webhooks.constructEvent(body, signature, Redacted.value(secret), TOLERANCE_SECONDS, undefined, receivedAt)
  )

export class StripeEvents extends Context.Service<
  StripeEvents,
  {
    /**
     * Refuses a `Stripe-Signature` header that is malformed, too old or of the future, before the
     * body is read.
     */
    readonly expect: (signature: string | undefined) => Effect.Effect<void, SignatureRefused | WebhookDisabled>
    /** Checks the `Stripe-Signature` header against the body as received, and reads the event. */
    readonly verify: (
      body: string,
      signature: string | undefined
    ) => Effect.Effect<PaymentEvent, SignatureRefused | WebhookDisabled>
  }
>()("repayment-of-record/StripeEvents") {
  static readonly layer: Layer.Layer<StripeEvents, never, AppConfig> = Layer.effect(
    StripeEvents,
    Effect.gen(function* () {
      const settings = yield* AppConfig
      const check = settings.stripeWebhookSecret === null ? null : yield* checkerOf(settings.stripeWebhookSecret)
      return StripeEvents.of({
        expect: Effect.fn("StripeEvents.expect")(function* (signature) {
          if (check === null) return yield* new WebhookDisabled()
          const seconds = secondsOf(signature)
          const now = Math.floor((yield* Clock.currentTimeMillis) / MILLISECONDS)
          // Stripe's package accepts any time in the future.
          if (seconds === undefined || Math.abs(now - seconds) > TOLERANCE_SECONDS) return yield* new SignatureRefused()
        }),
        verify: Effect.fn("StripeEvents.verify")(function* (body, signature) {
          if (check === null) return yield* new WebhookDisabled()
          const receivedAt = yield* Clock.currentTimeMillis
          const event = yield* Effect.try({
            try: () => readEvent(decodeEnvelope(check(body, signature ?? "", receivedAt)), settings),
            catch: () => new SignatureRefused()
          })
          const isRelevant = event.fact !== null || event.references !== null || event.unapplied !== null
          return isRelevant && !isStorableId(event.id) ? unreadable(event) : event
        })
      })
    })
  )
}

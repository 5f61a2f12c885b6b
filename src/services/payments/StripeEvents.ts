/**
 * Verifies payment events of Stripe. The only file that imports its package. What an event says is read by
 * readEvent.ts, and what that changes is decided by Subscriptions.
 */
import { createHash } from "node:crypto"
import { Clock, Context, Data, Effect, Layer, Redacted, Schema } from "effect"
import Stripe from "stripe"
import { AppConfig } from "../../config.ts"
import type { PaymentEvent } from "./facts.ts"
import { Envelope, isStorableId, readEvent } from "./readEvent.ts"

/** The signature is missing, wrong or too old; one failure for all. */
export class SignatureRefused extends Data.TaggedError("SignatureRefused") {}

/** STRIPE_WEBHOOK_SECRET is not set, so no event can be verified. */
export class WebhookDisabled extends Data.TaggedError("WebhookDisabled") {}

const TOLERANCE_SECONDS = 300

const decodeEnvelope = Schema.decodeUnknownSync(Envelope)

/** An event whose id cannot be stored is kept under a name made from it. */
const unreadable = (event: PaymentEvent): PaymentEvent => ({
  ...event,
  id: `unreadable ${createHash("sha256").update(event.id).digest("hex")}`,
  fact: null,
  references: null,
  unapplied: { reason: "unreadable", externalId: null }
})

export class StripeEvents extends Context.Service<
  StripeEvents,
  {
    /** Checks the `Stripe-Signature` header against the body, byte for byte as received, and reads the event. */
    readonly verify: (
      body: string,
      signature: string | undefined
    ) => Effect.Effect<PaymentEvent, SignatureRefused | WebhookDisabled>
  }
>()("repayment-of-record/StripeEvents") {
  static readonly layer: Layer.Layer<StripeEvents, never, AppConfig> = Layer.effect(
    StripeEvents,
    Effect.map(AppConfig, (settings) =>
      StripeEvents.of({
        verify: Effect.fn("StripeEvents.verify")(function* (body, signature) {
          if (settings.stripeWebhookSecret === null) return yield* new WebhookDisabled()
          const secret = Redacted.value(settings.stripeWebhookSecret)
          const receivedAt = yield* Clock.currentTimeMillis
          const event = yield* Effect.try({
            try: () => {
              const checked = Stripe.webhooks.constructEvent(
                body,
                signature ?? "",
                secret,
                TOLERANCE_SECONDS,
                undefined,
                receivedAt
              )
              return readEvent(decodeEnvelope(checked), settings)
            },
            catch: () => new SignatureRefused()
          })
          const saysSomething = event.fact !== null || event.references !== null || event.unapplied !== null
          return saysSomething && !isStorableId(event.id) ? unreadable(event) : event
        })
      })
    )
  )
}

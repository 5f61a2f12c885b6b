/**
 * Payment events. A body is not read before its signature could be right, and not parsed before it has been verified over
 * the text exactly as received: a stranger gets one hash for his trouble.
 */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { STRIPE_EVENT_BODY_BYTES } from "../../../schema/middleware.ts"
import { StripeEvents } from "../../services/payments/StripeEvents.ts"
import { Subscriptions } from "../../services/payments/Subscriptions.ts"
import { expectBody, makeBodies } from "../body.ts"
import { makeRefusals } from "../problems.ts"

export const WebhooksLive = HttpApiBuilder.group(
  Api,
  "webhooks",
  Effect.fn(function* (handlers) {
    const events = yield* StripeEvents
    const subscriptions = yield* Subscriptions
    const bodies = yield* makeBodies
    const refusals = yield* makeRefusals
    return handlers.handleRaw("stripeWebhook", ({ endpoint, request }) =>
      Effect.gen(function* () {
        const signature = request.headers["stripe-signature"]
        yield* expectBody(request, STRIPE_EVENT_BODY_BYTES)
        yield* events.expect(signature)
        const body = yield* bodies.sent(request, STRIPE_EVENT_BODY_BYTES, endpoint.path)
        yield* subscriptions.applyEvent(yield* events.verify(body, signature))
        return { received: true }
      }).pipe(Effect.catchTags(refusals.webhook))
    )
  })
)

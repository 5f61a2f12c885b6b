/**
 * Payment events. A body is not read before its signature could be right, and not parsed before it has been verified over
 * the text exactly as received: a stranger gets one hash for his trouble.
 */
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { STRIPE_EVENT_BODY_BYTES } from "../../../schema/bounds.ts"
import { StripeEvents } from "../../services/accounts/StripeEvents.ts"
import { Subscriptions } from "../../services/accounts/Subscriptions.ts"
import { ClientAddress } from "../address.ts"
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
    const clients = yield* ClientAddress
    return handlers.handleRaw("stripeWebhook", ({ endpoint, request }) =>
      Effect.gen(function* () {
        const signature = request.headers["stripe-signature"]
        yield* expectBody(request, STRIPE_EVENT_BODY_BYTES)
        yield* events.expect(signature)
        // On a line for each address, so that the events of one that pays do not wait behind those of strangers.
        const line = `${endpoint.path} ${yield* clients.of(request)}`
        const body = yield* bodies.sent(request, STRIPE_EVENT_BODY_BYTES, line)
        yield* subscriptions.applyEvent(yield* events.verify(body, signature))
        return { received: true }
      }).pipe(Effect.catchTags(refusals.webhook))
    )
  })
).pipe(Layer.provide(ClientAddress.layer))

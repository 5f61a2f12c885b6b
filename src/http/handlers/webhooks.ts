/**
 * Handler of payment events. The body is read only if the signature header is plausible, and parsed
 * only after the signature has been verified over the exact text. A stranger costs one hash.
 */
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { STRIPE_EVENT_BODY_BYTES } from "../../../schema/bounds.ts"
import { StripeEvents, Subscriptions } from "../../services/accounts/index.ts"
import { RateLimits } from "../../services/scheduling/index.ts"
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
    const limits = yield* RateLimits
    return handlers.handleRaw("stripeWebhook", ({ endpoint, request }) =>
      Effect.gen(function* () {
        const signature = request.headers["stripe-signature"]
        yield* expectBody(request, STRIPE_EVENT_BODY_BYTES)
        yield* events.expect(signature)
        const address = yield* clients.of(request)
        yield* limits.check("unknown", address).pipe(Effect.catchTags(refusals.limited))
        // One fair-queue client per address, so that real events do not wait behind a flood.
        const body = yield* bodies.sent(request, STRIPE_EVENT_BODY_BYTES, `${endpoint.path} ${address}`)
        // A wrong signature counts like an unknown key, because it costs the hash of a large body.
        const event = yield* Effect.tapErrorTag(events.verify(body, signature), "SignatureRefused", () =>
          limits.count("unknown", address)
        )
        yield* subscriptions.applyEvent(event)
        return { received: true }
      }).pipe(Effect.catchTags(refusals.webhook))
    )
  })
).pipe(Layer.provide(ClientAddress.layer))

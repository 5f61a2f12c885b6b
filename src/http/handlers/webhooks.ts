/** Payment events. A body is not trusted before its signature is verified over the text exactly as received. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { StripeEvents } from "../../services/payments/StripeEvents.ts"
import { Subscriptions } from "../../services/payments/Subscriptions.ts"
import { makeRefusals } from "../problems.ts"

export const WebhooksLive = HttpApiBuilder.group(
  Api,
  "webhooks",
  Effect.fn(function* (handlers) {
    const events = yield* StripeEvents
    const subscriptions = yield* Subscriptions
    const refusals = yield* makeRefusals
    return handlers.handleRaw("stripeWebhook", ({ request }) =>
      request.text.pipe(
        Effect.orDie,
        Effect.flatMap((body) => events.verify(body, request.headers["stripe-signature"])),
        Effect.flatMap((event) => subscriptions.applyEvent(event)),
        Effect.as({ received: true }),
        Effect.catchTags(refusals.webhook)
      )
    )
  })
)

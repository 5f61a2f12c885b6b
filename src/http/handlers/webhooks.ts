/** Payment events. Nothing of a body is believed before its signature has been checked over the text as it came. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { ValidationProblem, WebhookDisabledProblem } from "../../../schema/problems.ts"
import { StripeEvents } from "../../services/payments/StripeEvents.ts"
import { Subscriptions } from "../../services/payments/Subscriptions.ts"
import { makeRefusals } from "../problems.ts"

const SIGNATURE_HEADER = "Stripe-Signature"

/** The same text whatever is wrong, so that it helps nobody to a signature. */
const signatureRefused = () =>
  new ValidationProblem({ errors: { [SIGNATURE_HEADER]: ["does not verify over the body, or is too old"] } })

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
        Effect.catchTags({
          ...refusals.unavailable,
          SignatureRefused: () => Effect.fail(signatureRefused()),
          WebhookDisabled: () => Effect.fail(new WebhookDisabledProblem({}))
        })
      )
    )
  })
)

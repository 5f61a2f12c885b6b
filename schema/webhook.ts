/**
 * Stripe's payment events (POST /webhooks/stripe) and the response. Their signature is verified
 * before they are read.
 */
import { Schema } from "effect"

export const StripeEvent = Schema.StructWithRest(
  Schema.Struct({
    id: Schema.String.annotate({ description: "Id of the event." }),
    type: Schema.String.annotate({ description: "Type of the event, such as checkout.session.completed." }),
    created: Schema.Finite.annotate({ description: "When the event was created, in seconds since 1970." }),
    data: Schema.StructWithRest(
      Schema.Struct({ object: Schema.Json.annotate({ description: "What the event is about, such as a session." }) }),
      [Schema.Record(Schema.String, Schema.Json)]
    ).annotate({ description: "The object that the event is about, and what changed of it." })
  }),
  [Schema.Record(Schema.String, Schema.Json)]
).annotate({ identifier: "StripeEvent", description: "An event as Stripe describes it." })

export const WebhookReceipt = Schema.Struct({
  received: Schema.Boolean.annotate({ description: "Always true: the event is stored or needs no action." })
}).annotate({ identifier: "WebhookReceipt", description: "The event was received." })
export type WebhookReceipt = typeof WebhookReceipt.Type

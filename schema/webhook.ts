/** What the payment provider sends and gets back. Its events are read after their signature is checked, not before. */
import { Schema } from "effect"

export const StripeEvent = Schema.StructWithRest(
  Schema.Struct({
    id: Schema.String.annotate({ description: "Id of the event." }),
    type: Schema.String.annotate({ description: "Type of the event, such as checkout.session.completed." })
  }),
  [Schema.Record(Schema.String, Schema.Json)]
).annotate({ identifier: "StripeEvent", description: "An event as Stripe describes it." })

export const WebhookReceipt = Schema.Struct({
  received: Schema.Boolean.annotate({ description: "Always true: the event is stored or needs no action." })
}).annotate({ identifier: "WebhookReceipt" })
export type WebhookReceipt = typeof WebhookReceipt.Type

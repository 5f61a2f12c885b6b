/** Stripe webhook calls: the body of a payment event, its signature, and the POST. */
import Stripe from "stripe"
import type { Call } from "./calls.ts"
import { STRIPE_SETTINGS } from "./settings.ts"

export const sign = (payload: string, seconds = Math.floor(Date.now() / 1000)) =>
  Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: STRIPE_SETTINGS.STRIPE_WEBHOOK_SECRET,
    timestamp: seconds
  })

export const paidEvent = (email: string, reference: string | null, id: string = crypto.randomUUID()) =>
  JSON.stringify(
    {
      id: `evt_${id}`,
      object: "event",
      type: "checkout.session.completed",
      created: Math.floor(Date.now() / 1000),
      livemode: true,
      data: {
        object: {
          id: `cs_${id}`,
          object: "checkout.session",
          payment_link: STRIPE_SETTINGS.STRIPE_PAYMENT_LINK,
          payment_status: "paid",
          subscription: `sub_${email}`,
          payment_intent: `pi_${email}`,
          client_reference_id: reference,
          customer_details: { email }
        }
      }
    },
    undefined,
    2
  )

export const sendEvent = (call: Call, payload: string, signature: string | undefined) =>
  call("POST", "/webhooks/stripe", {
    body: payload,
    headers: {
      "content-type": "application/json; charset=utf-8",
      ...(signature === undefined ? {} : { "stripe-signature": signature })
    }
  })

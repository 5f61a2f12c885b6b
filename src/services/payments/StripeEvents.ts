/**
 * Payment events as Stripe signs and words them, turned into the two facts that matter here: paid, ended. The only
 * file that knows Stripe. What follows from a fact is decided by Subscriptions.
 */
import { Clock, Context, Data, Effect, Layer, Option, Redacted, Schema } from "effect"
import Stripe from "stripe"
import { AppConfig } from "../../config.ts"

/** The signature is missing, wrong or too old; one failure for all. */
class SignatureRefused extends Data.TaggedError("SignatureRefused") {}

/** STRIPE_WEBHOOK_SECRET is not set, so no event can be believed. */
class WebhookDisabled extends Data.TaggedError("WebhookDisabled") {}

/** A subscription, or what stands for one in a one-off payment, was paid. */
export interface Paid {
  readonly _tag: "Paid"
  /** Stripe's id of the subscription, else, for a checkout without one, of the customer or the payment. */
  readonly externalId: string
  readonly email: string | null
  /** `client_reference_id`: the sandbox key whose payment link was used. */
  readonly sandboxKeyId: string | null
}

export interface Ended {
  readonly _tag: "Ended"
  readonly externalId: string
  /** End of the period that is paid for. */
  readonly endsAt: Date
}

export interface PaymentEvent {
  readonly id: string
  readonly type: string
  /** null: an event that changes nothing here. */
  readonly fact: Paid | Ended | null
}

const TOLERANCE_SECONDS = 300
const MILLISECONDS = 1000
/** Longer than any id of Stripe's, and than any address. */
const MAX_TEXT_CHARACTERS = 255
const LATEST_MILLISECONDS = Date.UTC(9999, 11, 31)

const text = Schema.optionalKey(Schema.NullOr(Schema.String))
const number = Schema.optionalKey(Schema.NullOr(Schema.Finite))
/** An id, or the object itself where Stripe was asked to expand it. */
const reference = Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Schema.Struct({ id: Schema.String })])))

const CheckoutSession = Schema.Struct({
  id: Schema.String,
  payment_status: text,
  subscription: reference,
  customer: reference,
  client_reference_id: text,
  customer_email: text,
  customer_details: Schema.optionalKey(Schema.NullOr(Schema.Struct({ email: text })))
})

const Invoice = Schema.Struct({
  id: Schema.String,
  subscription: reference,
  parent: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        subscription_details: Schema.optionalKey(Schema.NullOr(Schema.Struct({ subscription: reference })))
      })
    )
  ),
  amount_paid: number,
  customer_email: text
})

const EndedSubscription = Schema.Struct({
  id: Schema.String,
  current_period_end: number,
  ended_at: number,
  items: Schema.optionalKey(Schema.Struct({ data: Schema.Array(Schema.Struct({ current_period_end: number })) }))
})

const idOf = (value: string | { readonly id: string } | null | undefined): string | undefined =>
  typeof value === "string" ? value : value?.id

const paidSession = (session: typeof CheckoutSession.Type): Paid => ({
  _tag: "Paid",
  externalId: idOf(session.subscription) ?? idOf(session.customer) ?? session.id,
  email: session.customer_details?.email ?? session.customer_email ?? null,
  sandboxKeyId: session.client_reference_id ?? null
})

/** null: nothing was paid (a trial, a credit), or not for a subscription. */
const paidInvoice = (invoice: typeof Invoice.Type): Paid | null => {
  const externalId = idOf(invoice.parent?.subscription_details?.subscription) ?? idOf(invoice.subscription)
  if (externalId === undefined || (invoice.amount_paid ?? 0) <= 0) return null
  return { _tag: "Paid", externalId, email: invoice.customer_email ?? null, sandboxKeyId: null }
}

const ended = (subscription: typeof EndedSubscription.Type, createdSeconds: number): Ended => {
  const periodEnds = (subscription.items?.data ?? []).flatMap(({ current_period_end: end }) => end ?? [])
  const periodEnd = subscription.current_period_end ?? (periodEnds.length > 0 ? Math.max(...periodEnds) : undefined)
  const endsAt = periodEnd ?? subscription.ended_at ?? createdSeconds
  return { _tag: "Ended", externalId: subscription.id, endsAt: new Date(endsAt * MILLISECONDS) }
}

/** Reads the object of an event; one that is not of the documented shape states no fact. */
const read = <A, B>(schema: Schema.ConstraintDecoder<A>, object: unknown, fact: (value: A) => B | null): B | null =>
  Option.match(Schema.decodeUnknownOption(schema)(object), { onNone: () => null, onSome: fact })

const factOf = (type: string, object: unknown, createdSeconds: number): Paid | Ended | null => {
  switch (type) {
    case "checkout.session.completed":
      return read(CheckoutSession, object, (session) =>
        session.payment_status === "paid" ? paidSession(session) : null
      )
    case "checkout.session.async_payment_succeeded":
      return read(CheckoutSession, object, paidSession)
    case "invoice.paid":
      return read(Invoice, object, paidInvoice)
    case "customer.subscription.deleted":
      return read(EndedSubscription, object, (subscription) => ended(subscription, createdSeconds))
    default:
      return null
  }
}

const Envelope = Schema.Struct({
  id: Schema.NonEmptyString,
  type: Schema.NonEmptyString,
  created: Schema.Finite,
  data: Schema.Struct({ object: Schema.Unknown })
})
const decodeEnvelope = Schema.decodeUnknownSync(Envelope)

const isStorableText = (value: string): boolean =>
  value !== "" && value.length <= MAX_TEXT_CHARACTERS && !value.includes("\0")

/** Whether the database can hold the fact. One that it cannot would be sent again and again. */
const isStorable = (fact: Paid | Ended): boolean =>
  isStorableText(fact.externalId) &&
  (fact._tag === "Paid"
    ? fact.email === null || fact.email === "" || isStorableText(fact.email)
    : fact.endsAt.getTime() >= 0 && fact.endsAt.getTime() <= LATEST_MILLISECONDS)

const paymentEvent = ({ created, data, id, type }: typeof Envelope.Type): PaymentEvent => {
  const fact = factOf(type, data.object, created)
  return { id, type, fact: fact !== null && isStorableText(id) && isStorable(fact) ? fact : null }
}

export class StripeEvents extends Context.Service<
  StripeEvents,
  {
    /** Checks the `Stripe-Signature` header over the body exactly as it came, and reads the event. */
    readonly verify: (
      body: string,
      signature: string | undefined
    ) => Effect.Effect<PaymentEvent, SignatureRefused | WebhookDisabled>
  }
>()("repayment-of-record/StripeEvents") {
  static readonly layer: Layer.Layer<StripeEvents, never, AppConfig> = Layer.effect(
    StripeEvents,
    Effect.map(AppConfig, ({ stripeWebhookSecret }) =>
      StripeEvents.of({
        verify: Effect.fn("StripeEvents.verify")(function* (body, signature) {
          if (stripeWebhookSecret === null) return yield* new WebhookDisabled()
          const secret = Redacted.value(stripeWebhookSecret)
          const receivedAt = yield* Clock.currentTimeMillis
          return yield* Effect.try({
            try: () => {
              const checked = Stripe.webhooks.constructEvent(
                body,
                signature ?? "",
                secret,
                TOLERANCE_SECONDS,
                undefined,
                receivedAt
              )
              return paymentEvent(decodeEnvelope(checked))
            },
            catch: () => new SignatureRefused()
          })
        })
      })
    )
  )
}

/**
 * The reader of verified Stripe events. From an event it reads a fact (such as a payment or a
 * refund), or the reason why the event is not applied (such as another product or test mode).
 * applyEvent.ts and reversals.ts decide what a fact changes.
 */
import { Option, Schema } from "effect"
import type { PaymentEvent } from "./paymentEvent.ts"
import type { Offer } from "./product.ts"
import { readInvoice, readInvoicePayment, readSession } from "./readPayment.ts"
import {
  Charge,
  CheckoutSession,
  customerOf,
  Dispute,
  EndedSubscription,
  Invoice,
  InvoicePayment,
  idsOf,
  isStorableId,
  NOTHING,
  type Reading,
  refused
} from "./stripeObjects.ts"

export const Envelope = Schema.Struct({
  id: Schema.NonEmptyString,
  type: Schema.NonEmptyString,
  created: Schema.Finite,
  livemode: Schema.optionalKey(Schema.Unknown),
  /** Set for events of a Stripe account that is connected to ours and sells for itself. */
  account: Schema.optionalKey(Schema.Unknown),
  data: Schema.Struct({ object: Schema.Unknown })
})
type Envelope = typeof Envelope.Type

const MILLISECONDS = 1000
const LATEST_MILLISECONDS = Date.UTC(9999, 11, 31)

const isStorableInstant = (date: Date): boolean => date.getTime() >= 0 && date.getTime() <= LATEST_MILLISECONDS

const readEnded =
  (createdSeconds: number) =>
  (subscription: typeof EndedSubscription.Type): Reading => {
    const periodEnds = (subscription.items?.data ?? []).flatMap(({ current_period_end: end }) => end ?? [])
    const periodEnd = subscription.current_period_end ?? (periodEnds.length > 0 ? Math.max(...periodEnds) : undefined)
    const endsAt = new Date((periodEnd ?? subscription.ended_at ?? createdSeconds) * MILLISECONDS)
    if (!isStorableId(subscription.id) || !isStorableInstant(endsAt)) return refused("unreadable")
    return { ...NOTHING, fact: { _tag: "Ended", externalId: subscription.id, endsAt } }
  }

const readRefund = ({ customer, id, invoice, payment_intent, refunded }: typeof Charge.Type): Reading => {
  if (refunded !== true) return refused("partial-refund")
  const payments = idsOf(id, payment_intent, invoice)
  return { ...NOTHING, fact: { _tag: "Reversed", why: "refund", payments, customer: customerOf(customer) } }
}

const readDispute = ({ charge, payment_intent }: typeof Dispute.Type): Reading => ({
  ...NOTHING,
  fact: { _tag: "Reversed", why: "dispute", payments: idsOf(charge, payment_intent), customer: null }
})

/**
 * Reads the object of an event. An object without the documented shape is reported to the operator.
 */
const read = <A>(schema: Schema.ConstraintDecoder<A>, object: unknown, reading: (value: A) => Reading): Reading =>
  Option.match(Schema.decodeUnknownOption(schema)(object), { onNone: () => refused("unreadable"), onSome: reading })

const readingOf = ({ created, data: { object }, type }: Envelope, offer: Offer): Reading => {
  switch (type) {
    case "checkout.session.completed":
      return read(
        CheckoutSession,
        object,
        readSession(offer, (session) => session.payment_status === "paid")
      )
    case "checkout.session.async_payment_succeeded":
      return read(
        CheckoutSession,
        object,
        readSession(offer, () => true)
      )
    case "invoice.paid":
      return read(Invoice, object, readInvoice(offer))
    case "invoice_payment.paid":
      return read(InvoicePayment, object, readInvoicePayment)
    case "customer.subscription.deleted":
      return read(EndedSubscription, object, readEnded(created))
    case "charge.refunded":
      return read(Charge, object, readRefund)
    case "charge.dispute.created":
      return read(Dispute, object, readDispute)
    default:
      return NOTHING
  }
}

const isLive = ({ data: { object }, livemode }: Envelope): boolean =>
  livemode === true && (object as { readonly livemode?: unknown } | null)?.livemode !== false

/**
 * The reason why an event is not applied, whatever its content: it is of a connected account or of
 * test mode. Asked only for an event that concerns this service.
 */
const refusalOf = (envelope: Envelope, offer: Offer): Reading | undefined => {
  if (typeof envelope.account === "string") return refused("connected-account")
  return offer.stripeTestMode || isLive(envelope) ? undefined : refused("test-mode")
}

export const readEvent = (envelope: Envelope, offer: Offer): PaymentEvent => {
  const { id, type } = envelope
  const reading = readingOf(envelope, offer)
  const concernsUs = reading.fact !== null || reading.references !== null || reading.unapplied !== null
  const refusal = concernsUs ? refusalOf(envelope, offer) : undefined
  return { id, type, ...(refusal ?? reading) }
}

/**
 * Reads what a verified event of Stripe says, and judges whether it concerns what is sold here, in live mode, to one
 * address. What a fact changes is decided by events.ts and reversals.ts.
 */
import { Option, Schema } from "effect"
import { isEmail } from "../../../schema/keys.ts"
import { isUuid } from "../../../schema/primitives.ts"
import { withAsciiDomain } from "../mail/address.ts"
import type { PaymentEvent, Unapplied, UnappliedReason } from "./facts.ts"
import { invoiceProduct, isNothing, type Offer, sessionProduct } from "./product.ts"
import { Charge, CheckoutSession, Dispute, EndedSubscription, Invoice, InvoicePayment, idOf } from "./stripeObjects.ts"

export const Envelope = Schema.Struct({
  id: Schema.NonEmptyString,
  type: Schema.NonEmptyString,
  created: Schema.Finite,
  livemode: Schema.optionalKey(Schema.Unknown),
  /** Of an account that is connected to ours, and sells for itself. */
  account: Schema.optionalKey(Schema.Unknown),
  data: Schema.Struct({ object: Schema.Unknown })
})
type Envelope = typeof Envelope.Type

type Reading = Pick<PaymentEvent, "fact" | "references" | "unapplied">

const MILLISECONDS = 1000
/** Longer than any id of Stripe's. */
const MAX_ID_CHARACTERS = 255
const LATEST_MILLISECONDS = Date.UTC(9999, 11, 31)
const NOTHING: Reading = { fact: null, references: null, unapplied: null }

const refused = (reason: UnappliedReason, externalId: Unapplied["externalId"] = null): Reading => ({
  ...NOTHING,
  unapplied: { reason, externalId }
})

export const isStorableId = (id: string): boolean =>
  id !== "" && id.length <= MAX_ID_CHARACTERS && !id.includes("\0") && id.isWellFormed()

const isStorableInstant = (date: Date): boolean => date.getTime() >= 0 && date.getTime() <= LATEST_MILLISECONDS

/** The ids among references that the database can store. */
const idsOf = (...references: ReadonlyArray<Parameters<typeof idOf>[0]>): ReadonlyArray<string> =>
  references.flatMap((reference) => idOf(reference) ?? []).filter(isStorableId)

const customerOf = (reference: Parameters<typeof idOf>[0]): string | null => idsOf(reference)[0] ?? null

const isNoAddress = (email: string): boolean => email !== "" && !isEmail(email)

/** A trial, or a first period that is free. Whether it pays one day, its invoices say. */
const isFree = ({ amount_total, mode, payment_status, subscription }: typeof CheckoutSession.Type): boolean =>
  mode === "subscription" &&
  idOf(subscription) !== undefined &&
  (payment_status === "no_payment_required" || isNothing(amount_total))

/** Only a payment has references: a free checkout is none. */
const paidReferences = (session: typeof CheckoutSession.Type, owner: string): PaymentEvent["references"] => ({
  owner,
  payments: idsOf(session.payment_intent, session.invoice),
  customer: customerOf(session.customer)
})

const otherProduct = (
  session: typeof CheckoutSession.Type,
  externalId: string,
  references: PaymentEvent["references"]
): Reading => {
  const { client_reference_id: reference } = session
  const sandboxKeyId = typeof reference === "string" && isUuid(reference) ? reference : null
  if (references === null && sandboxKeyId === null) return NOTHING
  return { fact: null, references, unapplied: { reason: "other-product", externalId, sandboxKeyId } }
}

const readSession =
  (offer: Offer, isPaid: (session: typeof CheckoutSession.Type) => boolean) =>
  (session: typeof CheckoutSession.Type): Reading => {
    const free = isFree(session)
    if (!free && (!isPaid(session) || isNothing(session.amount_total))) return NOTHING
    // A one-time purchase goes by its checkout: a customer can make several.
    const externalId = idOf(session.subscription) ?? session.id
    if (!isStorableId(externalId)) return refused("unreadable")
    const product = sessionProduct(session, offer)
    const references = free ? null : paidReferences(session, externalId)
    const email = withAsciiDomain(session.customer_details?.email ?? session.customer_email ?? "")
    if (product === "other") return otherProduct(session, externalId, references)
    if (isNoAddress(email)) return { ...refused("not-one-address", externalId), references }
    const purchase = { externalId, email, sandboxKeyId: session.client_reference_id ?? null }
    const fact =
      product === "ours" && !free
        ? { _tag: "Paid" as const, ...purchase }
        : { _tag: "Named" as const, ...purchase, isOurs: product === "ours" && offer.stripePrice === null }
    return { fact, references, unapplied: null }
  }

/** Nothing is said by an invoice over nothing: a trial, a credit. */
const readInvoice =
  (offer: Offer) =>
  (invoice: typeof Invoice.Type): Reading => {
    if ((invoice.amount_paid ?? 0) <= 0) return NOTHING
    const product = invoiceProduct(invoice, offer)
    const externalId = idOf(invoice.parent?.subscription_details?.subscription) ?? idOf(invoice.subscription)
    const owner = externalId ?? invoice.id
    if (!isStorableId(owner)) return refused("unreadable")
    const paidWith = (invoice.payments?.data ?? []).flatMap(({ payment }) =>
      idsOf(payment?.payment_intent, payment?.charge)
    )
    const payments = [...idsOf(invoice.id, invoice.payment_intent, invoice.charge), ...paidWith]
    const references = { owner, payments, customer: customerOf(invoice.customer) }
    // Its refund is then told from one of a subscription that the customer has here.
    if (externalId === undefined) {
      return { ...(product === "ours" ? refused("no-subscription", owner) : NOTHING), references }
    }
    const email = withAsciiDomain(invoice.customer_email ?? "")
    if (product === "unknown") {
      // The first is paid in its checkout, which tells by itself.
      const isFirst = invoice.billing_reason === "subscription_create"
      return { ...(isFirst ? NOTHING : refused("no-checkout", externalId)), references }
    }
    if (product === "other") return { ...refused("other-product", externalId), references }
    if (isNoAddress(email)) return { ...refused("not-one-address", externalId), references }
    return { fact: { _tag: "Paid", externalId, email, sandboxKeyId: null }, references, unapplied: null }
  }

const readInvoicePayment = ({ invoice, payment }: typeof InvoicePayment.Type): Reading => {
  const [owner] = idsOf(invoice)
  const payments = idsOf(payment?.payment_intent, payment?.charge)
  return owner === undefined ? NOTHING : { ...NOTHING, references: { owner, payments, customer: null } }
}

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

/** Reads the object of an event; one that does not have the documented shape is kept for the operator. */
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

const createdAt = ({ created }: Envelope): Date => {
  const date = new Date(created * MILLISECONDS)
  return isStorableInstant(date) ? date : new Date(0)
}

/** Whose event it is decides before what it says. */
const refusalOf = (envelope: Envelope, offer: Offer): Reading | undefined => {
  if (typeof envelope.account === "string") return refused("connected-account")
  return offer.stripeTestMode || isLive(envelope) ? undefined : refused("test-mode")
}

export const readEvent = (envelope: Envelope, offer: Offer): PaymentEvent => {
  const { id, type } = envelope
  const reading = readingOf(envelope, offer)
  const concernsUs = reading.fact !== null || reading.references !== null || reading.unapplied !== null
  const refusal = concernsUs ? refusalOf(envelope, offer) : undefined
  return { id, type, createdAt: createdAt(envelope), ...(refusal ?? reading) }
}

/**
 * Reads what a verified event of Stripe says, and judges whether it concerns what is sold here: the configured price or
 * payment link, in live mode, paid by one address. What a fact changes is decided by events.ts and reversals.ts.
 */
import { Option, Schema } from "effect"
import { isEmail } from "../../../schema/keys.ts"
import type { Settings } from "../../config.ts"
import type { PaymentEvent, Unapplied, UnappliedReason } from "./facts.ts"
import { Charge, CheckoutSession, Dispute, EndedSubscription, Invoice, InvoicePayment, idOf } from "./stripeObjects.ts"

type Offer = Pick<Settings, "stripePrice" | "stripePaymentLink" | "stripeTestMode">

export const Envelope = Schema.Struct({
  id: Schema.NonEmptyString,
  type: Schema.NonEmptyString,
  created: Schema.Finite,
  livemode: Schema.optionalKey(Schema.Unknown),
  data: Schema.Struct({ object: Schema.Unknown })
})
type Envelope = typeof Envelope.Type

type Reading = Pick<PaymentEvent, "fact" | "references" | "unapplied">
/** `unknown`: only the invoice tells. */
type Product = "ours" | "unknown" | "other"

const MILLISECONDS = 1000
/** Longer than any id of Stripe's. */
const MAX_ID_CHARACTERS = 255
const LATEST_MILLISECONDS = Date.UTC(9999, 11, 31)
const NOTHING: Reading = { fact: null, references: null, unapplied: null }

const refused = (reason: UnappliedReason, externalId: Unapplied["externalId"] = null): Reading => ({
  ...NOTHING,
  unapplied: { reason, externalId }
})

export const isStorableId = (id: string): boolean => id !== "" && id.length <= MAX_ID_CHARACTERS && !id.includes("\0")

const isStorableInstant = (date: Date): boolean => date.getTime() >= 0 && date.getTime() <= LATEST_MILLISECONDS

/** The ids among references that the database can store. */
const idsOf = (...references: ReadonlyArray<Parameters<typeof idOf>[0]>): ReadonlyArray<string> =>
  references.flatMap((reference) => idOf(reference) ?? []).filter(isStorableId)

const customerOf = (reference: Parameters<typeof idOf>[0]): string | null => idsOf(reference)[0] ?? null

const sessionProduct = (session: typeof CheckoutSession.Type, { stripePaymentLink, stripePrice }: Offer): Product => {
  if (stripePaymentLink !== null && idOf(session.payment_link) === stripePaymentLink) return "ours"
  if (stripePrice === null) return "other"
  const items = session.line_items?.data
  if (items?.some(({ price }) => idOf(price) === stripePrice) === true) return "ours"
  return session.mode === "subscription" && items === undefined ? "unknown" : "other"
}

/** Without a price the checkout decides alone, and an invoice only adds its references. */
const invoiceProduct = (invoice: typeof Invoice.Type, { stripePrice }: Offer): Product => {
  if (stripePrice === null) return "unknown"
  const isOurs = invoice.lines?.data.some(({ price, pricing }) =>
    [idOf(price), idOf(pricing?.price_details?.price)].includes(stripePrice)
  )
  return isOurs === true ? "ours" : "other"
}

const isNothing = (amount: number | null | undefined): boolean => typeof amount === "number" && amount <= 0
const isNoAddress = (email: string | null): boolean => email !== null && email.trim() !== "" && !isEmail(email)

const readSession =
  (offer: Offer, isPaid: (session: typeof CheckoutSession.Type) => boolean) =>
  (session: typeof CheckoutSession.Type): Reading => {
    if (!isPaid(session) || isNothing(session.amount_total)) return NOTHING
    const externalId = idOf(session.subscription) ?? idOf(session.customer) ?? session.id
    if (!isStorableId(externalId)) return refused("unreadable")
    const product = sessionProduct(session, offer)
    // A one-time payment of ours goes by its customer, so one of another product does not: its refund would hold ours.
    const owner = product === "other" ? (idOf(session.subscription) ?? session.id) : externalId
    const payments = idsOf(session.payment_intent, session.invoice)
    const references = isStorableId(owner) ? { owner, payments, customer: customerOf(session.customer) } : null
    const email = session.customer_details?.email ?? session.customer_email ?? null
    if (product === "other") return { ...refused("other-product", externalId), references }
    if (isNoAddress(email)) return { ...refused("not-one-address", externalId), references }
    const purchase = { externalId, email, sandboxKeyId: session.client_reference_id ?? null }
    return { fact: { _tag: product === "ours" ? "Paid" : "Named", ...purchase }, references, unapplied: null }
  }

/** Nothing is said by an invoice over nothing: a trial, a credit. */
const readInvoice =
  (offer: Offer) =>
  (invoice: typeof Invoice.Type): Reading => {
    if ((invoice.amount_paid ?? 0) <= 0) return NOTHING
    const product = invoiceProduct(invoice, offer)
    const externalId = idOf(invoice.parent?.subscription_details?.subscription) ?? idOf(invoice.subscription)
    if (externalId === undefined) return product === "ours" ? refused("no-subscription") : NOTHING
    if (!isStorableId(externalId)) return refused("unreadable")
    const paidWith = (invoice.payments?.data ?? []).flatMap(({ payment }) =>
      idsOf(payment?.payment_intent, payment?.charge)
    )
    const payments = [...idsOf(invoice.id, invoice.payment_intent, invoice.charge), ...paidWith]
    const references = { owner: externalId, payments, customer: customerOf(invoice.customer) }
    const email = invoice.customer_email ?? null
    if (product === "unknown") return { ...NOTHING, references }
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

export const readEvent = (envelope: Envelope, offer: Offer): PaymentEvent => {
  const { id, type } = envelope
  const reading = readingOf(envelope, offer)
  const concernsUs = reading.fact !== null || reading.references !== null || reading.unapplied !== null
  const isRefused = concernsUs && !offer.stripeTestMode && !isLive(envelope)
  return { id, type, createdAt: createdAt(envelope), ...(isRefused ? refused("test-mode") : reading) }
}

/**
 * Readers of checkouts and invoices. They find the payer, the product, and the ids by which later
 * events refer to the payment. readEvent.ts knows which types of events contain them.
 */
import { isEmail } from "../../../schema/keys.ts"
import { isUuid } from "../../../schema/primitives.ts"
import { withAsciiDomain } from "./mails.ts"
import type { PaymentEvent } from "./paymentEvent.ts"
import { invoiceProduct, isZeroAmount, type Offer, sessionProduct } from "./product.ts"
import {
  type CheckoutSession,
  customerOf,
  type Invoice,
  type InvoicePayment,
  idOf,
  idsOf,
  isStorableId,
  NOTHING,
  type Reading,
  refused
} from "./stripeObjects.ts"

const isInvalidAddress = (email: string): boolean => email !== "" && !isEmail(email)

/** A trial, or a free first period. Its invoices show whether it is paid later. */
const isFree = ({ amount_total, mode, payment_status, subscription }: typeof CheckoutSession.Type): boolean =>
  mode === "subscription" &&
  idOf(subscription) !== undefined &&
  (payment_status === "no_payment_required" || isZeroAmount(amount_total))

/** Ids of a payment; a free checkout has none. */
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
  return { ...NOTHING, references, unapplied: { reason: "other-product", externalId, sandboxKeyId } }
}

export const readSession =
  (offer: Offer, isPaid: (session: typeof CheckoutSession.Type) => boolean) =>
  (session: typeof CheckoutSession.Type): Reading => {
    const free = isFree(session)
    if (!free && (!isPaid(session) || isZeroAmount(session.amount_total))) return NOTHING
    // A one-time purchase is identified by its checkout, because a customer can make several.
    const externalId = idOf(session.subscription) ?? session.id
    if (!isStorableId(externalId)) return refused("unreadable")
    const product = sessionProduct(session, offer)
    const references = free ? null : paidReferences(session, externalId)
    const email = withAsciiDomain(session.customer_details?.email ?? session.customer_email ?? "")
    if (product === "other") return otherProduct(session, externalId, references)
    const purchase = { externalId, sandboxKeyId: session.client_reference_id ?? null }
    if (product === "ours" && !free) {
      if (isInvalidAddress(email)) return { ...refused("not-one-address", externalId), references }
      return { fact: { _tag: "Paid", ...purchase, email }, references, unapplied: null }
    }
    // An invalid address is dropped without a report, because the event of the payment is reported.
    const named = { ...purchase, email: isInvalidAddress(email) ? null : email }
    const isOurs = product === "ours" && offer.stripePrice === null
    return { fact: { _tag: "Named", ...named, isOurs }, references, unapplied: null }
  }

/** An invoice on which nothing was paid, such as that of a trial, is ignored. */
export const readInvoice =
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
    // The references are stored, so that a refund of this invoice does not hold a subscription that
    // the customer has here.
    if (externalId === undefined) {
      return { ...(product === "ours" ? refused("no-subscription", owner) : NOTHING), references }
    }
    if (product === "other") return { ...refused("other-product", externalId), references }
    if (product === "unknown") {
      // The first invoice is paid in its checkout, which has an event of its own.
      const isFirst = invoice.billing_reason === "subscription_create"
      return { ...(isFirst ? NOTHING : refused("no-checkout", externalId)), references }
    }
    const email = withAsciiDomain(invoice.customer_email ?? "")
    if (isInvalidAddress(email)) return { ...refused("not-one-address", externalId), references }
    return { fact: { _tag: "Paid", externalId, email, sandboxKeyId: null }, references, unapplied: null }
  }

export const readInvoicePayment = ({ invoice, payment }: typeof InvoicePayment.Type): Reading => {
  const [owner] = idsOf(invoice)
  const payments = idsOf(payment?.payment_intent, payment?.charge)
  return owner === undefined ? NOTHING : { ...NOTHING, references: { owner, payments, customer: null } }
}

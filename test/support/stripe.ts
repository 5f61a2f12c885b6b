/** Stripe events about the tests' products, in old and new versions of Stripe's API. Not signed. */
import { randomUUID } from "node:crypto"
import type { PaymentEvent } from "../../src/services/accounts/paymentEvent.ts"
import { readEvent } from "../../src/services/accounts/readEvent.ts"

const OFFER: Parameters<typeof readEvent>[1] = {
  stripePrice: "price_tests",
  stripePaymentLink: "plink_tests",
  stripeTestMode: false
}
export const PAID_AT = 1_790_000_000

export interface Purchase {
  /** Identifies the purchase in all ids of its objects. */
  readonly of: string
  readonly customer: string
  readonly email: string
  readonly keyId?: string
  readonly created?: number
  /** Prefix of a renewal's invoice, charge and payment intent, which differ from the first. */
  readonly renewal?: string
}

const paymentOf = ({ of, renewal = "" }: Pick<Purchase, "of" | "renewal">): string => `${renewal}${of}`

/** An offer that only the payment link identifies. */
const BY_LINK = { ...OFFER, stripePrice: null }

const event = (
  type: string,
  created: number,
  object: Readonly<Record<string, unknown>>,
  offer: Parameters<typeof readEvent>[1] = OFFER
): PaymentEvent => readEvent({ id: `evt_${randomUUID()}`, type, created, livemode: true, data: { object } }, offer)

/** A completed checkout of a subscription, with the fields of its payment or others. */
const checkoutOf = (
  { created = PAID_AT, customer, email, keyId, of }: Purchase,
  changes: Readonly<Record<string, unknown>>,
  offer = OFFER
): PaymentEvent => {
  const object = {
    id: `cs_${of}`,
    mode: "subscription",
    payment_link: "plink_tests",
    subscription: `sub_${of}`,
    customer,
    client_reference_id: keyId ?? null,
    customer_details: { email }
  }
  return event("checkout.session.completed", created, { ...object, ...changes }, offer)
}

export const checkout = (purchase: Purchase, offer = OFFER): PaymentEvent =>
  checkoutOf(purchase, { payment_status: "paid", amount_total: 4900, invoice: `in_${purchase.of}` }, offer)

/** A checkout whose invoice Stripe has not finalized yet. */
export const checkoutWithoutInvoice = (purchase: Purchase): PaymentEvent =>
  checkoutOf(purchase, { payment_status: "paid", amount_total: 4900, invoice: null })

export const checkoutByLink = (purchase: Purchase): PaymentEvent => checkout(purchase, BY_LINK)

/** The checkout of a trial, for an offer known by price or by link. */
export const trial = (purchase: Purchase, offer = OFFER): PaymentEvent =>
  checkoutOf(purchase, { payment_status: "no_payment_required", amount_total: 0 }, offer)

export const trialByLink = (purchase: Purchase): PaymentEvent => trial(purchase, BY_LINK)

/** The checkout of another product's subscription, for an offer known by link. */
export const otherByLink = (purchase: Purchase): PaymentEvent =>
  checkoutOf(purchase, { payment_status: "paid", payment_link: "plink_of_something_else" }, BY_LINK)

/** A one-time payment, for this offer or for another product. */
export const single = (purchase: Purchase, paymentLink = "plink_tests"): PaymentEvent => {
  const { of } = purchase
  const payment = { payment_link: paymentLink, payment_intent: `pi_${of}`, invoice: `in_${of}`, subscription: null }
  return checkoutOf({ ...purchase, created: PAID_AT }, { mode: "payment", payment_status: "paid", ...payment })
}

/** A checkout with another payment link; only its invoice shows the price. */
export const otherLink = (purchase: Purchase): PaymentEvent =>
  checkoutOf(purchase, { payment_status: "paid", payment_link: "plink_of_something_else" })

/** A paid invoice, with other fields. */
const invoiceOf = (purchase: Purchase, changes: Readonly<Record<string, unknown>>, offer = OFFER): PaymentEvent => {
  const { created = PAID_AT, customer, email } = purchase
  const invoice = { id: `in_${paymentOf(purchase)}`, customer, customer_email: email, amount_paid: 4900 }
  return event("invoice.paid", created, { ...invoice, ...changes }, offer)
}

/** An invoice of the old API, which names its charge and payment intent. */
export const oldInvoice = (purchase: Purchase, price = "price_tests"): PaymentEvent => {
  const payment = paymentOf(purchase)
  return invoiceOf(purchase, {
    subscription: `sub_${purchase.of}`,
    charge: `ch_${payment}`,
    payment_intent: `pi_${payment}`,
    lines: { data: [{ price: { id: price } }] }
  })
}

/** An invoice without a price; only the checkout shows which product it is for. */
export const invoiceByLink = (purchase: Purchase): PaymentEvent =>
  invoiceOf(purchase, { subscription: `sub_${purchase.of}`, charge: `ch_${paymentOf(purchase)}` }, BY_LINK)

/** An invoice without a subscription: for another product, or a one-time purchase. */
export const singleInvoice = ({ customer, email, of }: Purchase, price = "price_of_something_else"): PaymentEvent =>
  invoiceOf(
    { customer, email, of },
    { amount_paid: 900, charge: `ch_${of}`, lines: { data: [{ price: { id: price } }] } }
  )

/** An invoice of the new API. Only the event of `invoicePayment` names its payment. */
export const newInvoice = ({ renewal: _, ...purchase }: Purchase): PaymentEvent =>
  invoiceOf(purchase, {
    parent: { subscription_details: { subscription: `sub_${purchase.of}` } },
    lines: { data: [{ pricing: { price_details: { price: "price_tests" } } }] }
  })

export const invoicePayment = ({ of }: Pick<Purchase, "of">): PaymentEvent =>
  event("invoice_payment.paid", PAID_AT, {
    invoice: `in_${of}`,
    payment: { type: "payment_intent", payment_intent: `pi_${of}` }
  })

export const refund = ({ created = PAID_AT + 50, customer, ...paid }: Omit<Purchase, "email">, refunded = true) => {
  const payment = paymentOf(paid)
  return event("charge.refunded", created, { id: `ch_${payment}`, payment_intent: `pi_${payment}`, customer, refunded })
}

export const dispute = ({ of }: Pick<Purchase, "of">): PaymentEvent =>
  event("charge.dispute.created", PAID_AT + 60, { charge: `ch_${of}`, payment_intent: `pi_${of}` })

export const deleted = ({ of }: Pick<Purchase, "of">, periodEnd: number): PaymentEvent =>
  event("customer.subscription.deleted", PAID_AT + 70, { id: `sub_${of}`, current_period_end: periodEnd })

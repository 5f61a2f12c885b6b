/** Events as Stripe sends them, in old and new shapes of its API, about what the tests sell. Signs nothing. */
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
  /** Told apart by this, everything about one purchase. */
  readonly of: string
  readonly customer: string
  readonly email: string
  readonly keyId?: string
  readonly created?: number
  /** Of a renewal, whose invoice, charge and payment intent are others than those of the first payment. */
  readonly renewal?: string
}

const paymentOf = ({ of, renewal = "" }: Pick<Purchase, "of" | "renewal">): string => `${renewal}${of}`

/** As read where the payment link alone tells what is sold. */
const BY_LINK = { ...OFFER, stripePrice: null }

const event = (
  type: string,
  created: number,
  object: Readonly<Record<string, unknown>>,
  offer: Parameters<typeof readEvent>[1] = OFFER
): PaymentEvent => readEvent({ id: `evt_${randomUUID()}`, type, created, livemode: true, data: { object } }, offer)

/** A finished checkout of a subscription; `paid` is what it has paid. */
const checkoutOf = (
  { created = PAID_AT, customer, email, keyId, of }: Purchase,
  paid: Readonly<Record<string, unknown>>,
  offer: Parameters<typeof readEvent>[1]
): PaymentEvent =>
  event(
    "checkout.session.completed",
    created,
    {
      id: `cs_${of}`,
      mode: "subscription",
      payment_link: "plink_tests",
      subscription: `sub_${of}`,
      customer,
      client_reference_id: keyId ?? null,
      customer_details: { email },
      ...paid
    },
    offer
  )

export const checkout = (purchase: Purchase, offer = OFFER): PaymentEvent =>
  checkoutOf(purchase, { payment_status: "paid", amount_total: 4900, invoice: `in_${purchase.of}` }, offer)

/** As where Stripe has not finished the invoice yet. */
export const checkoutWithoutInvoice = (purchase: Purchase): PaymentEvent =>
  checkoutOf(purchase, { payment_status: "paid", amount_total: 4900, invoice: null }, OFFER)

export const checkoutByLink = (purchase: Purchase): PaymentEvent => checkout(purchase, BY_LINK)

/** The checkout of a trial, where a price or the link alone tells what is sold. */
export const trial = (purchase: Purchase, offer = OFFER): PaymentEvent =>
  checkoutOf(purchase, { payment_status: "no_payment_required", amount_total: 0 }, offer)

export const trialByLink = (purchase: Purchase): PaymentEvent => trial(purchase, BY_LINK)

/** An invoice where no price is known: only the checkout can tell what it is for. */
export const invoiceByLink = (purchase: Purchase): PaymentEvent => {
  const { created = PAID_AT, customer, email, of } = purchase
  const payment = paymentOf(purchase)
  return event(
    "invoice.paid",
    created,
    {
      id: `in_${payment}`,
      subscription: `sub_${of}`,
      customer,
      customer_email: email,
      amount_paid: 4900,
      charge: `ch_${payment}`
    },
    BY_LINK
  )
}

/** The checkout of another product's subscription, where the link alone tells what is sold. */
export const otherByLink = ({ customer, email, of }: Purchase): PaymentEvent =>
  event(
    "checkout.session.completed",
    PAID_AT,
    {
      id: `cs_${of}`,
      mode: "subscription",
      payment_status: "paid",
      payment_link: "plink_of_something_else",
      subscription: `sub_${of}`,
      customer,
      customer_details: { email }
    },
    BY_LINK
  )

/** An invoice of no subscription: of something else, or of a one-time purchase. */
export const singleInvoice = ({ customer, email, of }: Purchase, price = "price_of_something_else"): PaymentEvent =>
  event("invoice.paid", PAID_AT, {
    id: `in_${of}`,
    customer,
    customer_email: email,
    amount_paid: 900,
    charge: `ch_${of}`,
    lines: { data: [{ price: { id: price } }] }
  })

/** A one-time payment of a customer: for what is sold here, or for something else. */
export const single = ({ customer, email, keyId, of }: Purchase, paymentLink = "plink_tests"): PaymentEvent =>
  event("checkout.session.completed", PAID_AT, {
    id: `cs_${of}`,
    mode: "payment",
    payment_status: "paid",
    payment_link: paymentLink,
    payment_intent: `pi_${of}`,
    invoice: `in_${of}`,
    customer,
    client_reference_id: keyId ?? null,
    customer_details: { email }
  })

/** A checkout whose payment link is another, and of which only the invoice can tell the price. */
export const otherLink = (purchase: Purchase): PaymentEvent => {
  const { created = PAID_AT, customer, email, keyId, of } = purchase
  return event("checkout.session.completed", created, {
    id: `cs_${of}`,
    mode: "subscription",
    payment_status: "paid",
    payment_link: "plink_of_something_else",
    subscription: `sub_${of}`,
    customer,
    client_reference_id: keyId ?? null,
    customer_details: { email }
  })
}

/** Names its charge and its payment intent itself. */
export const oldInvoice = (purchase: Purchase, price = "price_tests"): PaymentEvent => {
  const { created = PAID_AT, customer, email, of } = purchase
  const payment = paymentOf(purchase)
  return event("invoice.paid", created, {
    id: `in_${payment}`,
    subscription: `sub_${of}`,
    customer,
    customer_email: email,
    amount_paid: 4900,
    charge: `ch_${payment}`,
    payment_intent: `pi_${payment}`,
    lines: { data: [{ price: { id: price } }] }
  })
}

/** Does not name what it was paid with: `invoicePayment` does. */
export const newInvoice = ({ created = PAID_AT, customer, email, of }: Purchase): PaymentEvent =>
  event("invoice.paid", created, {
    id: `in_${of}`,
    parent: { subscription_details: { subscription: `sub_${of}` } },
    customer,
    customer_email: email,
    amount_paid: 4900,
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

/**
 * The product check of checkouts and invoices: whether they are for the configured price or payment
 * link. The amount is ignored, except that zero does not count as paid.
 */
import type { Settings } from "../../platform/config.ts"
import { type CheckoutSession, type Invoice, idOf } from "./stripeObjects.ts"

export type Offer = Pick<Settings, "stripePrice" | "stripePaymentLink" | "stripeTestMode">

/** `unknown`: a checkout whose invoice decides, or an invoice whose checkout decides. */
type Product = "ours" | "unknown" | "other"

export const sessionProduct = (
  session: typeof CheckoutSession.Type,
  { stripePaymentLink, stripePrice }: Offer
): Product => {
  if (stripePaymentLink !== null && idOf(session.payment_link) === stripePaymentLink) return "ours"
  if (stripePrice === null) return "other"
  const items = session.line_items?.data
  if (items?.some(({ price }) => idOf(price) === stripePrice) === true) return "ours"
  return session.mode === "subscription" && items === undefined ? "unknown" : "other"
}

export const isZeroAmount = (amount: number | null | undefined): boolean => typeof amount === "number" && amount <= 0

/**
 * Without a configured price only the checkout decides, and an invoice just adds its references. A
 * line with our price is ignored if its amount is zero (a trial) or negative, because the invoice
 * was paid for something else.
 */
export const invoiceProduct = (invoice: typeof Invoice.Type, { stripePrice }: Offer): Product => {
  if (stripePrice === null) return "unknown"
  const isOurs = invoice.lines?.data.some(
    ({ amount, price, pricing }) =>
      !isZeroAmount(amount) && [idOf(price), idOf(pricing?.price_details?.price)].includes(stripePrice)
  )
  return isOurs === true ? "ours" : "other"
}

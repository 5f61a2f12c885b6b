/** What Stripe may tell of one purchase, by a price or by the payment link alone, as the tests' events have it. */
import type { PaymentEvent } from "../../src/services/payments/facts.ts"
import * as stripe from "../../test/support/stripe.ts"

export type Chapter = (purchase: stripe.Purchase) => PaymentEvent

const { PAID_AT } = stripe
const FAR_OFF = 3_000_000_000

const at = (created: number, renewal: string) => (purchase: stripe.Purchase) => ({
  ...purchase,
  renewal,
  created: PAID_AT + created
})
const [second, third] = [at(200, "2"), at(300, "3")]
const [refundOfSecond, refundOfThird] = [at(210, "2"), at(500, "3")]

const toTwo = (purchase: stripe.Purchase) => ({ ...purchase, email: "a@b.org, c@d.org" })
const toNobody = (purchase: stripe.Purchase) => ({ ...purchase, email: "" })
/** Another payment of the customer's, of which nothing is known until something else is told of it. */
const other = (purchase: stripe.Purchase) => ({ ...purchase, of: `else${purchase.of}` })

const STOPS: ReadonlyArray<Chapter> = [
  stripe.refund,
  (purchase) => stripe.refund(refundOfSecond(purchase)),
  (purchase) => stripe.refund(refundOfThird(purchase)),
  stripe.dispute,
  (purchase) => stripe.refund(other(purchase)),
  (purchase) => stripe.refund({ ...other(purchase), created: PAID_AT + 250 }),
  (purchase) => stripe.single({ ...other(purchase), keyId: "none" }, "plink_of_something_else"),
  (purchase) => stripe.invoicePayment(other(purchase)),
  (purchase) => stripe.deleted(purchase, PAID_AT + 150),
  (purchase) => stripe.deleted(purchase, PAID_AT + 600),
  (purchase) => stripe.deleted(purchase, FAR_OFF)
]

export const BY_PRICE: ReadonlyArray<Chapter> = [
  stripe.checkout,
  stripe.checkoutWithoutInvoice,
  (purchase) => stripe.checkout(toTwo(purchase)),
  (purchase) => stripe.checkout({ ...toNobody(purchase), keyId: "none" }),
  stripe.trial,
  (purchase) => stripe.trial(toTwo(purchase)),
  stripe.otherLink,
  stripe.oldInvoice,
  (purchase) => stripe.newInvoice({ ...purchase, created: PAID_AT + 1 }),
  stripe.invoicePayment,
  (purchase) => stripe.oldInvoice(second(purchase)),
  (purchase) => stripe.oldInvoice(toTwo(second(purchase))),
  (purchase) => stripe.oldInvoice(third(purchase)),
  (purchase) => stripe.oldInvoice(toNobody(third(purchase))),
  ...STOPS
]

export const BY_LINK: ReadonlyArray<Chapter> = [
  stripe.checkoutByLink,
  (purchase) => stripe.checkoutByLink(toTwo(purchase)),
  stripe.trialByLink,
  (purchase) => stripe.trialByLink(toTwo(purchase)),
  (purchase) => stripe.trialByLink({ ...toNobody(purchase), keyId: "none" }),
  stripe.invoiceByLink,
  (purchase) => stripe.invoiceByLink(second(purchase)),
  (purchase) => stripe.invoiceByLink(third(purchase)),
  ...STOPS
]

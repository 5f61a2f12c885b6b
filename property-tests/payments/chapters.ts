/** Events that Stripe may send about one purchase (chapters), and what each one says. */
import type { PaymentEvent } from "../../src/services/accounts/paymentEvent.ts"
import * as stripe from "../../test/support/stripe.ts"
import type { Statement } from "./model.ts"

/** `keyId` is that of the payer's sandbox key, if the purchase names it. */
type Purchase = stripe.Purchase

export interface Chapter {
  readonly event: (purchase: Purchase) => PaymentEvent
  readonly says: (purchase: Purchase) => Omit<Statement, "of"> & { readonly of?: string }
}

const FAR_OFF = 3_000_000_000
const MILLISECONDS = 1000

const toTwo = (purchase: Purchase) => ({ ...purchase, email: "a@b.org, c@d.org" })
const toNobody = (purchase: Purchase) => ({ ...purchase, email: "" })
const unnamed = (purchase: Purchase) => ({ ...purchase, keyId: "none" })
const renewed = (renewal: string) => (purchase: Purchase) => ({ ...purchase, renewal })
/** Another payment of the same customer, unknown until a further event mentions it. */
const other = (purchase: Purchase) => ({ ...purchase, of: `else${purchase.of}` })
const [second, third] = [renewed("2"), renewed("3")]

const isNaming = ({ keyId }: Purchase) => ({ hasAddress: keyId !== undefined })
const invoiceIds = (name: string) => [`in_${name}`, `ch_${name}`, `pi_${name}`]
const refundOf = (name: string, by?: string) => ({
  reverses: { why: "refund", ids: [`ch_${name}`, `pi_${name}`], ...(by === undefined ? {} : { by }) } as const
})

const OURS = { money: "ours", hasAddress: true } as const

const STOPS: ReadonlyArray<Chapter> = [
  { event: stripe.refund, says: ({ customer, of }) => refundOf(of, customer) },
  { event: (purchase) => stripe.refund(purchase, false), says: () => ({}) },
  { event: (purchase) => stripe.refund(second(purchase)), says: ({ customer, of }) => refundOf(`2${of}`, customer) },
  {
    event: stripe.dispute,
    says: ({ of }) => ({ reverses: { why: "dispute", ids: [`ch_${of}`, `pi_${of}`] } })
  },
  { event: (purchase) => stripe.refund(other(purchase)), says: ({ customer, of }) => refundOf(`else${of}`, customer) },
  {
    event: (purchase) => stripe.single(unnamed(other(purchase)), "plink_of_something_else"),
    says: ({ customer, of }) => ({ of: `cs_else${of}`, ids: [`pi_else${of}`, `in_else${of}`], customer })
  },
  {
    event: (purchase) => stripe.invoicePayment(other(purchase)),
    says: ({ of }) => ({ of: `in_else${of}`, ids: [`pi_else${of}`] })
  },
  ...[stripe.PAID_AT + 150, stripe.PAID_AT + 600, FAR_OFF].map((end) => ({
    event: (purchase: Purchase) => stripe.deleted(purchase, end),
    says: () => ({ endsAt: end * MILLISECONDS })
  }))
]

export const BY_PRICE: ReadonlyArray<Chapter> = [
  { event: stripe.checkout, says: ({ customer, of }) => ({ ...OURS, ids: [`in_${of}`], customer }) },
  { event: stripe.checkoutWithoutInvoice, says: ({ customer }) => ({ ...OURS, customer }) },
  {
    event: (purchase) => stripe.checkout(toTwo(purchase)),
    says: ({ customer, of }) => ({ ids: [`in_${of}`], customer })
  },
  {
    event: (purchase) => stripe.checkout(unnamed(toNobody(purchase))),
    says: ({ customer, of }) => ({ money: "ours", ids: [`in_${of}`], customer })
  },
  { event: stripe.trial, says: isNaming },
  { event: (purchase) => stripe.trial(toTwo(purchase)), says: isNaming },
  { event: stripe.otherLink, says: (purchase) => ({ ...isNaming(purchase), customer: purchase.customer }) },
  { event: stripe.oldInvoice, says: ({ customer, of }) => ({ ...OURS, ids: invoiceIds(of), customer }) },
  { event: stripe.newInvoice, says: ({ customer, of }) => ({ ...OURS, ids: [`in_${of}`], customer }) },
  { event: stripe.invoicePayment, says: ({ of }) => ({ of: `in_${of}`, ids: [`pi_${of}`] }) },
  {
    event: (purchase) => stripe.oldInvoice(second(purchase)),
    says: ({ customer, of }) => ({ ...OURS, ids: invoiceIds(`2${of}`), customer })
  },
  {
    event: (purchase) => stripe.oldInvoice(toTwo(second(purchase))),
    says: ({ customer, of }) => ({ ids: invoiceIds(`2${of}`), customer })
  },
  {
    event: (purchase) => stripe.oldInvoice(toNobody(third(purchase))),
    says: ({ customer, of }) => ({ money: "ours", ids: invoiceIds(`3${of}`), customer })
  },
  {
    event: (purchase) => stripe.oldInvoice(third(purchase), "price_of_something_else"),
    says: ({ customer, of }) => ({ ids: invoiceIds(`3${of}`), customer })
  },
  ...STOPS
]

const byLinkIds = (name: string) => [`in_${name}`, `ch_${name}`]

export const BY_LINK: ReadonlyArray<Chapter> = [
  { event: stripe.checkoutByLink, says: ({ customer, of }) => ({ ...OURS, ids: [`in_${of}`], customer }) },
  {
    event: (purchase) => stripe.checkoutByLink(toTwo(purchase)),
    says: ({ customer, of }) => ({ money: "of its trial", ids: [`in_${of}`], customer })
  },
  { event: stripe.trialByLink, says: () => ({ isTrialOfOurs: true, hasAddress: true }) },
  {
    event: (purchase) => stripe.trialByLink(toTwo(purchase)),
    says: (purchase) => ({ isTrialOfOurs: true, ...isNaming(purchase) })
  },
  {
    event: (purchase) => stripe.trialByLink(unnamed(toNobody(purchase))),
    says: () => ({ isTrialOfOurs: true })
  },
  ...["", "2", "3"].map((renewal) => ({
    event: (purchase: Purchase) => stripe.invoiceByLink({ ...purchase, renewal }),
    says: ({ customer, of }: Purchase) =>
      ({ money: "of its trial", ids: byLinkIds(`${renewal}${of}`), customer }) as const
  })),
  ...STOPS
]

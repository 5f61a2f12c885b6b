/**
 * Schemas of the objects in Stripe's events, limited to the members that are read here. They accept
 * the shapes of old and new API versions, and references as ids or as expanded objects.
 */
import { Schema } from "effect"
import type { PaymentEvent, Unapplied, UnappliedReason } from "./paymentEvent.ts"

const maybe = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const text = maybe(Schema.String)
const number = maybe(Schema.Finite)
const reference = maybe(Schema.Union([Schema.String, Schema.Struct({ id: Schema.String })]))
const listOf = <S extends Schema.Constraint>(schema: S) => maybe(Schema.Struct({ data: Schema.Array(schema) }))

/** The id of a reference, expanded or not. */
export const idOf = (value: string | { readonly id: string } | null | undefined): string | undefined =>
  typeof value === "string" ? value : value?.id

export const CheckoutSession = Schema.Struct({
  id: Schema.String,
  mode: text,
  payment_status: text,
  amount_total: number,
  payment_link: reference,
  line_items: listOf(Schema.Struct({ price: reference })),
  subscription: reference,
  customer: reference,
  invoice: reference,
  payment_intent: reference,
  client_reference_id: text,
  customer_email: text,
  customer_details: maybe(Schema.Struct({ email: text }))
})

/** The payments of an invoice. */
const Payment = maybe(Schema.Struct({ payment_intent: reference, charge: reference }))

export const Invoice = Schema.Struct({
  id: Schema.String,
  billing_reason: text,
  subscription: reference,
  parent: maybe(Schema.Struct({ subscription_details: maybe(Schema.Struct({ subscription: reference })) })),
  amount_paid: number,
  customer: reference,
  customer_email: text,
  charge: reference,
  payment_intent: reference,
  payments: listOf(Schema.Struct({ payment: Payment })),
  lines: listOf(
    Schema.Struct({
      amount: number,
      price: reference,
      pricing: maybe(Schema.Struct({ price_details: maybe(Schema.Struct({ price: reference })) }))
    })
  )
})

/** Since 2025 invoices and their payments are separate objects; this one links them. */
export const InvoicePayment = Schema.Struct({ invoice: reference, payment: Payment })

export const EndedSubscription = Schema.Struct({
  id: Schema.String,
  current_period_end: number,
  ended_at: number,
  items: Schema.optionalKey(Schema.Struct({ data: Schema.Array(Schema.Struct({ current_period_end: number })) }))
})

export const Charge = Schema.Struct({
  id: Schema.String,
  refunded: maybe(Schema.Boolean),
  payment_intent: reference,
  invoice: reference,
  customer: reference
})

export const Dispute = Schema.Struct({ charge: reference, payment_intent: reference })

export type Reading = Pick<PaymentEvent, "fact" | "references" | "unapplied">

/** Longer than any Stripe id. */
const MAX_ID_CHARACTERS = 255

export const NOTHING: Reading = { fact: null, references: null, unapplied: null }

export const refused = (reason: UnappliedReason, externalId: Unapplied["externalId"] = null): Reading => ({
  ...NOTHING,
  unapplied: { reason, externalId }
})

export const isStorableId = (id: string): boolean =>
  id !== "" && id.length <= MAX_ID_CHARACTERS && !id.includes("\0") && id.isWellFormed()

/** The ids among references that the database can store. */
export const idsOf = (...references: ReadonlyArray<Parameters<typeof idOf>[0]>): ReadonlyArray<string> =>
  references.flatMap((reference) => idOf(reference) ?? []).filter(isStorableId)

export const customerOf = (reference: Parameters<typeof idOf>[0]): string | null => idsOf(reference)[0] ?? null

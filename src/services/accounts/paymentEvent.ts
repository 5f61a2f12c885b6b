/**
 * What a payment event says, in the words of this service: who paid, what ended, what was reversed, and by which
 * references of the payment provider the three find each other. Types only.
 */

interface Purchase {
  /** Stripe's id of the subscription, else, of a one-time purchase, of its checkout. */
  readonly externalId: string
  readonly email: string | null
  /** `client_reference_id`: the sandbox key whose payment link was used. */
  readonly sandboxKeyId: string | null
}

/** A subscription was paid, or a one-time payment that counts as one. */
export interface Paid extends Purchase {
  readonly _tag: "Paid"
}

/** A checkout that names a key and pays nothing: a trial, or one of which only the invoice can tell whether it is ours. */
export interface Named extends Purchase {
  readonly _tag: "Named"
  /** It was by our payment link, and no price is set by which an invoice could tell: its first payment is for us. */
  readonly isOurs: boolean
}

export interface Ended {
  readonly _tag: "Ended"
  readonly externalId: string
  /** End of the period that is paid for. */
  readonly endsAt: Date
}

/** A payment was refunded in full, or is disputed. */
export interface Reversed {
  readonly _tag: "Reversed"
  readonly why: "refund" | "dispute"
  /** Ids of the payment itself: charge, payment intent, invoice. */
  readonly payments: ReadonlyArray<string>
  /** Less precise: used only where no payment is known by the others. */
  readonly customer: string | null
}

/** Ids by which a later event may refer to a payment. */
export interface References {
  /** The external id of what was paid; for a payment of an invoice, the invoice. */
  readonly owner: string
  readonly payments: ReadonlyArray<string>
  readonly customer: string | null
}

/** Why a payment, or its reversal, changed nothing although perhaps it should have. */
export const UNAPPLIED_REASONS = [
  "unreadable",
  "test-mode",
  "connected-account",
  "other-product",
  "other-price",
  "no-subscription",
  "no-checkout",
  "not-one-address",
  "no-address",
  "partial-refund",
  /** A refund or dispute of a payment that is known here and is for no subscription here. */
  "other-payment",
  "unmatched-reversal"
] as const

export type UnappliedReason = (typeof UNAPPLIED_REASONS)[number]

export interface Unapplied {
  readonly reason: UnappliedReason
  /** Of the payment, where it could be read. */
  readonly externalId: string | null
  /** What a checkout for something else names as its key: if it is one of ours, it was meant for us. */
  readonly sandboxKeyId?: string | null
}

export interface PaymentEvent {
  readonly id: string
  readonly type: string
  /** null for an event that changes nothing here. */
  readonly fact: Paid | Named | Ended | Reversed | null
  readonly references: References | null
  readonly unapplied: Unapplied | null
}

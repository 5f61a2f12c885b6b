/**
 * The types of payment events in this service's terms. An event contains a fact (a payment, an end
 * or a reversal), or the reason why it changes nothing. References (Stripe ids) link the events of
 * one payment.
 */

interface Purchase {
  /** Stripe's id of the subscription, or of the checkout for a one-time purchase. */
  readonly externalId: string
  readonly email: string | null
  /** `client_reference_id`: the sandbox key whose payment link was used. */
  readonly sandboxKeyId: string | null
}

/** The payment of a subscription, or a one-time payment that counts as one. */
export interface Paid extends Purchase {
  readonly _tag: "Paid"
}

/**
 * A checkout that does not count as a payment by itself, because it is a trial or only its invoice
 * shows the product. It may name a sandbox key.
 */
export interface Named extends Purchase {
  readonly _tag: "Named"
  /** It used our payment link, and no price is configured. So its first payment is for us. */
  readonly isOurs: boolean
}

export interface Ended {
  readonly _tag: "Ended"
  readonly externalId: string
  /** End of the paid period. */
  readonly endsAt: Date
}

/** A payment was refunded in full, or is disputed. */
export interface Reversed {
  readonly _tag: "Reversed"
  readonly why: "refund" | "dispute"
  /** Ids of the payment itself: charge, payment intent, invoice. */
  readonly payments: ReadonlyArray<string>
  /** Less precise, so used only if none of `payments` is known. */
  readonly customer: string | null
}

/** Ids by which a later event may refer to a payment. */
export interface References {
  /** The external id of the paid subscription or checkout, or else of the invoice. */
  readonly owner: string
  readonly payments: ReadonlyArray<string>
  readonly customer: string | null
}

/** The reason why a payment or reversal changed nothing, although perhaps it should have. */
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
  /** A refund or dispute of a known payment that belongs to no subscription here. */
  "other-payment",
  "unmatched-reversal"
] as const

export type UnappliedReason = (typeof UNAPPLIED_REASONS)[number]

export interface Unapplied {
  readonly reason: UnappliedReason
  /** The reference of the payment, if it could be read. */
  readonly externalId: string | null
  /**
   * The sandbox key that a checkout for another product names. If it exists here, the payment was
   * probably meant for us.
   */
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

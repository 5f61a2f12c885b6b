/** What an object of Stripe's may say, and its ids as far as the database can store them. Shared by the readers. */
import type { PaymentEvent, Unapplied, UnappliedReason } from "./paymentEvent.ts"
import { idOf } from "./stripeObjects.ts"

export type Reading = Pick<PaymentEvent, "fact" | "references" | "unapplied">

/** Longer than any id of Stripe's. */
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

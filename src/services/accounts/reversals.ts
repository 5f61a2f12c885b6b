/**
 * The lookup of subscriptions whose payment was reversed, by the references (Stripe ids) of earlier
 * payment events. References of other products are stored too, so that their refunds hold no
 * subscription. A reversal that arrives before its payment finds nothing and is reported.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { References, Reversed } from "./paymentEvent.ts"

export const rememberReferences = Effect.fnUntraced(function* ({ customer, owner, payments }: References) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO payment_reference (reference, owner, is_customer)
    SELECT DISTINCT reference, ${owner}::text, false FROM unnest(${payments}::text[]) AS reference
    UNION ALL
    SELECT reference, ${owner}::text, true FROM unnest(${customer === null ? [] : [customer]}::text[]) AS reference
    ON CONFLICT (reference, owner) DO NOTHING`
})

/**
 * The subscriptions of the payment that a reversal names, by the payment's owners. An owner may be
 * the invoice of a subscription. If no id of the payment is known, the subscription of its
 * customer, but only if the customer has exactly one.
 */
export const findReversed = Effect.fnUntraced(function* ({ customer, payments }: Reversed) {
  const sql = yield* SqlClient.SqlClient
  const direct = yield* sql<{ readonly owner: string }>`
    SELECT DISTINCT owner FROM payment_reference WHERE reference = ANY (${payments}::text[]) AND NOT is_customer`
  const owners = direct.map(({ owner }) => owner)
  const isKnown = owners.length > 0
  const ofOwners = sql`
    SELECT unnest(${owners}::text[])
    UNION SELECT owner FROM payment_reference WHERE reference = ANY (${owners}::text[]) AND NOT is_customer`
  const ofCustomer = sql`SELECT owner FROM payment_reference WHERE reference = ${customer} AND is_customer`
  const found = yield* sql<{ readonly id: string }>`
    SELECT id FROM subscription
    WHERE received_at IS NOT NULL AND external_id = ANY (ARRAY(${isKnown ? ofOwners : ofCustomer})) ORDER BY id`
  return { isKnown, ids: isKnown || found.length === 1 ? found.map(({ id }) => id) : [] }
})

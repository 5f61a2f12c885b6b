/**
 * The lookup of subscriptions whose payment was reversed, by the references (Stripe ids) of earlier
 * payment events. References of other products are stored too, so that their refunds hold no
 * subscription. A reversal that arrives before its payment finds nothing and is reported.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { References, Reversed } from "./paymentEvent.ts"

export const rememberReferences = (
  sql: SqlClient.SqlClient,
  { customer, owner, payments }: References
): Effect.Effect<unknown, SqlError.SqlError> =>
  sql`
    INSERT INTO payment_reference (reference, owner, is_customer)
    SELECT DISTINCT reference, ${owner}::text, false FROM unnest(${payments}::text[]) AS reference
    UNION ALL
    SELECT reference, ${owner}::text, true FROM unnest(${customer === null ? [] : [customer]}::text[]) AS reference
    ON CONFLICT (reference, owner) DO NOTHING`

interface Found {
  readonly id: string
}

/** The paid subscriptions of a payment's owners. An owner may be the invoice of a subscription. */
const ofOwners = (sql: SqlClient.SqlClient, owners: ReadonlyArray<string>) =>
  sql<Found>`
    SELECT id FROM subscription WHERE received_at IS NOT NULL AND external_id = ANY (ARRAY(
      SELECT unnest(${owners}::text[])
      UNION SELECT owner FROM payment_reference WHERE reference = ANY (${owners}::text[]) AND NOT is_customer))
    ORDER BY id`

/** Two are enough to show that the customer is ambiguous. */
const ofCustomer = (sql: SqlClient.SqlClient, customer: string | null) =>
  sql<Found>`
    SELECT id FROM subscription WHERE received_at IS NOT NULL AND external_id = ANY (ARRAY(
      SELECT owner FROM payment_reference WHERE reference = ${customer} AND is_customer))
    LIMIT 2`

/**
 * The subscriptions of the payment that a reversal names. If none of its ids is known, the
 * customer's subscription, but only if the customer has exactly one subscription.
 */
export const findReversed = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { customer, payments }: Pick<Reversed, "customer" | "payments">
) {
  const direct = yield* sql<{ readonly owner: string }>`
    SELECT DISTINCT owner FROM payment_reference WHERE reference = ANY (${payments}::text[]) AND NOT is_customer`
  const owners = direct.map(({ owner }) => owner)
  const isKnown = owners.length > 0
  const found = isKnown ? yield* ofOwners(sql, owners) : yield* ofCustomer(sql, customer)
  return { isKnown, ids: isKnown || found.length === 1 ? found.map(({ id }) => id) : [] }
})

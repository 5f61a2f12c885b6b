/**
 * The hold of a subscription: it keeps the subscription from its production key although it is paid. It stops the live
 * key at once, no claim and no mail issues another, and no payment lifts it. The callers decide who may place and lift it.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Placed by the operator, or by the reversal of a payment. `ended`: the operator ended the subscription. */
export type HoldReason = "operator" | "ended" | "refund" | "dispute"

const REVOKED_REASON = { operator: "operator", ended: "ended", refund: "reversed", dispute: "reversed" } as const

/**
 * Holds a subscription and revokes its live key. False if it is held already; an end takes the place of any other hold.
 * The update waits for a claim or a mail that has the row lock, and so revokes the key that they issue.
 */
export const hold = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  subscriptionId: string,
  why: HoldReason,
  now: Date
): Effect.fn.Return<boolean, SqlError.SqlError> {
  const placed = yield* sql`
    UPDATE subscription SET held_at = ${now}, held_why = ${why}
    WHERE id = ${subscriptionId}::uuid AND (held_why IS NULL OR (held_why <> 'ended' AND ${why}::text = 'ended'))
    RETURNING id`
  if (placed.length === 0) return false
  yield* sql`
    UPDATE api_key SET revoked_at = ${now}, revoked_reason = ${REVOKED_REASON[why]}
    WHERE subscription_id = ${subscriptionId}::uuid AND tier = 'Production' AND revoked_at IS NULL`
  return true
})

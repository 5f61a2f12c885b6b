/**
 * Holds: what keeps a subscription from its production key although it is paid. A hold stops the live key at once, no
 * claim and no mail issues another, and no payment lifts it. Who may place and lift one is decided by the callers.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { resumeKeyMail } from "../mail/queue.ts"
import { settleUnmailed } from "./unapplied.ts"

/** Placed by the operator, or by the reversal of a payment. `ended`: the operator ended the subscription. */
export type PlacedHold = "operator" | "ended" | "refund" | "dispute"
/** `key-barred`: the sandbox key that the subscription belongs to claims nothing. */
export type HoldReason = PlacedHold | "key-barred"

const REVOKED_REASON = { operator: "operator", ended: "ended", refund: "reversed", dispute: "reversed" } as const

export const lockSubscription = (sql: SqlClient.SqlClient, subscriptionId: string) =>
  sql`SELECT FROM subscription WHERE id = ${subscriptionId}::uuid FOR UPDATE`

/** Serializes whatever payments change: two events at once would each miss what the other brings. */
export const lockPayments = (sql: SqlClient.SqlClient) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('payments', 0))`

/**
 * Why a subscription is held; empty if it is not. Holds are placed under the row lock of their subscription: a
 * transaction that has it and asks only then misses none.
 */
export const holdsOn = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  subscriptionId: string
): Effect.fn.Return<ReadonlyArray<HoldReason>, SqlError.SqlError> {
  const holds = yield* sql<{ readonly why: HoldReason }>`
    SELECT DISTINCT why FROM open_hold WHERE subscription_id = ${subscriptionId}::uuid ORDER BY why`
  return holds.map(({ why }) => why)
})

/** Stopped by the operator, the key has served what was heard of before. Without a join: to merge, it reads all payments. */
const revokeLiveKey = (sql: SqlClient.SqlClient, subscriptionId: string, why: PlacedHold, now: Date) =>
  sql`
    UPDATE api_key SET revoked_at = ${now}, revoked_reason = ${REVOKED_REASON[why]},
      served_to = CASE WHEN ${why}::text IN ('operator', 'ended') THEN (
        SELECT coalesce(max(heard), 0) FROM payment
        WHERE external_id = (SELECT external_id FROM subscription WHERE id = ${subscriptionId}::uuid)) END
    WHERE subscription_id = ${subscriptionId}::uuid AND tier = 'Production' AND revoked_at IS NULL`

/** The keys of a reversed subscription have served what was made before, whichever of them lived: events come late. */
const endService = (sql: SqlClient.SqlClient, subscriptionId: string, eventId: string) =>
  sql`
    UPDATE api_key SET served_until = least(served_until, reversal.created_at) FROM reversal
    WHERE event_id = ${eventId} AND subscription_id = ${subscriptionId}::uuid AND tier = 'Production'`

/**
 * Holds a subscription and revokes its live key, under the lock of payments. False if the operator, or this reversal, holds
 * or held it already: one that the operator has lifted stays lifted, one that was taken back as another payment's is
 * placed again. The caller asks which payments are in vain for it.
 */
export const hold = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  subscriptionId: string,
  { eventId = null, why }: { readonly why: PlacedHold; readonly eventId?: string | null },
  now: Date
): Effect.fn.Return<boolean, SqlError.SqlError> {
  yield* lockSubscription(sql, subscriptionId)
  const placed = yield* sql`
    WITH again AS (
      UPDATE subscription_hold SET lifted_at = NULL, taken_back = false, held_at = ${now}
      WHERE subscription_id = ${subscriptionId}::uuid AND event_id = ${eventId} AND taken_back RETURNING id
    ), placed AS (
      INSERT INTO subscription_hold (subscription_id, why, event_id, held_at)
      VALUES (${subscriptionId}::uuid, ${why}, ${eventId}, ${now})
      ON CONFLICT DO NOTHING RETURNING id)
    SELECT id FROM again UNION ALL SELECT id FROM placed`
  if (placed.length === 0) return false
  yield* revokeLiveKey(sql, subscriptionId, why, now)
  if (eventId !== null) yield* endService(sql, subscriptionId, eventId)
  return true
})

/** False if a key of the subscription is out, or it is over. What was told of its mail is told again if this fails too. */
export const mailAgain = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, subscriptionId: string, now: Date) {
  const [resumed] = yield* resumeKeyMail(sql, subscriptionId, now)
  if (resumed !== undefined) yield* settleUnmailed(sql, resumed.externalId, now)
  return resumed !== undefined
})

/** Mails the key of a subscription that is free again and has none. */
export const resume = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, subscriptionId: string, now: Date) {
  const remaining = yield* holdsOn(sql, subscriptionId)
  if (remaining.length === 0) yield* mailAgain(sql, subscriptionId, now)
  return remaining
})

/** Lifts every hold of a subscription, whose row lock the caller has; returns what was lifted. */
export const liftHolds = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  subscriptionId: string,
  now: Date
): Effect.fn.Return<ReadonlyArray<PlacedHold>, SqlError.SqlError> {
  const lifted = yield* sql<{ readonly why: PlacedHold }>`
    UPDATE subscription_hold SET lifted_at = ${now}
    WHERE subscription_id = ${subscriptionId}::uuid AND lifted_at IS NULL RETURNING why`
  return lifted.map(({ why }) => why)
})

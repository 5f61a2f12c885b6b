/**
 * Holds on subscriptions. A hold withholds the production key of a paid subscription. It revokes
 * the live key at once, and while it lasts, no claim and no mail issues another. A payment does not
 * lift the hold. Callers decide who may place and lift it.
 */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { isUuid } from "../../../schema/primitives.ts"
import { type KeyState, type KeySummary, keysNamed } from "./keysNamed.ts"
import { isKeyMailWaiting, resumeKeyMail } from "./mailQueue.ts"

/**
 * Placed by the operator or by a reversed payment. `ended`: the operator ended the subscription.
 */
export type HoldReason = "operator" | "ended" | "refund" | "dispute"

const REVOKED_REASON = { operator: "operator", ended: "ended", refund: "reversed", dispute: "reversed" } as const

/**
 * Holds a subscription and revokes its live key. False if it is held already; `ended` replaces any
 * other hold. The update waits for a claim or a mail that has the row lock, and so revokes the key
 * that it issues.
 */
export const hold = Effect.fnUntraced(function* (subscriptionId: string, why: HoldReason, now: Date) {
  const sql = yield* SqlClient.SqlClient
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

export type AllowOutcome =
  /** `lifted` is null if the subscription was not held, and only its key is mailed again. */
  | { readonly _tag: "Allowed"; readonly subscriptionId: string; readonly lifted: HoldReason | null }
  /** A sandbox key that was barred may claim again. */
  | { readonly _tag: "MayClaim"; readonly keyPrefix: string }
  | { readonly _tag: "NotHeld" }
  | { readonly _tag: "Ambiguous"; readonly keys: ReadonlyArray<KeySummary> }

/** Lifts the hold and queues the mail with the key. Undefined if there is no such subscription. */
const allowSubscription = Effect.fnUntraced(function* (
  id: string,
  now: Date
): Effect.fn.Return<AllowOutcome | undefined, SqlError.SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const [subscription] = yield* sql<{ readonly heldWhy: HoldReason | null }>`
    SELECT held_why AS "heldWhy" FROM subscription WHERE id = ${id}::uuid FOR UPDATE`
  if (subscription === undefined) return undefined
  const { heldWhy } = subscription
  if (heldWhy === null && (yield* isKeyMailWaiting(id))) return { _tag: "NotHeld" }
  yield* sql`UPDATE subscription SET held_at = NULL, held_why = NULL WHERE id = ${id}::uuid`
  const isMailed = yield* resumeKeyMail(id, now)
  return heldWhy === null && !isMailed ? { _tag: "NotHeld" } : { _tag: "Allowed", subscriptionId: id, lifted: heldWhy }
})

/** Whether the keys are one, or all of one subscription. */
const isOne = (keys: ReadonlyArray<KeyState>): boolean =>
  new Set(keys.map(({ keyId, subscriptionId }) => subscriptionId ?? keyId)).size === 1

/** Must run in a transaction. A sandbox key stays revoked, but it can claim again. */
export const allow = Effect.fnUntraced(function* (
  idOrPrefix: string,
  now: Date
): Effect.fn.Return<AllowOutcome, SqlError.SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const named = isUuid(idOrPrefix) ? yield* allowSubscription(idOrPrefix, now) : undefined
  if (named !== undefined) return named
  const keys = (yield* keysNamed(idOrPrefix)).filter(({ isBarred, tier }) => tier === "Production" || isBarred)
  const [key] = keys
  if (key === undefined) return { _tag: "NotHeld" }
  if (!isOne(keys)) return { _tag: "Ambiguous", keys }
  if (key.subscriptionId !== null) {
    return (yield* allowSubscription(key.subscriptionId, now)) ?? { _tag: "NotHeld" }
  }
  yield* sql`UPDATE api_key SET barred_at = NULL WHERE id = ${key.keyId}`
  return { _tag: "MayClaim", keyPrefix: key.keyPrefix }
})

/** The operator's permission for a held subscription, or a barred sandbox key, to work again. Nothing else lifts a hold. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { isUuid } from "../../../schema/primitives.ts"
import type { HoldReason } from "./holds.ts"
import { type KeyState, type KeySummary, keysNamed } from "./keySummary.ts"
import { isKeyMailWaiting, resumeKeyMail } from "./mailQueue.ts"

export type AllowOutcome =
  /** `lifted` is null if nothing held the subscription, and its key is mailed again. */
  | { readonly _tag: "Allowed"; readonly subscriptionId: string; readonly lifted: HoldReason | null }
  /** A sandbox key that was barred. */
  | { readonly _tag: "MayClaim"; readonly keyPrefix: string }
  | { readonly _tag: "NotHeld" }
  | { readonly _tag: "Ambiguous"; readonly keys: ReadonlyArray<KeySummary> }

const lockSubscription = (sql: SqlClient.SqlClient, id: string) =>
  sql<{ readonly heldWhy: HoldReason | null }>`
    SELECT held_why AS "heldWhy" FROM subscription WHERE id = ${id}::uuid FOR UPDATE`

/** Undefined if there is no such subscription. */
const allowSubscription = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  id: string,
  now: Date
): Effect.fn.Return<AllowOutcome | undefined, SqlError.SqlError> {
  const [subscription] = yield* lockSubscription(sql, id)
  if (subscription === undefined) return undefined
  const { heldWhy } = subscription
  if (heldWhy === null && (yield* isKeyMailWaiting(sql, id))) return { _tag: "NotHeld" }
  yield* sql`UPDATE subscription SET held_at = NULL, held_why = NULL WHERE id = ${id}::uuid`
  const isMailed = yield* resumeKeyMail(sql, id, now)
  return heldWhy === null && !isMailed ? { _tag: "NotHeld" } : { _tag: "Allowed", subscriptionId: id, lifted: heldWhy }
})

/** Several keys of one subscription name that subscription. */
const isOne = (keys: ReadonlyArray<KeyState>): boolean =>
  new Set(keys.map(({ keyId, subscriptionId }) => subscriptionId ?? keyId)).size === 1

/** To be run in a transaction. A sandbox key stays revoked: only its power to claim comes back. */
export const allow = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  idOrPrefix: string,
  now: Date
): Effect.fn.Return<AllowOutcome, SqlError.SqlError> {
  const named = isUuid(idOrPrefix) ? yield* allowSubscription(sql, idOrPrefix, now) : undefined
  if (named !== undefined) return named
  const keys = (yield* keysNamed(sql, idOrPrefix)).filter(({ isBarred, tier }) => tier === "Production" || isBarred)
  const [key] = keys
  if (key === undefined) return { _tag: "NotHeld" }
  if (!isOne(keys)) return { _tag: "Ambiguous", keys }
  if (key.subscriptionId !== null) {
    return (yield* allowSubscription(sql, key.subscriptionId, now)) ?? { _tag: "NotHeld" }
  }
  yield* sql`UPDATE api_key SET barred_at = NULL WHERE id = ${key.keyId}`
  return { _tag: "MayClaim", keyPrefix: key.keyPrefix }
})

/** The operator's word that a held subscription, or a barred sandbox key, is to work again. The only way out of a hold. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { isUuid } from "../../../schema/primitives.ts"
import { type KeyState, type KeySummary, keysNamed } from "../keys/keySummary.ts"
import { isKeyMailWaiting } from "../mail/queue.ts"
import { type HoldReason, liftHolds, lockPayments, lockSubscription, mailAgain, resume } from "./holds.ts"

export interface AllowedSubscription {
  readonly id: string
  /** `ended` among them: it is open again. Empty if nothing held it, and its key is mailed again. */
  readonly lifted: ReadonlyArray<HoldReason>
  readonly stillHeld: ReadonlyArray<HoldReason>
}

export type AllowOutcome =
  | {
      readonly _tag: "Allowed"
      /** The sandbox key whose bar was lifted. */
      readonly key: KeySummary | null
      readonly subscriptions: ReadonlyArray<AllowedSubscription>
      /** Keeps the named subscription held: it may be in the wrong hands, so it is allowed by its own name only. */
      readonly barredKeyId: string | null
    }
  /** Nothing holds the subscription but the bar of its sandbox key. */
  | { readonly _tag: "HeldByKey"; readonly subscriptionId: string; readonly keyId: string }
  | { readonly _tag: "NotHeld" }
  | { readonly _tag: "Ambiguous"; readonly keys: ReadonlyArray<KeySummary> }

const barredKeyOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, subscriptionId: string) {
  const [key] = yield* sql<{ readonly id: string }>`
    SELECT api_key.id FROM subscription JOIN api_key ON api_key.id = subscription.sandbox_key_id
    WHERE subscription.id = ${subscriptionId}::uuid AND api_key.barred_at IS NOT NULL`
  return key?.id ?? null
})

/** Under the row lock of the subscription. */
const allowSubscription = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, id: string, now: Date) {
  const lifted = yield* liftHolds(sql, id, now)
  const barredKeyId = yield* barredKeyOf(sql, id)
  if (lifted.length === 0) {
    if (barredKeyId !== null) return { _tag: "HeldByKey" as const, subscriptionId: id, keyId: barredKeyId }
    const isUnderWay = yield* isKeyMailWaiting(sql, id)
    if (isUnderWay || !(yield* mailAgain(sql, id, now))) return { _tag: "NotHeld" as const }
    const mailed = { id, lifted: [], stillHeld: [] }
    return { _tag: "Allowed" as const, key: null, subscriptions: [mailed], barredKeyId }
  }
  const subscription = { id, lifted: [...new Set(lifted)], stillHeld: yield* resume(sql, id, now) }
  return { _tag: "Allowed" as const, key: null, subscriptions: [subscription], barredKeyId }
})

/** A call with the key stays refused: only its power to claim comes back. */
const allowSandboxKey = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, key: KeySummary, now: Date) {
  yield* sql`UPDATE api_key SET barred_at = NULL WHERE id = ${key.keyId}`
  const named = yield* sql<{ readonly id: string }>`
    SELECT id FROM subscription WHERE sandbox_key_id = ${key.keyId}::uuid ORDER BY id FOR UPDATE`
  const subscriptions = yield* Effect.forEach(named, ({ id }) =>
    Effect.map(resume(sql, id, now), (stillHeld) => ({ id, lifted: ["key-barred" as const], stillHeld }))
  )
  return { _tag: "Allowed" as const, key, subscriptions, barredKeyId: null }
})

/** Several keys of one subscription are no riddle. */
const isOne = (keys: ReadonlyArray<KeyState>): boolean =>
  new Set(keys.map(({ keyId, subscriptionId }) => subscriptionId ?? keyId)).size === 1

/** To be run in a transaction. */
export const allow = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  idOrPrefix: string,
  now: Date
): Effect.fn.Return<AllowOutcome, SqlError.SqlError> {
  yield* lockPayments(sql)
  if (isUuid(idOrPrefix) && (yield* lockSubscription(sql, idOrPrefix)).length > 0) {
    return yield* allowSubscription(sql, idOrPrefix, now)
  }
  const keys = (yield* keysNamed(sql, idOrPrefix)).filter(({ isBarred, tier }) => tier === "Production" || isBarred)
  const [key] = keys
  if (key === undefined) return { _tag: "NotHeld" }
  if (!isOne(keys)) return { _tag: "Ambiguous", keys }
  if (key.subscriptionId === null) return yield* allowSandboxKey(sql, key, now)
  yield* lockSubscription(sql, key.subscriptionId)
  return yield* allowSubscription(sql, key.subscriptionId, now)
})

/**
 * The revocation of a key by an operator: Keys refuses it at once. A production key's subscription
 * is held (holds.ts), so that no claim replaces the key. A sandbox key is barred: it cannot be
 * exchanged (claimed) for a production key, and no other key can claim a subscription that names
 * it. Records of answers stay.
 */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { hold } from "./holds.ts"
import { type KeyState, type KeySummary, keysNamed } from "./keysNamed.ts"

export type RevocationOutcome =
  | { readonly _tag: "Revoked"; readonly key: KeySummary; readonly heldSubscriptionId: string | null }
  /** Nothing to revoke. A production key that was replaced still identifies its subscription. */
  | { readonly _tag: "NotFound"; readonly subscriptionId: string | null }
  /** More than one active key has this prefix; none was revoked. */
  | { readonly _tag: "Ambiguous"; readonly keys: ReadonlyArray<KeySummary> }

/** Whether there is something left to revoke. */
const isOpen = ({ isBarred, isRevoked, tier }: KeyState): boolean => (tier === "Sandbox" ? !isBarred : !isRevoked)

const summaryOf = ({ keyId, keyPrefix, tier }: KeyState): KeySummary => ({ keyId, keyPrefix, tier })

/**
 * Must run in a transaction. Revokes only a unique match, after any call in progress: a charge locks
 * the key's row. Bars even an expired or replaced sandbox key, because it could still claim, after
 * claims in progress, which share-lock the row.
 */
export const revoke = Effect.fnUntraced(function* (
  prefixOrId: string,
  now: Date
): Effect.fn.Return<RevocationOutcome, SqlError.SqlError, SqlClient.SqlClient> {
  const known = yield* keysNamed(prefixOrId)
  const keys = known.filter(isOpen)
  const [key, ...others] = keys
  if (key === undefined) return { _tag: "NotFound", subscriptionId: known[0]?.subscriptionId ?? null }
  if (others.length > 0) return { _tag: "Ambiguous", keys: keys.map(summaryOf) }
  // A claim may be replacing the production key. The hold revokes the key that is live once the
  // claim has released its lock.
  if (key.subscriptionId !== null) yield* hold(key.subscriptionId, "operator", now)
  else {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      UPDATE api_key SET barred_at = ${now}, revoked_at = coalesce(revoked_at, ${now}),
        revoked_reason = coalesce(revoked_reason, 'operator')
      WHERE id = ${key.keyId}`
  }
  return { _tag: "Revoked", key: summaryOf(key), heldSubscriptionId: key.subscriptionId }
})

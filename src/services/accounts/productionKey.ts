/**
 * The steps shared by claims and the outbox: find a subscription's active production key and
 * whether it was used, revoke it, issue the next one. Each runs in a transaction that locks the
 * subscription's row, so a subscription never has more than one active key.
 */
import { randomUUID } from "node:crypto"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { Settings } from "../../platform/config.ts"
import { hashOf, newSecret, prefixOf } from "./apiKey.ts"
import type { HoldReason } from "./holds.ts"

export interface SubscriptionRow {
  readonly id: string
  readonly tenant: string
  readonly email: string
  readonly mailTo: string
  readonly endsAt: Date | null
  readonly heldWhy: HoldReason | null
}

interface ActiveKey {
  readonly id: string
  readonly prefix: string
  readonly issuedBy: "mail" | "claim"
  readonly used: boolean
}

export interface IssuedKey {
  readonly keyId: string
  readonly secret: string
  readonly prefix: string
}

/** The columns of SubscriptionRow. */
export const SUBSCRIPTION_COLUMNS = `id, tenant, email, mail_to AS "mailTo", ends_at AS "endsAt", held_why AS "heldWhy"`

/**
 * Locks the key's row as every charge does, so it waits for a charge in progress. A separate
 * statement then reads the usage and sees that charge.
 */
export const activeKeyOf = Effect.fnUntraced(function* (subscriptionId: string) {
  const sql = yield* SqlClient.SqlClient
  const [key] = yield* sql<Omit<ActiveKey, "used">>`
    SELECT id, prefix, issued_by AS "issuedBy" FROM api_key
    WHERE subscription_id = ${subscriptionId} AND tier = 'Production' AND revoked_at IS NULL
    FOR NO KEY UPDATE`
  if (key === undefined) return undefined
  const uses = yield* sql`SELECT FROM usage WHERE key_id = ${key.id} AND used > 0 LIMIT 1`
  return { ...key, used: uses.length > 0 } satisfies ActiveKey
})

export const retireKey = Effect.fnUntraced(function* (
  keyId: string,
  reason: "claimed" | "mail-retried" | "mail-given-up",
  now: Date
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    UPDATE api_key SET revoked_at = ${now}, revoked_reason = ${reason} WHERE id = ${keyId} AND revoked_at IS NULL`
})

/** Replaced keys that are kept for each subscription, unless the count of claims needs more. */
const KEPT_KEYS = 20

/**
 * A new production key in the subscription's tenant, valid while the subscription is paid. Once
 * there are many, it takes the row of the oldest unused replaced key, to which nothing refers. The
 * caller has checked, under the row lock, that the subscription is not held.
 */
export const issueKey = Effect.fnUntraced(function* (
  { pepper, subscriptionClaimLimit }: Settings,
  subscription: SubscriptionRow,
  /** Id of the sandbox key that claims the new key; null if the key is mailed. */
  claimedWith: string | null,
  now: Date
) {
  const sql = yield* SqlClient.SqlClient
  const secret = newSecret("Production")
  const prefix = prefixOf(secret)
  const kept = Math.max(KEPT_KEYS, subscriptionClaimLimit?.calls ?? 0)
  const [row] = yield* sql<{ readonly id: string }>`
    INSERT INTO api_key (id, hash, prefix, tier, tenant, email, subscription_id, issued_by, claimed_with,
      created_at, expires_at)
    VALUES (
      coalesce((SELECT id FROM api_key
        WHERE subscription_id = ${subscription.id} AND revoked_reason IN ('claimed', 'mail-retried')
          AND NOT EXISTS (SELECT FROM usage WHERE key_id = api_key.id)
        ORDER BY created_at DESC, id OFFSET ${kept} LIMIT 1), ${randomUUID()}::uuid),
      ${hashOf(Redacted.value(pepper), secret)}, ${prefix}, 'Production', ${subscription.tenant}, ${subscription.email},
      ${subscription.id}, ${claimedWith === null ? "mail" : "claim"}, ${claimedWith}::uuid, ${now},
      ${subscription.endsAt})
    ON CONFLICT (id) DO UPDATE SET hash = excluded.hash, prefix = excluded.prefix, email = excluded.email,
      issued_by = excluded.issued_by, claimed_with = excluded.claimed_with, created_at = excluded.created_at,
      expires_at = excluded.expires_at, revoked_at = NULL, revoked_reason = NULL
    RETURNING id`
  return { keyId: row!.id, secret, prefix } satisfies IssuedKey
})

/**
 * The list of keys for operators, with the state of each and the month of its last charge. It
 * contains no key, no hash, and only those addresses that the list of subscriptions shows too.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { isUuid } from "../../../schema/primitives.ts"
import { eachPage, limitOf, type RowLimit } from "../pagination.ts"
import type { KeyTier } from "./apiKey.ts"
import { normalizedEmail } from "./Keys.ts"

export interface ListedKey extends KeySummary {
  readonly state: "live" | "expired" | "revoked"
  readonly revokedReason: string | null
  /** Whether it is a sandbox key that an operator barred from claims. */
  readonly isBarred: boolean
  readonly madeAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** The month (UTC) in which it was last charged for a call, such as 2026-11. */
  readonly lastUsed: string | null
  readonly subscriptionId: string | null
  /** The mail address of its subscription; null for a sandbox key. */
  readonly email: string | null
}

interface WantedKeys {
  /** Keys made for this address. */
  readonly email: string | null
  readonly tier: KeyTier | null
  readonly most: RowLimit
}

/** Newest first. The inner SELECT limits the rows before other tables are read. */
const select = (sql: SqlClient.SqlClient, { email, most, tier }: WantedKeys, now: Date) => {
  const address = email === null ? null : normalizedEmail(email)
  return sql`
    SELECT id AS "keyId", prefix AS "keyPrefix", tier,
      CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= ${now}::timestamptz THEN 'expired'
        ELSE 'live' END AS state,
      revoked_reason AS "revokedReason", barred_at IS NOT NULL AS "isBarred", created_at AS "madeAt",
      expires_at AS "expiresAt", revoked_at AS "revokedAt",
      (SELECT to_char(max(period), 'YYYY-MM') FROM usage WHERE key_id = key.id AND used > 0) AS "lastUsed",
      subscription_id AS "subscriptionId",
      (SELECT mail_to FROM subscription WHERE subscription.id = key.subscription_id) AS email
    FROM (
      SELECT * FROM api_key
      WHERE (${address}::text IS NULL OR email = ${address}) AND (${tier}::text IS NULL OR tier = ${tier})
      ORDER BY created_at DESC, id ${limitOf(sql, most)}) AS key`
}

export const listKeys = Effect.fn("listKeys")(function* <E, R>(
  sql: SqlClient.SqlClient,
  wanted: WantedKeys,
  now: Date,
  take: (page: ReadonlyArray<ListedKey>) => Effect.Effect<void, E, R>
) {
  return yield* eachPage<ListedKey, E, R>(sql, "list keys", select(sql, wanted, now), wanted.most, take)
})

/** What operators see of a key. */
export interface KeySummary {
  readonly keyId: string
  readonly keyPrefix: string
  readonly tier: KeyTier
}

export interface KeyState extends KeySummary {
  readonly subscriptionId: string | null
  readonly isRevoked: boolean
  readonly isBarred: boolean
}

/** Every key with this prefix or id, in any state. */
export const keysNamed = (
  sql: SqlClient.SqlClient,
  prefixOrId: string
): Effect.Effect<ReadonlyArray<KeyState>, SqlError.SqlError> =>
  sql<KeyState>`
    SELECT id AS "keyId", prefix AS "keyPrefix", tier, subscription_id AS "subscriptionId",
      revoked_at IS NOT NULL AS "isRevoked", barred_at IS NOT NULL AS "isBarred"
    FROM api_key WHERE prefix = ${prefixOrId} OR id = ${isUuid(prefixOrId) ? prefixOrId : null}::uuid
    ORDER BY created_at`

/** The keys that an operator names by prefix or id. */
import { SqlClient } from "effect/sql"
import { isUuid } from "../../../schema/primitives.ts"
import type { KeyTier } from "./apiKey.ts"

/** The part of a key that operators see. */
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
export const keysNamed = (prefixOrId: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql<KeyState>`
    SELECT id AS "keyId", prefix AS "keyPrefix", tier, subscription_id AS "subscriptionId",
      revoked_at IS NOT NULL AS "isRevoked", barred_at IS NOT NULL AS "isBarred"
    FROM api_key WHERE prefix = ${prefixOrId} OR id = ${isUuid(prefixOrId) ? prefixOrId : null}::uuid
    ORDER BY created_at`
  )

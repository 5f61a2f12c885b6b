/**
 * The exchange of a sandbox key for the production key of the subscription it belongs to. One transaction under the
 * subscription's row lock: of many claims at once each revokes the key of the one before, and of a claim and the first
 * use of the old key exactly one succeeds. Possession of the sandbox key is the proof, whether it still works or not.
 */
import { Effect, Redacted } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Settings } from "../../config.ts"
import { hashesOf, tierOf } from "../keys/apiKey.ts"
import type { MintedKey } from "../keys/Keys.ts"
import { queueMail } from "../mail/queue.ts"
import {
  activeKeyOf,
  type IssuedKey,
  issueKey,
  retireKey,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRow
} from "./productionKey.ts"

export type ClaimOutcome =
  /** `revokedKeyPrefix` is empty if no production key had been made yet. */
  | { readonly _tag: "Claimed"; readonly key: MintedKey; readonly revokedKeyPrefix: string }
  | { readonly _tag: "NoSubscription"; readonly email: string; readonly sandboxKeyId: string }
  | { readonly _tag: "KeyAlreadyUsed" }
  | { readonly _tag: "KeyIssuedAfterPayment" }
  | { readonly _tag: "NotASandboxKey" }

interface SandboxKey {
  readonly id: string
  readonly email: string
  readonly createdAt: Date
}

interface ClaimedSubscription extends SubscriptionRow {
  /** The payment named this very sandbox key. */
  readonly named: boolean
  /** The payment named no key, so the subscription belongs to the address. */
  readonly ofAddress: boolean
}

const NOT_A_SANDBOX_KEY: ClaimOutcome = { _tag: "NotASandboxKey" }

const findSandboxKey = (sql: SqlClient.SqlClient, settings: Settings, secret: string) =>
  sql<SandboxKey>`
    SELECT id, email, created_at AS "createdAt" FROM api_key
    WHERE hash IN ${sql.in(hashesOf(settings, secret))} AND tier = 'Sandbox'`

/** The paid subscription that named the key, else the latest of its address; its row stays locked. */
const lockSubscription = (sql: SqlClient.SqlClient, key: SandboxKey, now: Date) =>
  sql<ClaimedSubscription>`
    SELECT ${sql.literal(SUBSCRIPTION_COLUMNS)}, sandbox_key_id IS NOT DISTINCT FROM ${key.id}::uuid AS named,
      sandbox_key_id IS NULL AS "ofAddress"
    FROM subscription
    WHERE paid_at IS NOT NULL AND (ends_at IS NULL OR ends_at > ${now})
      AND (sandbox_key_id = ${key.id}::uuid OR email = ${key.email})
    ORDER BY sandbox_key_id IS NOT DISTINCT FROM ${key.id}::uuid DESC, sandbox_key_id IS NULL DESC, paid_at DESC, id
    LIMIT 1 FOR UPDATE`

const mintedKey = (issued: IssuedKey, subscription: SubscriptionRow, settings: Settings): MintedKey => ({
  keyId: issued.keyId,
  apiKey: Redacted.make(issued.secret, { label: "api key" }),
  keyPrefix: issued.prefix,
  tier: "Production",
  monthlyCallLimit: settings.productionMonthlyCalls,
  expiresAt: subscription.endsAt,
  tenant: subscription.tenant
})

/** To be run in a transaction. */
export const claim = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  settings: Settings,
  secret: string,
  now: Date
): Effect.fn.Return<ClaimOutcome, SqlError.SqlError> {
  if (tierOf(secret) !== "Sandbox") return NOT_A_SANDBOX_KEY
  const [sandbox] = yield* findSandboxKey(sql, settings, secret)
  if (sandbox === undefined) return NOT_A_SANDBOX_KEY
  const [subscription] = yield* lockSubscription(sql, sandbox, now)
  const unpaid: ClaimOutcome = { _tag: "NoSubscription", email: sandbox.email, sandboxKeyId: sandbox.id }
  if (subscription === undefined) return unpaid
  // Anybody can mint for any address, so a key made after the payment proves nothing about who paid, and what one key
  // paid for is not collected with another. The setting takes the address as proof.
  if (!subscription.named && !settings.claimAllowLateKeys) {
    if (sandbox.createdAt > subscription.paidAt) return { _tag: "KeyIssuedAfterPayment" }
    if (!subscription.ofAddress) return unpaid
  }
  const old = yield* activeKeyOf(sql, subscription.id)
  if (old?.used === true) return { _tag: "KeyAlreadyUsed" }
  if (old !== undefined) yield* retireKey(sql, old.id, "claimed", now)
  const issued = yield* issueKey(sql, Redacted.value(settings.pepper), subscription, sandbox.id, now)
  // The key that waits to be mailed is not needed any more.
  yield* sql`
    UPDATE outbox SET dropped_at = ${now}
    WHERE subscription_id = ${subscription.id} AND kind = 'production-key'
      AND sent_at IS NULL AND dropped_at IS NULL AND given_up_at IS NULL`
  yield* queueMail(sql, { kind: "production-claimed", mailTo: subscription.mailTo, keyPrefix: issued.prefix, now })
  return { _tag: "Claimed", key: mintedKey(issued, subscription, settings), revokedKeyPrefix: old?.prefix ?? "" }
})

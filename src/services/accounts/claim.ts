/**
 * The exchange of a sandbox key for its subscription's production key, in one transaction that
 * locks the subscription's row. If claims race, each revokes the key of the previous claim. If a
 * claim races with the first use of the old key, exactly one succeeds. Possession of the sandbox
 * key is the proof, even if it expired or was replaced, but not if an operator revoked it.
 */
import { Data, Effect, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { RateLimit, Settings } from "../../platform/config.ts"
import { hashesOf, tierOf } from "./apiKey.ts"
import type { MintedKey } from "./Keys.ts"
import { dropKeyMail, queueMail, windowAround } from "./mailQueue.ts"
import {
  activeKeyOf,
  type IssuedKey,
  issueKey,
  retireKey,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRow
} from "./productionKey.ts"

export interface Claimed {
  readonly key: MintedKey
  /** Empty if the subscription had no active production key. */
  readonly revokedKeyPrefix: string
}

/** No paid subscription belongs to the sandbox key. */
export class NoSubscription extends Data.TaggedError("NoSubscription")<{
  readonly email: string
  readonly sandboxKeyId: string
}> {}

/** The production key of the subscription is in use, so it is not replaced. */
export class KeyAlreadyUsed extends Data.TaggedError("KeyAlreadyUsed") {}

/**
 * The sandbox key was issued after the payment or, for a trial, after the checkout, so it does not
 * prove who paid.
 */
export class KeyIssuedAfterPayment extends Data.TaggedError("KeyIssuedAfterPayment") {}

/** The subscription is held by the operator or a reversed payment, or the sandbox key is barred. */
export class SubscriptionHeld extends Data.TaggedError("SubscriptionHeld") {}

/** The text is malformed, an unknown key, or a production key. */
export class NotASandboxKey extends Data.TaggedError("NotASandboxKey") {}

/** Keys of the subscription were claimed, and not used, too often. */
export class TooManyClaims extends Data.TaggedError("TooManyClaims")<{ readonly retryAfterSeconds: number }> {}

export type ClaimFailure =
  | NoSubscription
  | KeyAlreadyUsed
  | KeyIssuedAfterPayment
  | SubscriptionHeld
  | NotASandboxKey
  | TooManyClaims

interface SandboxKey {
  readonly id: string
  readonly email: string
  readonly createdAt: Date
  readonly barred: boolean
}

interface ClaimedSubscription extends SubscriptionRow {
  /**
   * When it was paid or, if earlier, seen as an unpaid checkout. A sandbox key that was issued
   * later does not prove who paid.
   */
  readonly keysUntil: Date
  /** The payment named this sandbox key. */
  readonly named: boolean
  /** The payment named no key, so the subscription belongs to the address. */
  readonly ofAddress: boolean
  /** An operator barred the sandbox key that the payment named. */
  readonly isBarred: boolean
}

/** Share-locks the key's row, so that an operator's bar waits for a claim in progress. */
const findSandboxKey = (settings: Settings, secret: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql<SandboxKey>`
    SELECT id, email, created_at AS "createdAt", barred_at IS NOT NULL AS barred FROM api_key
    WHERE hash IN ${sql.in(hashesOf(settings, secret))} AND tier = 'Sandbox' FOR SHARE`
  )

/**
 * Locks the open subscription that names the key, otherwise one of the key's address. It prefers,
 * in this order, a subscription that names no key, is not held, has an unused production key, is
 * the latest.
 */
const lockSubscriptionOf = (key: SandboxKey, now: Date) =>
  SqlClient.SqlClient.use(
    (sql) => sql<ClaimedSubscription>`
    SELECT ${sql.literal(SUBSCRIPTION_COLUMNS)}, sandbox_key_id IS NOT DISTINCT FROM ${key.id}::uuid AS named,
      sandbox_key_id IS NULL AS "ofAddress", least(paid_at,
        (SELECT seen_at FROM unpaid_checkout WHERE external_id = subscription.external_id)) AS "keysUntil",
      EXISTS (SELECT FROM api_key WHERE id = sandbox_key_id AND barred_at IS NOT NULL) AS "isBarred"
    FROM subscription
    WHERE paid_at IS NOT NULL AND (ends_at IS NULL OR ends_at > ${now})
      AND held_why IS DISTINCT FROM 'ended'
      AND (sandbox_key_id = ${key.id}::uuid OR email = ${key.email})
    ORDER BY sandbox_key_id IS NOT DISTINCT FROM ${key.id}::uuid DESC, sandbox_key_id IS NULL DESC,
      held_at IS NOT NULL,
      EXISTS (SELECT FROM api_key AS live JOIN usage ON key_id = live.id AND used > 0
        WHERE live.subscription_id = subscription.id AND live.tier = 'Production' AND live.revoked_at IS NULL),
      paid_at DESC, id
    LIMIT 1 FOR UPDATE OF subscription`
  )

const mintedKey = (issued: IssuedKey, subscription: SubscriptionRow, settings: Settings): MintedKey => ({
  keyId: issued.keyId,
  apiKey: Redacted.make(issued.secret, { label: "api key" }),
  keyPrefix: issued.prefix,
  tier: "Production",
  monthlyCallLimit: settings.productionMonthlyCalls,
  expiresAt: subscription.endsAt,
  tenant: subscription.tenant
})

/**
 * Locks the subscription that the sandbox key may claim. Anyone can mint for any address, so a key
 * made after the payment proves nothing about who paid. A subscription paid for with one key is not
 * claimed with another. CLAIM_ALLOW_LATE_KEYS accepts the address as proof in both cases.
 */
const lockClaimable = Effect.fnUntraced(function* (sandbox: SandboxKey, settings: Settings, now: Date) {
  if (sandbox.barred) return yield* new SubscriptionHeld()
  const [subscription] = yield* lockSubscriptionOf(sandbox, now)
  const unpaid = new NoSubscription({ email: sandbox.email, sandboxKeyId: sandbox.id })
  if (subscription === undefined) return yield* unpaid
  if (!subscription.named && !settings.claimAllowLateKeys) {
    if (sandbox.createdAt > subscription.keysUntil) return yield* new KeyIssuedAfterPayment()
    if (!subscription.ofAddress) return yield* unpaid
  }
  if (subscription.heldWhy !== null || subscription.isBarred) return yield* new SubscriptionHeld()
  return subscription
})

/** The keys claimed before are the count, which the lock of the subscription's row makes exact. */
const limitClaims = Effect.fnUntraced(function* (limit: RateLimit, subscriptionId: string, now: Date) {
  const sql = yield* SqlClient.SqlClient
  if (limit === null) return
  const [since, until] = windowAround(now, limit.seconds)
  const [oldest] = yield* sql<{ readonly createdAt: Date }>`
    SELECT created_at AS "createdAt" FROM api_key
    WHERE subscription_id = ${subscriptionId} AND issued_by = 'claim' AND created_at > ${since} AND created_at < ${until}
    ORDER BY created_at DESC OFFSET ${limit.calls - 1} LIMIT 1`
  if (oldest === undefined) return
  const milliseconds = oldest.createdAt.getTime() - since.getTime()
  return yield* new TooManyClaims({ retryAfterSeconds: Math.ceil(milliseconds / 1000) })
})

/** Must run in a transaction. */
export const claim = Effect.fnUntraced(function* (
  settings: Settings,
  secret: string,
  now: Date
): Effect.fn.Return<Claimed, ClaimFailure | SqlError.SqlError, SqlClient.SqlClient> {
  if (tierOf(secret) !== "Sandbox") return yield* new NotASandboxKey()
  const [sandbox] = yield* findSandboxKey(settings, secret)
  if (sandbox === undefined) return yield* new NotASandboxKey()
  const subscription = yield* lockClaimable(sandbox, settings, now)
  const old = yield* activeKeyOf(subscription.id)
  if (old?.used === true) return yield* new KeyAlreadyUsed()
  yield* limitClaims(settings.subscriptionClaimLimit, subscription.id, now)
  if (old !== undefined) yield* retireKey(old.id, "claimed", now)
  const issued = yield* issueKey(settings, subscription, sandbox.id, now)
  // The queued mail would issue another key, which is no longer needed.
  yield* dropKeyMail(subscription.id, now)
  yield* queueMail(settings, {
    kind: "production-claimed",
    mailTo: subscription.mailTo,
    keyPrefix: issued.prefix,
    subscriptionId: subscription.id,
    now
  })
  return { key: mintedKey(issued, subscription, settings), revokedKeyPrefix: old?.prefix ?? "" }
})

/**
 * Payments outside Stripe, entered by an operator. A subscription billed by hand belongs to a sandbox key, named by the
 * operator or made for it, and never to an address: anybody can have minted a key for an address before.
 */
import { randomUUID } from "node:crypto"
import { Effect, Redacted } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { hashOf, newSecret, prefixOf } from "../keys/apiKey.ts"
import { normalizedEmail } from "../keys/Keys.ts"
import { type KeySummary, keysNamed } from "../keys/keySummary.ts"
import { holdsOn, lockPayments, lockSubscription } from "./holds.ts"
import { markPaid } from "./paid.ts"
import { activeKeyOf, retireKey } from "./productionKey.ts"

export interface ManualPayment {
  readonly email: string
  /** Prefix or id of the sandbox key that is to collect; null to have one made. */
  readonly key: string | null
}

/** A key that serves to claim and for nothing else; shown once. */
export type ClaimKey = Redacted.Redacted<string>

export type PaymentOutcome =
  | { readonly _tag: "Paid"; readonly subscriptionId: string; readonly claimKey: ClaimKey | null }
  /** The address has a subscription billed by hand that has not ended; nothing was changed. */
  | { readonly _tag: "OpenAlready"; readonly subscriptionId: string }
  | { readonly _tag: "KeyNotFound" }
  | { readonly _tag: "KeyAmbiguous"; readonly keys: ReadonlyArray<KeySummary> }
  | { readonly _tag: "KeyBarred"; readonly key: KeySummary }

export type ClaimKeyOutcome =
  | { readonly _tag: "Made"; readonly claimKey: ClaimKey }
  | { readonly _tag: "NotFound" }
  | { readonly _tag: "InUse"; readonly keyPrefix: string }

const openSubscription = (sql: SqlClient.SqlClient, email: string, now: Date) =>
  sql<{ readonly id: string }>`
    SELECT id FROM subscription
    WHERE starts_with(external_id, 'manual:') AND (email = ${email} OR lower(mail_to) = ${email})
      AND paid_at IS NOT NULL AND (ends_at IS NULL OR ends_at > ${now})
      AND NOT EXISTS (SELECT FROM subscription_hold
        WHERE subscription_id = subscription.id AND why = 'ended' AND lifted_at IS NULL)
    ORDER BY paid_at DESC, id LIMIT 1`

/** Made revoked and expired, so it works for no call and leaves the active key of the address alone. */
const makeClaimKey = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, pepper: string, email: string, now: Date) {
  const secret = newSecret("Sandbox")
  const keyId = randomUUID()
  yield* sql`
    INSERT INTO api_key (id, hash, prefix, tier, tenant, email, issued_by, created_at, expires_at, revoked_at,
      revoked_reason)
    VALUES (${keyId}, ${hashOf(pepper, secret)}, ${prefixOf(secret)}, 'Sandbox', ${`t_${randomUUID()}`}, ${email},
      'operator', ${now}, ${now}, ${now}, 'only-for-claims')`
  return { keyId, claimKey: Redacted.make(secret, { label: "claim key" }) }
})

const givenKey = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, prefixOrId: string) {
  const keys = (yield* keysNamed(sql, prefixOrId)).filter(({ tier }) => tier === "Sandbox")
  const [key, ...others] = keys
  if (key === undefined) return { _tag: "KeyNotFound" as const }
  if (others.length > 0) return { _tag: "KeyAmbiguous" as const, keys }
  if (key.isBarred) return { _tag: "KeyBarred" as const, key }
  return { _tag: "Found" as const, keyId: key.keyId, claimKey: null }
})

/** To be run in a transaction. The lock makes the second of two commands for one address see the first one's payment. */
export const payByHand = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  pepper: string,
  { email, key }: ManualPayment,
  now: Date
): Effect.fn.Return<PaymentOutcome, SqlError.SqlError> {
  yield* lockPayments(sql)
  const [open] = yield* openSubscription(sql, normalizedEmail(email), now)
  if (open !== undefined) return { _tag: "OpenAlready", subscriptionId: open.id }
  const found =
    key === null
      ? { _tag: "Found" as const, ...(yield* makeClaimKey(sql, pepper, normalizedEmail(email), now)) }
      : yield* givenKey(sql, key)
  if (found._tag !== "Found") return found
  const externalId = `manual:${randomUUID()}`
  const paid = yield* markPaid(sql, { _tag: "Paid", externalId, email, sandboxKeyId: found.keyId }, now)
  return { _tag: "Paid", subscriptionId: paid!.id, claimKey: found.claimKey }
})

/**
 * Gives a subscription a new claim key in place of the sandbox key that it belongs to, or of its address, as long as no
 * production key of it is in use. To be run in a transaction.
 */
export const renewClaimKey = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  pepper: string,
  subscriptionId: string,
  now: Date
): Effect.fn.Return<ClaimKeyOutcome, SqlError.SqlError> {
  yield* lockSubscription(sql, subscriptionId)
  const [subscription] = yield* sql<{ readonly email: string }>`
    SELECT email FROM subscription
    WHERE id = ${subscriptionId}::uuid AND paid_at IS NOT NULL AND (ends_at IS NULL OR ends_at > ${now})`
  const holds = yield* holdsOn(sql, subscriptionId)
  if (subscription === undefined || holds.includes("ended")) return { _tag: "NotFound" }
  const live = yield* activeKeyOf(sql, subscriptionId)
  if (live?.used === true) return { _tag: "InUse", keyPrefix: live.prefix }
  // Whoever collected it without using it is not who the new claim key is for.
  if (live?.issuedBy === "claim") yield* retireKey(sql, live.id, "paid-with-another", now)
  const { claimKey, keyId } = yield* makeClaimKey(sql, pepper, subscription.email, now)
  yield* sql`UPDATE subscription SET sandbox_key_id = ${keyId}::uuid WHERE id = ${subscriptionId}::uuid`
  return { _tag: "Made", claimKey }
})

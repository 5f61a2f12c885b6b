/**
 * Manual billing: payments outside Stripe, entered by an operator. Such a subscription belongs to a
 * sandbox key, named by the operator or made for it. It never belongs to an address, because anyone
 * may have minted a key for that address before.
 */
import { randomUUID } from "node:crypto"
import { Effect, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Settings } from "../../platform/config.ts"
import { hashOf, newSecret, prefixOf } from "./apiKey.ts"
import { claim } from "./claim.ts"
import type { HoldReason } from "./holds.ts"
import { type MintedKey, newTenant, normalizedEmail } from "./Keys.ts"
import { type KeySummary, keysNamed } from "./keysNamed.ts"
import { lockPayments, markPaid } from "./markPaid.ts"

export interface ManualPayment {
  readonly email: string
  /** Prefix or id of the sandbox key that may claim; null to have one made. */
  readonly key: string | null
}

/** A key that can only claim; shown once. */
export type ClaimKey = Redacted.Redacted<string>

export type PaymentOutcome =
  | { readonly _tag: "Paid"; readonly subscriptionId: string; readonly claimKey: ClaimKey | null }
  /**
   * The address has a subscription that has not ended, billed manually or not; nothing was changed.
   */
  | { readonly _tag: "OpenAlready"; readonly subscriptionId: string }
  /** Like `OpenAlready`, but that subscription is held. */
  | { readonly _tag: "HeldAlready"; readonly subscriptionId: string; readonly why: HoldReason }
  | { readonly _tag: "KeyNotFound" }
  | { readonly _tag: "KeyAmbiguous"; readonly keys: ReadonlyArray<KeySummary> }
  | { readonly _tag: "KeyBarred"; readonly key: KeySummary }
  /** The key was made for another address, so its owner would claim another person's payment. */
  | { readonly _tag: "KeyOfAnother"; readonly key: KeySummary; readonly email: string }
  /**
   * The key already belongs to an open subscription of another address, and a key claims only one.
   */
  | { readonly _tag: "KeyTaken"; readonly key: KeySummary; readonly subscriptionId: string }

const hasNotEnded = (now: Date) =>
  SqlClient.SqlClient.useSync(
    (sql) => sql`paid_at IS NOT NULL AND (ends_at IS NULL OR ends_at > ${now}) AND held_why IS DISTINCT FROM 'ended'`
  )

/**
 * An open subscription whose mails go to this address, preferably one that is not held. The address
 * of its sandbox key is not compared, because it may be someone else's.
 */
const openSubscription = Effect.fnUntraced(function* (email: string, now: Date) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ readonly subscriptionId: string; readonly why: HoldReason | null }>`
    SELECT id AS "subscriptionId", held_why AS why FROM subscription
    WHERE lower(mail_to) = ${email} AND ${yield* hasNotEnded(now)}
    ORDER BY held_at IS NOT NULL, paid_at DESC, id LIMIT 1`
})

/**
 * Makes a key that is revoked and expired from the start, so it can claim but works for no call.
 * The address's active key is not affected.
 */
const makeClaimKey = Effect.fnUntraced(function* (pepper: string, email: string, now: Date) {
  const sql = yield* SqlClient.SqlClient
  const secret = newSecret("Sandbox")
  const keyId = randomUUID()
  yield* sql`
    INSERT INTO api_key (id, hash, prefix, tier, tenant, email, issued_by, created_at, expires_at, revoked_at,
      revoked_reason)
    VALUES (${keyId}, ${hashOf(pepper, secret)}, ${prefixOf(secret)}, 'Sandbox', ${newTenant()}, ${email},
      'operator', ${now}, ${now}, ${now}, 'only-for-claims')`
  return { keyId, claimKey: Redacted.make(secret, { label: "claim key" }) }
})

/** The key's address, and the open subscription that it belongs to already. */
const ownerOf = Effect.fnUntraced(function* (keyId: string, now: Date) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ readonly email: string; readonly subscriptionId: string | null }>`
    SELECT email, (SELECT id FROM subscription WHERE sandbox_key_id = ${keyId}::uuid AND ${yield* hasNotEnded(now)}
      ORDER BY paid_at DESC, id LIMIT 1) AS "subscriptionId"
    FROM api_key WHERE id = ${keyId}::uuid`
})

const namedKey = Effect.fnUntraced(function* (prefixOrId: string, email: string, now: Date) {
  const keys = (yield* keysNamed(prefixOrId)).filter(({ tier }) => tier === "Sandbox")
  const [key, ...others] = keys
  if (key === undefined) return { _tag: "KeyNotFound" as const }
  if (others.length > 0) return { _tag: "KeyAmbiguous" as const, keys }
  if (key.isBarred) return { _tag: "KeyBarred" as const, key }
  const [owner] = yield* ownerOf(key.keyId, now)
  if (owner!.email !== email) return { _tag: "KeyOfAnother" as const, key, email: owner!.email }
  const { subscriptionId } = owner!
  if (subscriptionId !== null) return { _tag: "KeyTaken" as const, key, subscriptionId }
  return { _tag: "Found" as const, keyId: key.keyId, claimKey: null }
})

/** Must run in a transaction. If two payments of one address race, the lock orders them. */
export const payManually = Effect.fnUntraced(function* (
  pepper: string,
  { email, key }: ManualPayment,
  now: Date
): Effect.fn.Return<PaymentOutcome, SqlError.SqlError, SqlClient.SqlClient> {
  yield* lockPayments
  const address = normalizedEmail(email)
  const [open] = yield* openSubscription(address, now)
  if (open !== undefined) {
    const { subscriptionId, why } = open
    return why === null ? { _tag: "OpenAlready", subscriptionId } : { _tag: "HeldAlready", subscriptionId, why }
  }
  const found =
    key === null
      ? { _tag: "Found" as const, ...(yield* makeClaimKey(pepper, address, now)) }
      : yield* namedKey(key, address, now)
  if (found._tag !== "Found") return found
  const externalId = `manual:${randomUUID()}`
  const paid = yield* markPaid({ _tag: "Paid", externalId, email, sandboxKeyId: found.keyId }, now)
  return { _tag: "Paid", subscriptionId: paid!.id, claimKey: found.claimKey }
})

export type CreationOutcome =
  | { readonly _tag: "Created"; readonly subscriptionId: string; readonly key: MintedKey }
  | Extract<PaymentOutcome, { readonly _tag: "OpenAlready" | "HeldAlready" }>

/**
 * A production key of a subscription that is paid by hand and claimed at once, instead of by a mail.
 * Must run in a transaction.
 */
export const createProductionKey = Effect.fnUntraced(function* (
  settings: Settings,
  email: string,
  now: Date
): Effect.fn.Return<CreationOutcome, SqlError.SqlError, SqlClient.SqlClient> {
  const paid = yield* payManually(Redacted.value(settings.pepper), { email, key: null }, now)
  if (paid._tag === "OpenAlready" || paid._tag === "HeldAlready") return paid
  if (paid._tag !== "Paid" || paid.claimKey === null) return yield* Effect.die("a claim key was made")
  const claimed = claim(settings, Redacted.value(paid.claimKey), now)
  // Nothing can refuse the first claim of a subscription by its own claim key.
  const { key } = yield* Effect.catch(claimed, (failure) =>
    failure._tag === "SqlError" ? Effect.fail(failure) : Effect.die(failure)
  )
  return { _tag: "Created", subscriptionId: paid.subscriptionId, key }
})

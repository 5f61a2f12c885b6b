/**
 * The effects of a payment: its subscription's row, the sandbox key that the subscription belongs
 * to, and the mail with the production key. A payment is merged with the stored row, so the order
 * of events does not matter.
 */
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isUuid } from "../../../schema/primitives.ts"
import { newTenant, normalizedEmail } from "./Keys.ts"
import { resumeKeyMail } from "./mailQueue.ts"
import type { Named, Paid, PaymentEvent } from "./paymentEvent.ts"

/** Serializes payments: two at once would each miss the other's changes. */
export const lockPayments = SqlClient.SqlClient.use(
  (sql) => sql`SELECT pg_advisory_xact_lock(hashtextextended('payments', 0))`
)

/** The sandbox key that the payment names; undefined if it does not exist. */
const namedKey = Effect.fnUntraced(function* (sandboxKeyId: string | null) {
  const sql = yield* SqlClient.SqlClient
  if (sandboxKeyId === null || !isUuid(sandboxKeyId)) return undefined
  const [key] = yield* sql<{
    readonly id: string
    readonly email: string
  }>`SELECT id, email FROM api_key WHERE id = ${sandboxKeyId}::uuid AND tier = 'Sandbox'`
  return key
})

/**
 * Assigns the subscription to the sandbox key that its payment names, once. A production key that
 * was claimed with another sandbox key before is revoked, used or not, as if the name had come
 * first.
 */
const nameKey = Effect.fnUntraced(function* (
  subscriptionId: string,
  sandboxKey: { readonly id: string; readonly email: string },
  now: Date
) {
  const sql = yield* SqlClient.SqlClient
  const named = yield* sql`
    UPDATE subscription SET sandbox_key_id = ${sandboxKey.id}::uuid, email = ${sandboxKey.email}
    WHERE id = ${subscriptionId} AND sandbox_key_id IS NULL RETURNING id`
  if (named.length === 0) return
  const retired = yield* sql`
    UPDATE api_key SET revoked_at = ${now}, revoked_reason = 'paid-with-another'
    WHERE subscription_id = ${subscriptionId} AND tier = 'Production' AND claimed_with <> ${sandboxKey.id}::uuid
      AND revoked_at IS NULL
    RETURNING id`
  if (retired.length === 0) return
  // The claim had replaced the payer's key or dropped the mail with it.
  yield* resumeKeyMail(subscriptionId, now)
})

/** Merges a payment into its subscription's row; known values stay. */
const mergePayment = Effect.fnUntraced(function* (
  paid: Paid | Named,
  { email, mailTo }: { readonly email: string | null; readonly mailTo: string | null },
  now: Date
) {
  const sql = yield* SqlClient.SqlClient
  const { externalId } = paid
  const receivedAt = paid._tag === "Paid" ? now : null
  const isOurs = paid._tag === "Named" && paid.isOurs
  const [subscription] = yield* sql<{ readonly id: string; readonly mailTo: string | null; readonly paid: boolean }>`
    INSERT INTO subscription AS known (id, external_id, tenant, email, mail_to, is_ours, received_at, paid_at,
      created_at)
    VALUES (${randomUUID()}, ${externalId}, ${newTenant()}, ${email}, ${mailTo}, ${isOurs}, ${receivedAt},
      ${email === null ? null : receivedAt}, ${now})
    ON CONFLICT (external_id) DO UPDATE SET
      email = coalesce(known.email, excluded.email),
      mail_to = coalesce(known.mail_to, excluded.mail_to),
      is_ours = known.is_ours OR excluded.is_ours,
      received_at = coalesce(known.received_at, excluded.received_at),
      paid_at = coalesce(known.paid_at, CASE WHEN coalesce(known.email, excluded.email) IS NOT NULL
        AND coalesce(known.received_at, excluded.received_at) IS NOT NULL THEN excluded.created_at END)
    RETURNING id, mail_to AS "mailTo", paid_at IS NOT NULL AS paid`
  return subscription!
})

/**
 * Combines an event with earlier events. A trial that our payment link started and the first charge
 * of its subscription together make a payment, in either order. References prove a charge, because
 * the event of a trial has no references.
 */
export const combineWithEarlier = Effect.fnUntraced(function* (event: PaymentEvent) {
  const { fact, references } = event
  const sql = yield* SqlClient.SqlClient
  if (fact?._tag === "Named" && fact.isOurs) {
    const [charge] = yield* sql`SELECT FROM payment_reference WHERE owner = ${fact.externalId} LIMIT 1`
    return charge === undefined ? fact : { ...fact, _tag: "Paid" as const }
  }
  if (fact !== null || references === null) return fact
  const externalId = references.owner
  // A subscription of ours for which nothing was charged yet, or whose address is unknown.
  const [unpaid] = yield* sql`
    SELECT FROM subscription
    WHERE external_id = ${externalId} AND (is_ours OR received_at IS NOT NULL) AND paid_at IS NULL`
  return unpaid === undefined ? null : { _tag: "Paid" as const, externalId, email: null, sandboxKeyId: null }
})

/**
 * Marks a subscription as paid from the first paying event, and queues the mail with its key, once.
 * The time is the service's own, because it is compared with issue times of keys. Without an
 * address the subscription does not count as paid until an event brings one. A checkout that only
 * names its key does not pay, but supplies the key and its address. Returns the subscription if it
 * is paid now.
 */
export const markPaid = Effect.fnUntraced(function* (paid: Paid | Named, now: Date) {
  const sql = yield* SqlClient.SqlClient
  const named = yield* namedKey(paid.sandboxKeyId)
  if (paid._tag === "Named") {
    // When the checkout was first seen unpaid; claim.ts rejects later keys of its address.
    yield* sql`
      INSERT INTO unpaid_checkout (external_id, seen_at) VALUES (${paid.externalId}, ${now}) ON CONFLICT DO NOTHING`
  }
  if (paid._tag === "Named" && named === undefined && !paid.isOurs) return undefined
  const payer = paid.email === null || paid.email.trim() === "" ? undefined : paid.email.trim()
  const email = named?.email ?? (payer === undefined ? null : normalizedEmail(payer))
  const subscription = yield* mergePayment(paid, { email, mailTo: payer ?? named?.email ?? null }, now)
  if (named !== undefined) yield* nameKey(subscription.id, named, now)
  if (!subscription.paid) return undefined
  yield* sql`
    INSERT INTO outbox (kind, mail_to, subscription_id, created_at, next_attempt_at)
    VALUES ('production-key', ${subscription.mailTo}, ${subscription.id}, ${now}, ${now})
    ON CONFLICT (subscription_id) WHERE kind = 'production-key' DO NOTHING`
  return subscription
})

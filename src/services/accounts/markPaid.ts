/**
 * The effects of a payment: its subscription's row, the sandbox key that the subscription belongs
 * to, and the mail with the production key. A payment is merged with the stored row, so the order
 * of events does not matter.
 */
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { isUuid } from "../../../schema/primitives.ts"
import { newTenant, normalizedEmail } from "./Keys.ts"
import { resumeKeyMail } from "./mailQueue.ts"
import type { Named, Paid, PaymentEvent } from "./paymentEvent.ts"

/** Serializes payments, because two at once would miss each other's changes. */
export const lockPayments = (sql: SqlClient.SqlClient) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('payments', 0))`

/** The sandbox key that the payment names; undefined if it does not exist. */
const namedKey = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, sandboxKeyId: string | null) {
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
  sql: SqlClient.SqlClient,
  subscriptionId: string,
  sandboxKey: { readonly id: string; readonly email: string },
  now: Date
) {
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
  yield* resumeKeyMail(sql, subscriptionId, now)
})

/** Merges a payment into its subscription's row; known values stay. */
const mergePayment = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  paid: Paid | Named,
  { email, mailTo }: { readonly email: string | null; readonly mailTo: string | null },
  now: Date
) {
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

const isReferredTo = (sql: SqlClient.SqlClient, owner: string) =>
  Effect.map(sql`SELECT FROM payment_reference WHERE owner = ${owner} LIMIT 1`, (found) => found.length > 0)

/**
 * Whether a subscription of ours is unpaid, because nothing was charged or its address is unknown.
 */
const awaitsPayment = (sql: SqlClient.SqlClient, externalId: string) =>
  Effect.map(
    sql`
      SELECT FROM subscription
      WHERE external_id = ${externalId} AND (is_ours OR received_at IS NOT NULL) AND paid_at IS NULL`,
    (found) => found.length > 0
  )

/**
 * Combines an event with earlier events. A trial that our payment link started and the first charge
 * of its subscription together make a payment, in either order. References prove a charge, because
 * the event of a trial has no references.
 */
export const combineWithEarlier = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { fact, references }: PaymentEvent
): Effect.fn.Return<PaymentEvent["fact"], SqlError.SqlError> {
  if (fact?._tag === "Named" && fact.isOurs) {
    return (yield* isReferredTo(sql, fact.externalId)) ? { ...fact, _tag: "Paid" } : fact
  }
  if (fact !== null || references === null) return fact
  const externalId = references.owner
  return (yield* awaitsPayment(sql, externalId)) ? { _tag: "Paid", externalId, email: null, sandboxKeyId: null } : null
})

/** Stores when the checkout was first seen unpaid; claim.ts rejects later keys of its address. */
const rememberUnpaid = (sql: SqlClient.SqlClient, externalId: string, now: Date) =>
  sql`
    INSERT INTO unpaid_checkout (external_id, seen_at) VALUES (${externalId}, ${now}) ON CONFLICT DO NOTHING`

/**
 * Marks a subscription as paid from the first paying event, and queues the mail with its key, once.
 * The time is the service's own, because it is compared with issue times of keys. Without an
 * address the subscription does not count as paid until an event brings one. A checkout that only
 * names its key does not pay, but supplies the key and its address. Returns the subscription if it
 * is paid now.
 */
export const markPaid = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, paid: Paid | Named, now: Date) {
  const named = yield* namedKey(sql, paid.sandboxKeyId)
  if (paid._tag === "Named") yield* rememberUnpaid(sql, paid.externalId, now)
  if (paid._tag === "Named" && named === undefined && !paid.isOurs) return undefined
  const payer = paid.email === null || paid.email.trim() === "" ? undefined : paid.email.trim()
  const email = named?.email ?? (payer === undefined ? null : normalizedEmail(payer))
  const subscription = yield* mergePayment(sql, paid, { email, mailTo: payer ?? named?.email ?? null }, now)
  if (named !== undefined) yield* nameKey(sql, subscription.id, named, now)
  if (!subscription.paid) return undefined
  yield* sql`
    INSERT INTO outbox (kind, mail_to, subscription_id, created_at, next_attempt_at)
    VALUES ('production-key', ${subscription.mailTo}, ${subscription.id}, ${now}, ${now})
    ON CONFLICT (subscription_id) WHERE kind = 'production-key' DO NOTHING`
  return subscription
})

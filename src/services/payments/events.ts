/**
 * What a payment event changes in subscriptions. Events arrive late, twice and in any order, so a fact is merged into
 * its row such that every order ends in the same state, and the event's id is stored in the transaction of its effect.
 */
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { isUuid } from "../../../schema/primitives.ts"
import { normalizedEmail } from "../keys/Keys.ts"
import type { Ended, Paid, PaymentEvent } from "./StripeEvents.ts"

/** `Repeated`: the event was applied before. `Ignored`: it concerns no payment. */
export type PaymentReceipt = "Applied" | "Repeated" | "Ignored"

const newTenant = () => `t_${randomUUID()}`

/** The sandbox key that the payment names; undefined if it names none that exists. */
const namedKey = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, sandboxKeyId: string | null) {
  if (sandboxKeyId === null || !isUuid(sandboxKeyId)) return undefined
  const [key] = yield* sql<{
    readonly id: string
    readonly email: string
  }>`SELECT id, email FROM api_key WHERE id = ${sandboxKeyId}::uuid AND tier = 'Sandbox'`
  return key
})

/**
 * Assigns the subscription to the sandbox key that its payment names, once. A production key that was claimed with
 * another sandbox key before the name arrived is revoked, used or not, as if the name had come first.
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
    WHERE subscription_id = ${subscriptionId} AND revoked_at IS NULL AND claimed_with <> ${sandboxKey.id}::uuid
    RETURNING id`
  if (retired.length === 0) return
  // That claim had dropped the mail with the payer's key, so it is queued again.
  yield* sql`
    UPDATE outbox SET dropped_at = NULL, next_attempt_at = ${now}
    WHERE subscription_id = ${subscriptionId} AND kind = 'production-key' AND dropped_at IS NOT NULL`
})

/**
 * Marks a subscription as paid, as of the first event that says so, and queues the mail with its key, once. The time is
 * the service's own, not the event's, because it is compared with the times at which keys were issued. Without an
 * address the subscription does not count as paid until an event brings one.
 */
export const markPaid = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, paid: Paid, now: Date) {
  const named = yield* namedKey(sql, paid.sandboxKeyId)
  const payer = paid.email === null || paid.email.trim() === "" ? undefined : paid.email.trim()
  const email = named?.email ?? (payer === undefined ? null : normalizedEmail(payer))
  const mailTo = payer ?? named?.email ?? null
  const [subscription] = yield* sql<{ readonly id: string; readonly mailTo: string | null; readonly paid: boolean }>`
    INSERT INTO subscription AS known (id, external_id, tenant, email, mail_to, paid_at, created_at)
    VALUES (${randomUUID()}, ${paid.externalId}, ${newTenant()}, ${email}, ${mailTo},
      ${email === null ? null : now}, ${now})
    ON CONFLICT (external_id) DO UPDATE SET
      email = coalesce(known.email, excluded.email),
      mail_to = coalesce(known.mail_to, excluded.mail_to),
      paid_at = coalesce(known.paid_at, CASE WHEN coalesce(known.email, excluded.email) IS NULL THEN NULL
        ELSE excluded.created_at END)
    RETURNING id, mail_to AS "mailTo", paid_at IS NOT NULL AS paid`
  if (subscription === undefined) return
  if (named !== undefined) yield* nameKey(sql, subscription.id, named, now)
  if (!subscription.paid) return
  yield* sql`
    INSERT INTO outbox (kind, mail_to, subscription_id, created_at, next_attempt_at)
    VALUES ('production-key', ${subscription.mailTo}, ${subscription.id}, ${now}, ${now})
    ON CONFLICT (subscription_id) WHERE kind = 'production-key' DO NOTHING`
})

/** Ends a subscription and its key with the period that is paid for. Keys issued later end then as well. */
const markEnded = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, ended: Ended, now: Date) {
  const [subscription] = yield* sql<{ readonly id: string }>`
    INSERT INTO subscription (id, external_id, tenant, ends_at, created_at)
    VALUES (${randomUUID()}, ${ended.externalId}, ${newTenant()}, ${ended.endsAt}, ${now})
    ON CONFLICT (external_id) DO UPDATE SET ends_at = excluded.ends_at
    RETURNING id`
  yield* sql`
    UPDATE api_key SET expires_at = ${ended.endsAt}
    WHERE subscription_id = ${subscription!.id} AND revoked_at IS NULL`
})

/** To be run in a transaction. A repeated event waits until the first is committed and then changes nothing. */
export const applyEvent = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  event: PaymentEvent,
  now: Date
): Effect.fn.Return<PaymentReceipt, SqlError.SqlError> {
  if (event.fact === null) return "Ignored"
  const first = yield* sql`
    INSERT INTO payment_event (id, type, received_at) VALUES (${event.id}, ${event.type}, ${now})
    ON CONFLICT (id) DO NOTHING RETURNING id`
  if (first.length === 0) return "Repeated"
  if (event.fact._tag === "Paid") yield* markPaid(sql, event.fact, now)
  else yield* markEnded(sql, event.fact, now)
  return "Applied"
})

/** A payment made outside Stripe: one subscription per address. */
export const paidByHand = (email: string): Paid => ({
  _tag: "Paid",
  externalId: `manual:${normalizedEmail(email)}`,
  email,
  sandboxKeyId: null
})

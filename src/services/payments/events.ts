/**
 * What a payment event changes in subscriptions. Events arrive late, twice and in any order, so a fact is merged into
 * its row such that every order ends in the same state, and the event's id is stored in the transaction of its effect.
 */
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { isUuid } from "../../../schema/primitives.ts"
import { normalizedEmail } from "../keys/Keys.ts"
import { resumeKeyMail } from "../mail/queue.ts"
import type { Ended, Named, Paid, PaymentEvent, Reversed, Unapplied } from "./facts.ts"
import { lockPayments } from "./holds.ts"
import { holdReversed, type NewHold, rememberReferences, rememberReversal, reversalsOf } from "./reversals.ts"
import { keepUnapplied, settleEvent, settlePayment } from "./unapplied.ts"

/**
 * `Repeated`: the event was applied before. `Ignored`: it concerns no payment, or one that counts already. `Unapplied`:
 * it is kept for the operator.
 */
export type PaymentReceipt = "Applied" | "Repeated" | "Ignored" | "Unapplied"

export interface Outcome {
  readonly receipt: PaymentReceipt
  readonly unapplied: Unapplied | null
  readonly held: ReadonlyArray<NewHold>
}

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
    WHERE subscription_id = ${subscriptionId} AND tier = 'Production' AND revoked_at IS NULL
      AND claimed_with <> ${sandboxKey.id}::uuid
    RETURNING id`
  if (retired.length === 0) return
  // The payer's key was replaced by that claim, or the mail with it dropped.
  yield* resumeKeyMail(sql, subscriptionId, now)
})

/** Merges a payment into its row; what is known already stays. */
const mergePayment = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { _tag, externalId }: Paid | Named,
  { email, mailTo }: { readonly email: string | null; readonly mailTo: string | null },
  now: Date
) {
  const receivedAt = _tag === "Paid" ? now : null
  const [subscription] = yield* sql<{ readonly id: string; readonly mailTo: string | null; readonly paid: boolean }>`
    INSERT INTO subscription AS known (id, external_id, tenant, email, mail_to, received_at, paid_at, created_at)
    VALUES (${randomUUID()}, ${externalId}, ${newTenant()}, ${email}, ${mailTo}, ${receivedAt},
      ${email === null ? null : receivedAt}, ${now})
    ON CONFLICT (external_id) DO UPDATE SET
      email = coalesce(known.email, excluded.email),
      mail_to = coalesce(known.mail_to, excluded.mail_to),
      received_at = coalesce(known.received_at, excluded.received_at),
      paid_at = coalesce(known.paid_at, CASE WHEN coalesce(known.email, excluded.email) IS NOT NULL
        AND coalesce(known.received_at, excluded.received_at) IS NOT NULL THEN excluded.created_at END)
    RETURNING id, mail_to AS "mailTo", paid_at IS NOT NULL AS paid`
  return subscription!
})

/**
 * Marks a subscription as paid, as of the first event that says so, and queues the mail with its key, once. The time is
 * the service's own, not the event's, because it is compared with the times at which keys were issued. Without an
 * address the subscription does not count as paid until an event brings one. A checkout that only names its key does
 * not pay, but brings the key's address. Returns the subscription if it is paid now.
 */
export const markPaid = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, paid: Paid | Named, now: Date) {
  const named = yield* namedKey(sql, paid.sandboxKeyId)
  if (paid._tag === "Named" && named === undefined) return undefined
  const payer = paid.email === null || paid.email.trim() === "" ? undefined : paid.email.trim()
  const email = named?.email ?? (payer === undefined ? null : normalizedEmail(payer))
  const subscription = yield* mergePayment(sql, paid, { email, mailTo: payer ?? named?.email ?? null }, now)
  if (named !== undefined) yield* nameKey(sql, subscription.id, named, now)
  if (!subscription.paid) return undefined
  yield* settlePayment(sql, paid.externalId, now)
  yield* sql`
    INSERT INTO outbox (kind, mail_to, subscription_id, created_at, next_attempt_at)
    VALUES ('production-key', ${subscription.mailTo}, ${subscription.id}, ${now}, ${now})
    ON CONFLICT (subscription_id) WHERE kind = 'production-key' DO NOTHING`
  return subscription
})

/**
 * Ends a subscription and its key with the period that is paid for; an end never moves to a later day. Keys issued
 * later end then as well.
 */
const markEnded = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, ended: Ended, now: Date) {
  const [subscription] = yield* sql<{ readonly id: string; readonly endsAt: Date }>`
    INSERT INTO subscription AS known (id, external_id, tenant, ends_at, created_at)
    VALUES (${randomUUID()}, ${ended.externalId}, ${newTenant()}, ${ended.endsAt}, ${now})
    ON CONFLICT (external_id) DO UPDATE SET ends_at = least(known.ends_at, excluded.ends_at)
    RETURNING id, ends_at AS "endsAt"`
  yield* sql`
    UPDATE api_key SET expires_at = ${subscription!.endsAt}
    WHERE subscription_id = ${subscription!.id} AND tier = 'Production' AND revoked_at IS NULL`
})

/** Merges the fact of an event; returns why it changed nothing, if it should have changed something. */
const applyFact = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  event: PaymentEvent,
  now: Date
): Effect.fn.Return<Unapplied | null, SqlError.SqlError> {
  const { fact } = event
  if (fact?._tag === "Ended") yield* markEnded(sql, fact, now)
  if (fact?._tag === "Reversed") yield* rememberReversal(sql, event, fact)
  if (fact?._tag !== "Paid" && fact?._tag !== "Named") return event.unapplied
  const paid = yield* markPaid(sql, fact, now)
  return paid === undefined && fact._tag === "Paid" ? { reason: "no-address", externalId: fact.externalId } : null
})

const UNMATCHED = { reason: "unmatched-reversal", externalId: null } as const

/** Holds what this event reverses. A reversal that finds nothing is kept. */
const applyReversal = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { id, type }: PaymentEvent,
  { why }: Reversed,
  now: Date
) {
  const held = yield* holdReversed(sql, { id, type, why }, now)
  return held === undefined ? { held: [], unapplied: UNMATCHED } : { held, unapplied: null }
})

/** Holds what was reversed before its payment came. A reversal may lose what it held by its customer, and is kept then. */
const applyEarlierReversals = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, owner: string | null, now: Date) {
  const held: Array<NewHold> = []
  for (const reversal of owner === null ? [] : yield* reversalsOf(sql, owner)) {
    const newHolds = yield* holdReversed(sql, reversal, now)
    if (newHolds === undefined) yield* keepUnapplied(sql, reversal, UNMATCHED, now)
    else held.push(...newHolds)
  }
  return { held, unapplied: null }
})

/** Only what is done with is remembered: an event that was kept may come again, and then apply. */
const isRepeated = (sql: SqlClient.SqlClient, { id }: PaymentEvent) =>
  Effect.map(sql`SELECT FROM payment_event WHERE id = ${id}`, (found) => found.length > 0)

const rememberEvent = (sql: SqlClient.SqlClient, { id, type }: PaymentEvent, now: Date) =>
  sql`INSERT INTO payment_event (id, type, received_at) VALUES (${id}, ${type}, ${now})`

const settle = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  event: PaymentEvent,
  unapplied: Unapplied | null,
  now: Date
): Effect.fn.Return<PaymentReceipt, SqlError.SqlError> {
  // A reversal that finds nothing is remembered too, and waits for its payment.
  if (unapplied === null || event.fact?._tag === "Reversed") yield* rememberEvent(sql, event, now)
  if (unapplied === null) {
    yield* settleEvent(sql, event.id, now)
    return "Applied"
  }
  return (yield* keepUnapplied(sql, event, unapplied, now)) ? "Unapplied" : "Ignored"
})

/**
 * To be run in a transaction. The lock makes an event that comes twice at once wait until the first is committed; it is
 * found then, and changes nothing.
 */
export const applyEvent = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  event: PaymentEvent,
  now: Date
): Effect.fn.Return<Outcome, SqlError.SqlError> {
  const saysNothing = event.fact === null && event.references === null && event.unapplied === null
  if (saysNothing) return { receipt: "Ignored", unapplied: null, held: [] }
  yield* lockPayments(sql)
  if (yield* isRepeated(sql, event)) return { receipt: "Repeated", unapplied: null, held: [] }
  if (event.references !== null) yield* rememberReferences(sql, event.references, event.createdAt)
  const refused = yield* applyFact(sql, event, now)
  const { held, unapplied: unmatched } =
    event.fact?._tag === "Reversed"
      ? yield* applyReversal(sql, event, event.fact, now)
      : yield* applyEarlierReversals(sql, event.references?.owner ?? null, now)
  const unapplied = refused ?? unmatched
  return { receipt: yield* settle(sql, event, unapplied, now), unapplied, held }
})

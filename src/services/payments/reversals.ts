/**
 * Finds the subscriptions whose payment was reversed, and holds them. A reversal and the payment it reverses arrive in
 * any order, so both are remembered by their references, and whichever comes last finds the other.
 *
 * What a reversal holds is a function of everything remembered, and therefore the same in every order: the
 * subscriptions of its charge, payment intent or invoice; if those are not known at all, the subscriptions for which
 * its customer had paid before it.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { PaymentEvent, References, Reversed } from "./facts.ts"
import { hold, lockSubscription, type PlacedHold, resume } from "./holds.ts"
import { settleEvent } from "./unapplied.ts"

/** A subscription that a reversal has just held. */
export interface NewHold {
  readonly subscriptionId: string
  readonly why: PlacedHold
}

/** Of one payment or customer; the oldest above are not looked through, and the log says so. */
export const MAX_REVERSALS = 100

export const rememberReferences = (
  sql: SqlClient.SqlClient,
  { customer, owner, payments }: References,
  paidAt: Date
): Effect.Effect<unknown, SqlError.SqlError> =>
  sql`
    INSERT INTO payment_reference AS known (reference, owner, is_customer, first_paid_at)
    SELECT DISTINCT reference, ${owner}::text, false, ${paidAt}::timestamptz FROM unnest(${payments}::text[]) AS reference
    UNION ALL
    SELECT reference, ${owner}::text, true, ${paidAt}::timestamptz
    FROM unnest(${customer === null ? [] : [customer]}::text[]) AS reference
    ON CONFLICT (reference, owner) DO UPDATE SET first_paid_at = least(known.first_paid_at, excluded.first_paid_at)`

export const rememberReversal = (
  sql: SqlClient.SqlClient,
  { createdAt, id, type }: PaymentEvent,
  { customer, payments, why }: Reversed
): Effect.Effect<unknown, SqlError.SqlError> =>
  sql`
    INSERT INTO reversal (event_id, type, why, payments, customer, created_at)
    VALUES (${id}, ${type}, ${why}, ${payments}::text[], ${customer}, ${createdAt})`

interface Reversal {
  readonly id: string
  readonly type: string
  readonly why: PlacedHold
}

/**
 * The remembered reversals that new references of an owner may concern: its own, and those of its invoices' payments.
 * Each condition is asked apart, with its references as an array, so that an index answers it.
 */
export const reversalsOf = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  owner: string
): Effect.fn.Return<ReadonlyArray<Reversal>, SqlError.SqlError> {
  const found = yield* sql<Reversal>`
    WITH own AS (SELECT reference FROM payment_reference WHERE owner = ${owner}),
      known AS (
        SELECT reference FROM own
        UNION SELECT reference FROM payment_reference WHERE owner = ANY (ARRAY(SELECT reference FROM own)))
    SELECT event_id AS id, type, why, created_at FROM reversal WHERE payments && ARRAY(SELECT reference FROM known)
    UNION
    SELECT event_id, type, why, created_at FROM reversal WHERE customer = ANY (ARRAY(SELECT reference FROM own))
    ORDER BY created_at DESC, id LIMIT ${MAX_REVERSALS + 1}`
  if (found.length > MAX_REVERSALS) {
    yield* Effect.logWarning("A payment has more reversals than are looked through: check it at Stripe").pipe(
      Effect.annotateLogs({ payment: owner, lookedThrough: MAX_REVERSALS })
    )
  }
  return found.slice(0, MAX_REVERSALS)
})

/** By the payment itself, whose owner may be an invoice, which has an owner in turn; else by the customer. */
const subscriptionsOf = (sql: SqlClient.SqlClient, eventId: string) =>
  sql<{ readonly id: string }>`
    WITH sought AS (SELECT payments, customer, created_at FROM reversal WHERE event_id = ${eventId}),
      direct AS (
        SELECT owner FROM payment_reference, sought WHERE NOT is_customer AND reference = ANY (sought.payments)),
      owners AS (
        SELECT owner FROM direct
        UNION SELECT owner FROM payment_reference
        WHERE NOT is_customer AND reference = ANY (ARRAY(SELECT owner FROM direct))
        UNION SELECT owner FROM payment_reference, sought
        WHERE is_customer AND reference = sought.customer AND first_paid_at <= sought.created_at
          AND NOT EXISTS (SELECT FROM direct))
    SELECT id FROM subscription WHERE external_id = ANY (ARRAY(SELECT owner FROM owners)) ORDER BY id`

/** Takes back what a reversal held by its customer before the payment that it meant was known. */
const releaseOthers = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  eventId: string,
  held: ReadonlyArray<string>,
  now: Date
) {
  const others = yield* sql<{ readonly id: string }>`
    UPDATE subscription_hold SET lifted_at = ${now}, taken_back = true
    WHERE event_id = ${eventId} AND lifted_at IS NULL AND subscription_id <> ALL (${held}::text[]::uuid[])
    RETURNING subscription_id AS id`
  for (const { id } of others) {
    yield* lockSubscription(sql, id)
    yield* resume(sql, id, now)
  }
})

/** Whether the payment that a reversal names is known: it is for something else, if it belongs to no subscription here. */
export const isOfOther = (sql: SqlClient.SqlClient, eventId: string): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.map(
    sql`
      SELECT FROM reversal JOIN payment_reference ON reference = ANY (payments) AND NOT is_customer
      WHERE event_id = ${eventId} LIMIT 1`,
    (found) => found.length > 0
  )

/** Holds what a remembered reversal concerns, and only that; undefined if no subscription of ours is known. */
export const holdReversed = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { id: eventId, why }: Reversal,
  now: Date
): Effect.fn.Return<ReadonlyArray<NewHold> | undefined, SqlError.SqlError> {
  const subscriptions = (yield* subscriptionsOf(sql, eventId)).map(({ id }) => id)
  yield* releaseOthers(sql, eventId, subscriptions, now)
  if (subscriptions.length === 0) return undefined
  yield* settleEvent(sql, eventId, now)
  const holds: Array<NewHold> = []
  for (const subscriptionId of subscriptions) {
    if (yield* hold(sql, subscriptionId, { why, eventId }, now)) holds.push({ subscriptionId, why })
  }
  return holds
})

/**
 * The effects of payment events on subscriptions. The fact that an event contains is a payment, an
 * end or a reversal (refund or dispute). Events arrive late, twice and in any order, so payments
 * and ends are merged into the subscription's row with the same result in every order. The event's
 * id is stored in the same transaction.
 */
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { hold } from "./holds.ts"
import { newTenant } from "./Keys.ts"
import { combineWithEarlier, lockPayments, markPaid } from "./markPaid.ts"
import type { Ended, PaymentEvent, Reversed, Unapplied } from "./paymentEvent.ts"
import { findReversed, rememberReferences } from "./reversals.ts"
import { toReport } from "./unapplied.ts"

/**
 * `Repeated`: the event was applied before. `Ignored`: it concerns no payment, or one that already
 * counts. `Unapplied`: it changed nothing, although perhaps it should have.
 */
export type PaymentReceipt = "Applied" | "Repeated" | "Ignored" | "Unapplied"

/** A subscription whose payment the event reverses. */
interface ReversedSubscription {
  readonly subscriptionId: string
  readonly why: Reversed["why"]
}

export interface Outcome {
  readonly receipt: PaymentReceipt
  readonly reversed: ReadonlyArray<ReversedSubscription>
  /** A report for the operator. */
  readonly unapplied: Unapplied | null
}

/** Ends a subscription and its keys with the paid period. An end never moves to a later time. */
const markEnded = Effect.fnUntraced(function* (ended: Ended, now: Date) {
  const sql = yield* SqlClient.SqlClient
  const [subscription] = yield* sql<{ readonly id: string; readonly endsAt: Date }>`
    INSERT INTO subscription AS known (id, external_id, tenant, ends_at, created_at)
    VALUES (${randomUUID()}, ${ended.externalId}, ${newTenant()}, ${ended.endsAt}, ${now})
    ON CONFLICT (external_id) DO UPDATE SET ends_at = least(known.ends_at, excluded.ends_at)
    RETURNING id, ends_at AS "endsAt"`
  yield* sql`
    UPDATE api_key SET expires_at = ${subscription!.endsAt}
    WHERE subscription_id = ${subscription!.id} AND tier = 'Production' AND revoked_at IS NULL`
})

type Change = Pick<Outcome, "reversed" | "unapplied">

const CHANGED: Change = { reversed: [], unapplied: null }

/**
 * The first reversal holds a subscription. A later one finds it held and counts as applied, too.
 */
const applyReversal = Effect.fnUntraced(function* (reversal: Reversed, now: Date) {
  const { ids, isKnown } = yield* findReversed(reversal)
  for (const id of ids) yield* hold(id, reversal.why, now)
  if (ids.length > 0) return { ...CHANGED, reversed: ids.map((id) => ({ subscriptionId: id, why: reversal.why })) }
  const reason = isKnown ? ("other-payment" as const) : ("unmatched-reversal" as const)
  return { ...CHANGED, unapplied: { reason, externalId: null } }
})

const applyFact = Effect.fnUntraced(function* (
  event: PaymentEvent,
  now: Date
): Effect.fn.Return<Change, SqlError.SqlError, SqlClient.SqlClient> {
  const fact = yield* combineWithEarlier(event)
  if (fact === null) return { ...CHANGED, unapplied: event.unapplied }
  if (fact._tag === "Reversed") return yield* applyReversal(fact, now)
  if (fact._tag === "Ended") {
    yield* markEnded(fact, now)
    return CHANGED
  }
  const paid = yield* markPaid(fact, now)
  const isWithoutAddress = paid === undefined && fact._tag === "Paid"
  return { ...CHANGED, unapplied: isWithoutAddress ? { reason: "no-address", externalId: fact.externalId } : null }
})

/**
 * Must run in a transaction. The lock makes a concurrent duplicate wait and change nothing. Only
 * applied events are stored: an unapplied one may apply when Stripe sends it again.
 */
export const applyEvent = Effect.fnUntraced(function* (
  event: PaymentEvent,
  now: Date
): Effect.fn.Return<Outcome, SqlError.SqlError, SqlClient.SqlClient> {
  const isIrrelevant = event.fact === null && event.references === null && event.unapplied === null
  if (isIrrelevant) return { ...CHANGED, receipt: "Ignored" }
  const sql = yield* SqlClient.SqlClient
  yield* lockPayments
  const [repeated] = yield* sql`SELECT FROM payment_event WHERE id = ${event.id}`
  if (repeated !== undefined) return { ...CHANGED, receipt: "Repeated" }
  if (event.references !== null) yield* rememberReferences(event.references)
  const { reversed, unapplied } = yield* applyFact(event, now)
  if (unapplied === null) {
    yield* sql`INSERT INTO payment_event (id, received_at) VALUES (${event.id}, ${now})`
    return { receipt: "Applied", reversed, unapplied }
  }
  const reported = yield* toReport(unapplied)
  return { receipt: reported === null ? "Ignored" : "Unapplied", reversed, unapplied: reported }
})

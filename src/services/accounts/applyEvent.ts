/**
 * What a payment event changes in subscriptions. Events arrive late, twice and in any order, so a fact is merged into
 * its row such that every order ends in the same state, and the event's id is stored in the transaction of its effect.
 */
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { hold } from "./holds.ts"
import { newTenant } from "./Keys.ts"
import { lockPayments, markPaid, togetherWithEarlier } from "./markPaid.ts"
import type { Ended, PaymentEvent, Reversed, Unapplied } from "./paymentEvent.ts"
import { findReversed, rememberReferences } from "./reversals.ts"
import { toReport } from "./unapplied.ts"

/**
 * `Repeated`: the event was applied before. `Ignored`: it concerns no payment, or one that counts already. `Unapplied`:
 * it changed nothing although perhaps it should have.
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
  /** To be reported to the operator. */
  readonly unapplied: Unapplied | null
}

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

/** What the fact of an event changed. */
type Change = Pick<Outcome, "reversed" | "unapplied">

const CHANGED: Change = { reversed: [], unapplied: null }

/** Each subscription is held by the first of its reversals; the next one finds it held, and is done with as well. */
const applyReversal = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, reversal: Reversed, now: Date) {
  const { ids, isKnown } = yield* findReversed(sql, reversal)
  for (const id of ids) yield* hold(sql, id, reversal.why, now)
  if (ids.length > 0) return { ...CHANGED, reversed: ids.map((id) => ({ subscriptionId: id, why: reversal.why })) }
  const reason = isKnown ? ("other-payment" as const) : ("unmatched-reversal" as const)
  return { ...CHANGED, unapplied: { reason, externalId: null } }
})

const applyFact = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  event: PaymentEvent,
  now: Date
): Effect.fn.Return<Change, SqlError.SqlError> {
  const fact = yield* togetherWithEarlier(sql, event)
  if (fact === null) return { ...CHANGED, unapplied: event.unapplied }
  if (fact._tag === "Reversed") return yield* applyReversal(sql, fact, now)
  if (fact._tag === "Ended") {
    yield* markEnded(sql, fact, now)
    return CHANGED
  }
  const paid = yield* markPaid(sql, fact, now)
  const isNobodys = paid === undefined && fact._tag === "Paid"
  return { ...CHANGED, unapplied: isNobodys ? { reason: "no-address", externalId: fact.externalId } : null }
})

/** Only applied events are remembered: one that changed nothing may be sent again by Stripe, and then apply. */
const isRepeated = (sql: SqlClient.SqlClient, { id }: PaymentEvent) =>
  Effect.map(sql`SELECT FROM payment_event WHERE id = ${id}`, (found) => found.length > 0)

const rememberEvent = (sql: SqlClient.SqlClient, { id }: PaymentEvent, now: Date) =>
  sql`INSERT INTO payment_event (id, received_at) VALUES (${id}, ${now})`

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
  if (saysNothing) return { ...CHANGED, receipt: "Ignored" }
  yield* lockPayments(sql)
  if (yield* isRepeated(sql, event)) return { ...CHANGED, receipt: "Repeated" }
  if (event.references !== null) yield* rememberReferences(sql, event.references)
  const { reversed, unapplied } = yield* applyFact(sql, event, now)
  if (unapplied === null) {
    yield* rememberEvent(sql, event, now)
    return { receipt: "Applied", reversed, unapplied }
  }
  const reported = yield* toReport(sql, unapplied)
  return { receipt: reported === null ? "Ignored" : "Unapplied", reversed, unapplied: reported }
})

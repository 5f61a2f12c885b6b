/**
 * What a payment event changes in subscriptions. Events arrive late, twice and in any order, so a fact is merged into
 * its row such that every order ends in the same state, and the event's id is stored in the transaction of its effect.
 */
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { newTenant } from "../keys/Keys.ts"
import type { Ended, PaymentEvent, Reversed, Told, Unapplied } from "./facts.ts"
import { lockPayments } from "./holds.ts"
import { rememberPayment, tellInVain } from "./inVain.ts"
import { markPaid, togetherWithEarlier } from "./paid.ts"
import {
  holdReversed,
  isOfOther,
  type NewHold,
  rememberReferences,
  rememberReversal,
  reversalsOf
} from "./reversals.ts"
import { keepUnapplied, settleEvent, tellOtherPrice } from "./unapplied.ts"

/**
 * `Repeated`: the event was applied before. `Ignored`: it concerns no payment, or one that counts already. `Unapplied`:
 * it, or what it pays in vain, is told to the operator.
 */
export type PaymentReceipt = "Applied" | "Repeated" | "Ignored" | "Unapplied"

export interface Outcome {
  readonly receipt: PaymentReceipt
  /** What is new to the operator: the event itself, or payments that it shows to have been in vain. */
  readonly told: ReadonlyArray<Told>
  readonly held: ReadonlyArray<NewHold>
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

/** Merges the fact of an event; returns why it changed nothing, if it should have changed something. */
const applyFact = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  event: PaymentEvent,
  now: Date
): Effect.fn.Return<Unapplied | null, SqlError.SqlError> {
  const fact = yield* togetherWithEarlier(sql, event)
  if (fact?._tag === "Ended") yield* markEnded(sql, fact, now)
  if (fact?._tag === "Reversed") yield* rememberReversal(sql, event, fact)
  if (fact?._tag !== "Paid" && fact?._tag !== "Named") return event.unapplied
  const paid = yield* markPaid(sql, fact, now)
  return paid === undefined && fact._tag === "Paid" ? { reason: "no-address", externalId: fact.externalId } : null
})

/** Of a payment for something else, which is known, or of one that is not. */
const unmatched = (sql: SqlClient.SqlClient, eventId: string): Effect.Effect<Unapplied, SqlError.SqlError> =>
  Effect.map(isOfOther(sql, eventId), (isOther) => ({
    reason: isOther ? "other-product" : "unmatched-reversal",
    externalId: null
  }))

/** Holds what this event reverses. A reversal that finds nothing is kept. */
const applyReversal = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { id, type }: PaymentEvent,
  { why }: Reversed,
  now: Date
) {
  const held = yield* holdReversed(sql, { id, type, why }, now)
  const unapplied = held === undefined ? yield* unmatched(sql, id) : null
  return { held: held ?? [], told: [], unapplied }
})

/** What the event may have opened or ended, or tells of. */
const ownerOf = ({ fact, references, unapplied }: PaymentEvent): string | null => {
  if (fact?._tag === "Reversed") return null
  return references?.owner ?? fact?.externalId ?? unapplied?.externalId ?? null
}

const tellKept = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  event: Pick<PaymentEvent, "id" | "type">,
  unapplied: Unapplied,
  now: Date
) {
  const { id, type } = event
  const kept = yield* keepUnapplied(sql, event, unapplied, now)
  const told: ReadonlyArray<Told> = kept?.isNew === true ? [{ id, type, reason: kept.reason }] : []
  return { isKept: kept !== undefined, told }
})

/** Holds what was reversed before its payment came. A reversal may lose what it held by its customer, and is kept then. */
const applyEarlierReversals = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, owner: string | null, now: Date) {
  const held: Array<NewHold> = []
  const told: Array<Told> = []
  for (const reversal of owner === null ? [] : yield* reversalsOf(sql, owner)) {
    const newHolds = yield* holdReversed(sql, reversal, now)
    if (newHolds !== undefined) held.push(...newHolds)
    else told.push(...(yield* tellKept(sql, reversal, yield* unmatched(sql, reversal.id), now)).told)
  }
  return { held, told, unapplied: null }
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
): Effect.fn.Return<Omit<Outcome, "held">, SqlError.SqlError> {
  // A reversal that finds nothing is remembered too, and waits for its payment.
  if (unapplied === null || event.fact?._tag === "Reversed") yield* rememberEvent(sql, event, now)
  if (unapplied === null) {
    yield* settleEvent(sql, event.id, now)
    return { receipt: "Applied", told: [] }
  }
  const { isKept, told } = yield* tellKept(sql, event, unapplied, now)
  return { receipt: isKept ? "Unapplied" : "Ignored", told }
})

/** What else is to be told by now, of everything that is remembered of the subscriptions that the event concerns. */
const tellMore = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  owner: string | null,
  held: ReadonlyArray<NewHold>,
  now: Date
) {
  const concerned = sql`subscription.id = ANY (ARRAY(
    SELECT id FROM subscription WHERE external_id = ${owner}
    UNION SELECT unnest(${held.map(({ subscriptionId }) => subscriptionId)}::text[])::uuid))`
  const inVain = yield* tellInVain(sql, concerned, now)
  return owner === null ? inVain : [...inVain, ...(yield* tellOtherPrice(sql, owner, now))]
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
  if (saysNothing) return { receipt: "Ignored", told: [], held: [] }
  yield* lockPayments(sql)
  if (yield* isRepeated(sql, event)) return { receipt: "Repeated", told: [], held: [] }
  if (event.references !== null) yield* rememberReferences(sql, event.references, event.createdAt)
  if (event.payment !== null) yield* rememberPayment(sql, event.payment, event, now)
  const refused = yield* applyFact(sql, event, now)
  const reversed =
    event.fact?._tag === "Reversed"
      ? yield* applyReversal(sql, event, event.fact, now)
      : yield* applyEarlierReversals(sql, ownerOf(event), now)
  const settled = yield* settle(sql, event, refused ?? reversed.unapplied, now)
  const more = yield* tellMore(sql, ownerOf(event), reversed.held, now)
  const isInVain = more.some(({ id }) => id === event.payment?.id)
  const told = [...settled.told, ...reversed.told, ...more]
  return { receipt: isInVain ? "Unapplied" : settled.receipt, told, held: reversed.held }
})

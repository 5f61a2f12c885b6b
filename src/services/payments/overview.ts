/** Subscriptions as operators see them: whether each is paid, held or ended and why, and what became of its key. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { normalizedEmail } from "../keys/Keys.ts"
import type { HoldReason } from "./holds.ts"

export interface SubscriptionSummary {
  readonly id: string
  /** Where its mails go. */
  readonly email: string
  readonly state: "paid" | "held" | "ended"
  readonly why: ReadonlyArray<HoldReason | "period-over">
  /** Stripe's id, or `manual:` and an id for one that was billed by hand. */
  readonly externalId: string
  readonly paidAt: Date
  /** When it ends or has ended, by Stripe or by the operator. */
  readonly endsAt: Date | null
  /** Since when something holds it that does not end it; null if nothing does. */
  readonly heldAt: Date | null
  /** Of the live production key; null while there is none. */
  readonly keyPrefix: string | null
  readonly keyUsed: boolean
  /** Of the sandbox key that it belongs to, if that is barred. */
  readonly barredKeyPrefix: string | null
}

export const MAX_LISTED_SUBSCRIPTIONS = 200

type Row = Omit<SubscriptionSummary, "state">

const summaryOf = (row: Row): SubscriptionSummary => {
  const isEnded = row.why.includes("ended") || row.why.includes("period-over")
  return { ...row, state: isEnded ? "ended" : row.why.length > 0 ? "held" : "paid" }
}

/** Of one address, or of all if it is null. */
export const listSubscriptions = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  email: string | null,
  now: Date
): Effect.fn.Return<ReadonlyArray<SubscriptionSummary>, SqlError.SqlError> {
  const address = email === null ? null : normalizedEmail(email)
  const rows = yield* sql<Row>`
    SELECT subscription.id, mail_to AS email, external_id AS "externalId", paid_at AS "paidAt",
      least(ends_at, hold.ended_at) AS "endsAt", hold.held_at AS "heldAt",
      live.prefix AS "keyPrefix", barred.prefix AS "barredKeyPrefix",
      EXISTS (SELECT FROM usage WHERE key_id = live.id AND used > 0) AS "keyUsed",
      ARRAY(
        SELECT unnest(hold.why)
        UNION ALL SELECT 'period-over' WHERE ends_at <= ${now}) AS why
    FROM subscription LEFT JOIN api_key AS live
      ON live.subscription_id = subscription.id AND live.tier = 'Production' AND live.revoked_at IS NULL
    LEFT JOIN api_key AS barred ON barred.id = sandbox_key_id AND barred.barred_at IS NOT NULL
    CROSS JOIN LATERAL (
      SELECT array_agg(DISTINCT why) AS why, min(held_at) FILTER (WHERE why <> 'ended') AS held_at,
        min(held_at) FILTER (WHERE why = 'ended') AS ended_at
      FROM open_hold WHERE subscription_id = subscription.id) AS hold
    WHERE paid_at IS NOT NULL
      AND (${address}::text IS NULL OR subscription.email = ${address} OR lower(mail_to) = ${address})
    ORDER BY paid_at DESC, subscription.id LIMIT ${MAX_LISTED_SUBSCRIPTIONS}`
  return rows.map(summaryOf)
})

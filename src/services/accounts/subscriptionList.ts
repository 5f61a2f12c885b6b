/**
 * The list of subscriptions for operators: whether each is paid, held or ended and why, and the
 * state of its key.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { HoldReason } from "./holds.ts"
import { normalizedEmail } from "./Keys.ts"

export interface SubscriptionSummary {
  readonly id: string
  /** Where its mails go. */
  readonly email: string
  readonly state: "paid" | "held" | "ended"
  readonly why: ReadonlyArray<HoldReason | "period-over">
  /** Stripe's id, or `manual:` and an id if it was billed manually. */
  readonly externalId: string
  readonly paidAt: Date
  /** When it ends or has ended, by Stripe or by the operator. */
  readonly endsAt: Date | null
  /** Since when it is held; null if it is not, or was ended. */
  readonly heldAt: Date | null
  /** Prefix of the live production key; null while there is none. */
  readonly keyPrefix: string | null
  readonly keyUsed: boolean
}

export const MAX_LISTED_SUBSCRIPTIONS = 200

type Row = Omit<SubscriptionSummary, "state">

const summaryOf = (row: Row): SubscriptionSummary => {
  const isEnded = row.why.includes("ended") || row.why.includes("period-over")
  return { ...row, state: isEnded ? "ended" : row.why.length > 0 ? "held" : "paid" }
}

/** Subscriptions of one address, or of all if it is null. */
export const listSubscriptions = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  email: string | null,
  now: Date
): Effect.fn.Return<ReadonlyArray<SubscriptionSummary>, SqlError.SqlError> {
  const address = email === null ? null : normalizedEmail(email)
  const rows = yield* sql<Row>`
    SELECT subscription.id, mail_to AS email, external_id AS "externalId", paid_at AS "paidAt",
      least(ends_at, CASE WHEN held_why = 'ended' THEN held_at END) AS "endsAt",
      CASE WHEN held_why <> 'ended' THEN held_at END AS "heldAt", live.prefix AS "keyPrefix",
      EXISTS (SELECT FROM usage WHERE key_id = live.id AND used > 0) AS "keyUsed",
      array_remove(ARRAY[held_why, CASE WHEN ends_at <= ${now} THEN 'period-over' END], NULL) AS why
    FROM subscription LEFT JOIN api_key AS live
      ON live.subscription_id = subscription.id AND live.tier = 'Production' AND live.revoked_at IS NULL
    WHERE paid_at IS NOT NULL
      AND (${address}::text IS NULL OR subscription.email = ${address} OR lower(mail_to) = ${address})
    ORDER BY paid_at DESC, subscription.id LIMIT ${MAX_LISTED_SUBSCRIPTIONS}`
  return rows.map(summaryOf)
})

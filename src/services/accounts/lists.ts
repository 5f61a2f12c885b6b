/**
 * The lists for operators: keys, usage, mails and subscriptions. They contain no key and no hash;
 * addresses only where a subscription was paid.
 */
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { setSessionSettings } from "../../database/index.ts"
import { dayOf } from "../../messages/figures.ts"
import { AppConfig } from "../../platform/config.ts"
import { backgroundCall } from "../ledgerUnavailable.ts"
import type { KeyTier } from "./apiKey.ts"
import type { HoldReason } from "./holds.ts"
import { monthlyCallsOf, normalizedEmail } from "./Keys.ts"
import type { KeySummary } from "./keysNamed.ts"
import { IS_WAITING, type LeasedMail } from "./mailQueue.ts"
import type { Period } from "./month.ts"

/** The number of rows that a list shows, and the maximum if all are requested. */
export const MAX_LISTED = 200
export const MAX_LISTED_OF_ALL = 100_000

/** Sorting millions of rows takes longer than callers of the API would wait. */
const TIMEOUT_MILLISECONDS = 60_000

/** The rows of a query for an operator. */
const list = Effect.fnUntraced(function* <Row extends object>(
  name: string,
  query: (client: SqlClient.SqlClient, now: Date) => Fragment
) {
  const sql = yield* SqlClient.SqlClient
  const now = new Date(yield* Clock.currentTimeMillis)
  return yield* setSessionSettings({ statement_timeout: String(TIMEOUT_MILLISECONDS) }).pipe(
    Effect.andThen(sql<Row>`${query(sql, now)}`),
    sql.withTransaction,
    backgroundCall(`list ${name}`, TIMEOUT_MILLISECONDS)
  )
})

export interface ListedKey extends KeySummary {
  readonly state: "live" | "expired" | "revoked"
  readonly revokedReason: string | null
  /** Whether it is a sandbox key that an operator barred from claims. */
  readonly isBarred: boolean
  readonly madeAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** The month (UTC) in which it was last charged for a call, such as 2026-11. */
  readonly lastUsed: string | null
  readonly subscriptionId: string | null
  /** The mail address of its subscription; null for a sandbox key. */
  readonly email: string | null
}

const addressOf = (email: string | null): string | null => (email === null ? null : normalizedEmail(email))

/** The keys made for an address, and of a tier; any if null. Newest first. */
export const listKeys = (email: string | null, tier: KeyTier | null, most: number) =>
  list<ListedKey>(
    "keys",
    (sql, now) => sql`
      SELECT id AS "keyId", prefix AS "keyPrefix", tier,
        CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= ${now}::timestamptz THEN 'expired'
          ELSE 'live' END AS state,
        revoked_reason AS "revokedReason", barred_at IS NOT NULL AS "isBarred", created_at AS "madeAt",
        expires_at AS "expiresAt", revoked_at AS "revokedAt",
        (SELECT to_char(max(period), 'YYYY-MM') FROM usage WHERE key_id = key.id AND used > 0) AS "lastUsed",
        subscription_id AS "subscriptionId",
        (SELECT mail_to FROM subscription WHERE subscription.id = key.subscription_id) AS email
      FROM api_key AS key
      WHERE (${addressOf(email)}::text IS NULL OR email = ${addressOf(email)})
        AND (${tier}::text IS NULL OR tier = ${tier})
      ORDER BY created_at DESC, id LIMIT ${most}`
  )

export interface KeyUsage extends KeySummary {
  readonly calls: number
  /** Calls per month under the current configuration. */
  readonly quota: number
  readonly left: number
}

interface WantedUsage {
  readonly period: Period
  /** The prefix of a key, or its id; null for any key. */
  readonly key: string | null
}

const charged = ({ key, period }: WantedUsage) =>
  SqlClient.SqlClient.useSync(
    (sql) => sql`FROM usage JOIN api_key AS key ON key.id = key_id
    WHERE period = ${dayOf(period.periodStart)}::date AND used > 0
      AND (${key}::text IS NULL OR prefix = ${key} OR key.id::text = lower(${key}))`
  )

/** The totals of all keys of the month, listed or not. */
export const totalUsage = Effect.fnUntraced(function* (wanted: WantedUsage) {
  const ofMonth = yield* charged(wanted)
  const [total] = yield* list<{ readonly keys: number; readonly calls: number }>(
    "total usage",
    (sql) => sql`SELECT count(*)::float8 AS keys, coalesce(sum(used), 0)::float8 AS calls ${ofMonth}`
  )
  return total!
})

/** The calls charged to each key in a month, the most used first. Refused calls are not charged. */
export const listUsage = Effect.fnUntraced(function* (wanted: WantedUsage, most: number) {
  const settings = yield* AppConfig
  const ofMonth = yield* charged(wanted)
  const rows = yield* list<KeySummary & Pick<KeyUsage, "calls">>(
    "usage",
    (sql) => sql`
      SELECT key.id AS "keyId", prefix AS "keyPrefix", tier, used AS calls ${ofMonth}
      ORDER BY used DESC, key.id LIMIT ${most}`
  )
  return rows.map((one): KeyUsage => {
    const quota = monthlyCallsOf(one.tier, settings)
    return { ...one, quota, left: Math.max(0, quota - one.calls) }
  })
})

export interface ListedMail {
  readonly id: string
  readonly kind: LeasedMail["kind"]
  readonly state: "waiting" | "given up"
  /** Failed attempts, and possibly one in progress. */
  readonly attempts: number
  readonly queuedAt: Date
  /** null if there will be no further attempt. */
  readonly nextAttemptAt: Date | null
  readonly givenUpAt: Date | null
  readonly subscriptionId: string | null
}

/** Waiting mails in the order in which they are due, then given-up mails, the latest first. */
export const listMails = (most: number) =>
  list<ListedMail>(
    "mails",
    (sql) => sql`
      SELECT id::text, kind, CASE WHEN ${sql.literal(IS_WAITING)} THEN 'waiting' ELSE 'given up' END AS state, attempts,
        created_at AS "queuedAt", CASE WHEN ${sql.literal(IS_WAITING)} THEN next_attempt_at END AS "nextAttemptAt",
        given_up_at AS "givenUpAt", subscription_id AS "subscriptionId"
      FROM outbox WHERE sent_at IS NULL AND dropped_at IS NULL
      ORDER BY outbox.given_up_at DESC NULLS FIRST, outbox.next_attempt_at, outbox.id LIMIT ${most}`
  )

interface QueueDepth {
  readonly waiting: number
  /** Waiting mails with at least one attempt. */
  readonly tried: number
  readonly oldestAt: Date | null
  readonly givenUp: number
}

export const mailQueueDepth = Effect.map(
  list<QueueDepth>(
    "mail queue depth",
    (sql) => sql`
      SELECT count(*) FILTER (WHERE given_up_at IS NULL)::float8 AS waiting,
        count(*) FILTER (WHERE given_up_at IS NULL AND attempts > 0)::float8 AS tried,
        min(created_at) FILTER (WHERE given_up_at IS NULL) AS "oldestAt",
        count(given_up_at)::float8 AS "givenUp"
      FROM outbox WHERE sent_at IS NULL AND dropped_at IS NULL`
  ),
  ([depth]) => depth!
)

export interface ListedSubscription {
  readonly id: string
  /** The address to which its mails are sent. */
  readonly email: string
  readonly state: "paid" | "held" | "ended"
  readonly why: ReadonlyArray<HoldReason | "period-over">
  /** Stripe's id, or `manual:` and an id if it was billed manually. */
  readonly externalId: string
  readonly paidAt: Date
  /** The time of its end, past or future, by Stripe or by the operator. */
  readonly endsAt: Date | null
  /** The time since which it is held; null if it is not held, or was ended. */
  readonly heldAt: Date | null
  /** Prefix of the live production key; null while there is none. */
  readonly keyPrefix: string | null
  readonly keyUsed: boolean
}

/** Paid subscriptions of one address, or of all if it is null. Newest first. */
export const listSubscriptions = (email: string | null, most: number) =>
  list<ListedSubscription>(
    "subscriptions",
    (sql, now) => sql`
      SELECT subscription.id, mail_to AS email, external_id AS "externalId", paid_at AS "paidAt",
        least(ends_at, CASE WHEN held_why = 'ended' THEN held_at END) AS "endsAt",
        CASE WHEN held_why <> 'ended' THEN held_at END AS "heldAt", live.prefix AS "keyPrefix",
        EXISTS (SELECT FROM usage WHERE key_id = live.id AND used > 0) AS "keyUsed",
        array_remove(ARRAY[held_why, CASE WHEN ends_at <= ${now} THEN 'period-over' END], NULL) AS why,
        CASE WHEN held_why = 'ended' OR ends_at <= ${now} THEN 'ended' WHEN held_why IS NOT NULL THEN 'held'
          ELSE 'paid' END AS state
      FROM subscription LEFT JOIN api_key AS live
        ON live.subscription_id = subscription.id AND live.tier = 'Production' AND live.revoked_at IS NULL
      WHERE paid_at IS NOT NULL AND (${addressOf(email)}::text IS NULL
        OR subscription.email = ${addressOf(email)} OR lower(mail_to) = ${addressOf(email)})
      ORDER BY paid_at DESC, subscription.id LIMIT ${most}`
  )

/**
 * The mail queue in the database: mails are queued, leased to one process at a time, and settled.
 * Outbox sends them.
 */
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { RateLimit, Settings } from "../../platform/config.ts"
import { ledgerCall } from "../ledgerUnavailable.ts"

/**
 * Time from an attempt to the next, doubled with each. It is longer than an attempt takes, so that
 * no other process tries meanwhile.
 */
const FIRST_RETRY_SECONDS = 60
const MAX_RETRY_SECONDS = 3600
/**
 * Longer than any delay. A mail that is due even later was queued before the clock was set back, so
 * it is due now.
 */
const FARTHEST_SECONDS = 2 * MAX_RETRY_SECONDS

interface QueuedMail {
  /** The mail with a production key is queued by the payment itself: see markPaid.ts. */
  readonly kind: "sandbox-minted" | "production-claimed"
  readonly mailTo: string
  readonly keyPrefix: string
  /** The subscription whose production key was collected. */
  readonly subscriptionId?: string
  readonly now: Date
}

export interface LeasedMail {
  readonly id: bigint
  readonly kind: "sandbox-minted" | "production-key" | "production-claimed"
  readonly mailTo: string
  readonly keyPrefix: string | null
  readonly subscriptionId: string | null
  readonly firstAttemptAt: Date
  /** When the lease ends. The lease is void if the row in the database has another time by then. */
  readonly nextAttemptAt: Date
}

/** SQL condition for a mail that is neither sent, dropped nor given up. */
export const IS_WAITING = "sent_at IS NULL AND dropped_at IS NULL AND given_up_at IS NULL"

/** The time that a limit counts. Rows with a later time are from before the clock was set back. */
export const windowAround = (now: Date, seconds: number): readonly [since: Date, until: Date] => [
  new Date(now.getTime() - seconds * 1000),
  new Date(now.getTime() + seconds * 1000)
]

/**
 * Whether the limits of mails, to this mailbox and in total, allow another mail. All kinds count,
 * except that a mail about a production key is never held back by mails about sandbox keys, which
 * anyone can cause. The lock lets no transaction count before another's mail is committed.
 */
const mayMail = Effect.fnUntraced(function* (settings: Settings, { kind, mailTo, now }: QueuedMail) {
  const sql = yield* SqlClient.SqlClient
  const counted = kind === "sandbox-minted" ? sql.literal("true") : sql.literal("kind <> 'sandbox-minted'")
  const isBelow = Effect.fnUntraced(function* (limit: RateLimit, mails: Fragment) {
    if (limit === null) return true
    const [since, until] = windowAround(now, limit.seconds)
    const earlier = yield* sql`
      SELECT FROM outbox
      WHERE ${counted} AND ${mails} AND created_at > ${since} AND created_at < ${until}
      LIMIT ${limit.calls}`
    return earlier.length < limit.calls
  })
  yield* sql`SELECT pg_advisory_xact_lock(hashtextextended('mails', 0))`
  return (
    (yield* isBelow(settings.mailboxLimit, sql`mailbox_of(mail_to) = mailbox_of(${mailTo})`)) &&
    (yield* isBelow(settings.sandboxMailLimit, sql.literal("true")))
  )
})

/**
 * Queues a mail in the transaction that causes it, unless a limit of mails is reached. The key is
 * issued in any case, so nobody can deprive an owner of keys by using up the limits. If a mail
 * about the subscription's key still waits, it names the new key instead. Locks no row afterwards,
 * so transactions that hold the lock of mails cannot block each other.
 */
export const queueMail = Effect.fnUntraced(function* (settings: Settings, mail: QueuedMail) {
  const sql = yield* SqlClient.SqlClient
  const { keyPrefix, kind, mailTo, now, subscriptionId = null } = mail
  const changed = yield* sql`
    UPDATE outbox SET key_prefix = ${keyPrefix}
    WHERE subscription_id = ${subscriptionId}::uuid AND kind = ${kind} AND ${sql.literal(IS_WAITING)} RETURNING id`
  if (changed.length > 0 || !(yield* mayMail(settings, mail))) return
  yield* sql`
    INSERT INTO outbox (kind, mail_to, key_prefix, subscription_id, created_at, next_attempt_at)
    VALUES (${kind}, ${mailTo}, ${keyPrefix}, ${subscriptionId}::uuid, ${now}, ${now})`
})

/** Drops the waiting mail with a subscription's key, which is no longer needed. */
export const dropKeyMail = Effect.fnUntraced(function* (subscriptionId: string, now: Date) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    UPDATE outbox SET dropped_at = ${now}
    WHERE subscription_id = ${subscriptionId} AND kind = 'production-key' AND ${sql.literal(IS_WAITING)}`
})

export const isKeyMailWaiting = Effect.fnUntraced(function* (subscriptionId: string) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`
    SELECT FROM outbox
    WHERE subscription_id = ${subscriptionId}::uuid AND kind = 'production-key' AND ${sql.literal(IS_WAITING)}`
  return found.length > 0
})

/**
 * Queues the mail with a key again, as a first attempt, for a subscription that has not ended and
 * has no live key. False if there is nothing to mail.
 */
export const resumeKeyMail = Effect.fnUntraced(function* (subscriptionId: string, now: Date) {
  const sql = yield* SqlClient.SqlClient
  const queued = yield* sql`
    UPDATE outbox SET sent_at = NULL, dropped_at = NULL, given_up_at = NULL, attempts = 0, first_attempt_at = NULL,
      next_attempt_at = ${now}
    FROM subscription
    WHERE subscription.id = ${subscriptionId}::uuid AND (ends_at IS NULL OR ends_at > ${now})
      AND outbox.subscription_id = subscription.id AND kind = 'production-key' AND NOT EXISTS (
        SELECT FROM api_key
        WHERE api_key.subscription_id = subscription.id AND tier = 'Production' AND revoked_at IS NULL)
    RETURNING outbox.id`
  return queued.length > 0
})

/**
 * Leases the next due mail and schedules its next attempt in one statement, skipping rows that
 * others have locked. Mails with paid keys come first, then warnings that one was collected. Mails
 * about sandbox keys come last, because anyone can trigger them.
 */
export const leaseMail = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = new Date(yield* Clock.currentTimeMillis)
  const [mail] = yield* sql<LeasedMail>`
    UPDATE outbox SET attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, ${now}),
      next_attempt_at = ${now}::timestamptz + interval '1 second'
        * least(${FIRST_RETRY_SECONDS}::int * power(2, least(attempts, 20)), ${MAX_RETRY_SECONDS}::int)
    WHERE id = (
      SELECT id FROM outbox WHERE ${sql.literal(IS_WAITING)} AND (next_attempt_at <= ${now}
        OR next_attempt_at > ${now}::timestamptz + interval '1 second' * ${FARTHEST_SECONDS}::int)
      ORDER BY kind <> 'production-key', kind = 'sandbox-minted', next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, kind, mail_to AS "mailTo", key_prefix AS "keyPrefix", subscription_id AS "subscriptionId",
      first_attempt_at AS "firstAttemptAt", next_attempt_at AS "nextAttemptAt"`.pipe(ledgerCall("lease mail"))
  return mail
})

/** True unless the mail was settled, changed, queued again or leased again since. */
const isLeased = ({ id, keyPrefix, nextAttemptAt }: LeasedMail) =>
  SqlClient.SqlClient.useSync(
    (sql) => sql`
      id = ${id} AND next_attempt_at = ${nextAttemptAt} AND key_prefix IS NOT DISTINCT FROM ${keyPrefix}::text
      AND ${sql.literal(IS_WAITING)}`
  )

/** The mail cannot be queued again while the caller holds the subscription's row lock. */
export const isStillLeased = Effect.fnUntraced(function* (mail: LeasedMail) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`SELECT FROM outbox WHERE ${yield* isLeased(mail)}`
  return found.length > 0
})

/**
 * Takes a mail off the queue for good: sent, not needed, or given up. A mail that was queued again
 * or changed while it was being sent stays queued, because its key is revoked by now.
 */
export const settleMail = Effect.fnUntraced(function* (
  mail: LeasedMail,
  column: "sent_at" | "dropped_at" | "given_up_at"
) {
  const sql = yield* SqlClient.SqlClient
  const now = new Date(yield* Clock.currentTimeMillis)
  yield* sql`UPDATE outbox SET ${sql(column)} = ${now} WHERE ${yield* isLeased(mail)}`.pipe(ledgerCall("settle mail"))
})

/** The number of mails neither sent, dropped nor given up. */
export const countWaiting = SqlClient.SqlClient.use((sql) =>
  sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM outbox WHERE ${sql.literal(IS_WAITING)}`.pipe(
    ledgerCall("count mails"),
    Effect.map(([row]) => row?.count ?? 0)
  )
)

/**
 * Sends the mails that transactions have queued, each until the mail server takes it or three days are over. The mail
 * with a production key makes the key when it is sent and keeps its hash alone, so no key waits anywhere in clear; a
 * later attempt replaces the key of the one before. Several processes may run it: each mail is leased to one at a time.
 */
import { Clock, Context, Effect, Layer, Metric, Option, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../config.ts"
import { type LedgerUnavailable, ledgerCall } from "../ledgerUnavailable.ts"
import {
  activeKeyOf,
  issueKey,
  retireKey,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRow
} from "../payments/productionKey.ts"
import { type Mail, Mailer } from "./Mailer.ts"
import { productionClaimed, productionKey, sandboxMinted } from "./mails.ts"

/** Longer than one attempt can take, so that no other process tries meanwhile; doubled with each attempt. */
const FIRST_PAUSE_SECONDS = 60
const LONGEST_PAUSE_SECONDS = 3600
/** From the first attempt: a mail that waited for a mail server to be configured has its three days before it. */
const GIVE_UP_MILLISECONDS = 3 * 86_400_000
const POLL = "5 seconds"

interface LeasedMail {
  readonly id: bigint
  readonly kind: "sandbox-minted" | "production-key" | "production-claimed"
  readonly mailTo: string
  readonly keyPrefix: string | null
  readonly subscriptionId: string | null
  readonly firstAttemptAt: Date
}

const givenUpMails = Metric.counter("outbox_given_up_total", {
  description: "Mails that no mail server took within three days.",
  incremental: true
})
const failedAttempts = Metric.counter("outbox_failed_attempts_total", {
  description: "Attempts to hand a mail to the mail server that failed.",
  incremental: true
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const settings = yield* AppConfig
  const mailer = yield* Mailer
  const waiting = sql.literal("sent_at IS NULL AND dropped_at IS NULL AND given_up_at IS NULL")
  const at = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

  /** Takes the next due mail and sets its next attempt in the same statement; another process skips the locked row. */
  const lease = Effect.fnUntraced(function* () {
    const now = yield* at
    const [mail] = yield* sql<LeasedMail>`
      UPDATE outbox SET attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, ${now}), next_attempt_at = ${now}::timestamptz + interval '1 second'
        * least(${FIRST_PAUSE_SECONDS}::int * power(2, least(attempts, 20)), ${LONGEST_PAUSE_SECONDS}::int)
      WHERE id = (
        SELECT id FROM outbox WHERE ${waiting} AND next_attempt_at <= ${now}
        ORDER BY next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, kind, mail_to AS "mailTo", key_prefix AS "keyPrefix", subscription_id AS "subscriptionId",
        first_attempt_at AS "firstAttemptAt"`.pipe(ledgerCall("lease mail"))
    return mail
  })

  const settle = Effect.fnUntraced(function* (mail: LeasedMail, column: "sent_at" | "dropped_at" | "given_up_at") {
    const now = yield* at
    yield* sql`UPDATE outbox SET ${sql(column)} = ${now} WHERE id = ${mail.id} AND ${waiting}`.pipe(
      ledgerCall("settle mail")
    )
  })

  const lockSubscription = (id: string | null) =>
    Effect.map(
      sql<SubscriptionRow>`
        SELECT ${sql.literal(SUBSCRIPTION_COLUMNS)} FROM subscription
        WHERE id = ${id}::uuid AND paid_at IS NOT NULL FOR UPDATE`,
      ([subscription]) => subscription
    )

  /**
   * Makes the key for one attempt, under the lock that claims take too. Nothing is to be sent when the subscription
   * has ended, or when its key was collected or is in use already.
   */
  const keyToSend = Effect.fnUntraced(function* (mail: LeasedMail) {
    const now = yield* at
    const work = Effect.gen(function* () {
      const subscription = yield* lockSubscription(mail.subscriptionId)
      if (subscription === undefined || (subscription.endsAt !== null && subscription.endsAt <= now)) return undefined
      const old = yield* activeKeyOf(sql, subscription.id)
      if (old !== undefined && (old.used || old.issuedBy === "claim")) return undefined
      if (old !== undefined) yield* retireKey(sql, old.id, "mail-retried", now)
      return yield* issueKey(sql, Redacted.value(settings.pepper), subscription, null, now)
    })
    return yield* sql.withTransaction(work).pipe(ledgerCall("make mailed key"))
  })

  /** The mail as it goes out; undefined if there is nothing to send any more. */
  const compose = Effect.fnUntraced(function* (mail: LeasedMail) {
    const prefix = mail.keyPrefix ?? ""
    if (mail.kind === "sandbox-minted") return { to: mail.mailTo, ...sandboxMinted(prefix, settings.publicUrl) }
    if (mail.kind === "production-claimed") return { to: mail.mailTo, ...productionClaimed(prefix, settings.publicUrl) }
    const key = yield* keyToSend(mail)
    return key === undefined ? undefined : { to: mail.mailTo, ...productionKey(key.secret, settings.publicUrl) }
  })

  const retireUnsentKey = Effect.fnUntraced(function* (mail: LeasedMail) {
    const now = yield* at
    const work = Effect.gen(function* () {
      const subscription = yield* lockSubscription(mail.subscriptionId)
      const old = subscription === undefined ? undefined : yield* activeKeyOf(sql, subscription.id)
      if (old?.issuedBy === "mail" && !old.used) yield* retireKey(sql, old.id, "mail-given-up", now)
    })
    yield* sql.withTransaction(work).pipe(ledgerCall("retire unsent key"))
  })

  const giveUp = Effect.fnUntraced(function* (mail: LeasedMail) {
    if (mail.kind === "production-key") yield* retireUnsentKey(mail)
    yield* settle(mail, "given_up_at")
    yield* Metric.update(givenUpMails, 1)
    yield* Effect.logError("A mail is given up: no mail server took it within three days").pipe(
      Effect.annotateLogs({ mail: String(mail.id), kind: mail.kind })
    )
  })

  const notSent = Effect.fnUntraced(function* (mail: LeasedMail, reason: string) {
    yield* Metric.update(failedAttempts, 1)
    yield* Effect.logWarning("A mail was not taken and will be tried again").pipe(
      Effect.annotateLogs({ mail: String(mail.id), kind: mail.kind, reason })
    )
  })

  const attempt = Effect.fnUntraced(function* (
    mail: LeasedMail,
    send: (mail: Mail) => Effect.Effect<void, { readonly reason: string }>
  ) {
    const now = yield* Clock.currentTimeMillis
    if (now - mail.firstAttemptAt.getTime() >= GIVE_UP_MILLISECONDS) return yield* giveUp(mail)
    const composed = yield* compose(mail)
    if (composed === undefined) return yield* settle(mail, "dropped_at")
    yield* send(composed).pipe(
      Effect.matchEffect({
        onFailure: ({ reason }) => notSent(mail, reason),
        onSuccess: () => settle(mail, "sent_at")
      })
    )
  })

  const count = Effect.fn("Outbox.waiting")(function* () {
    const [row] = yield* sql<{ readonly count: number }>`
      SELECT count(*)::int AS count FROM outbox WHERE ${waiting}`.pipe(ledgerCall("count mails"))
    return row?.count ?? 0
  })

  /** One attempt for every mail that is due; a started attempt is finished before the worker stops. */
  const sendDue = Effect.fn("Outbox.sendDue")(function* () {
    if (Option.isNone(mailer.send)) return 0
    const send = mailer.send.value
    let attempts = 0
    while (true) {
      const isOver = yield* Effect.uninterruptible(
        Effect.flatMap(lease(), (mail) =>
          mail === undefined ? Effect.succeed(true) : Effect.as(attempt(mail, send), false)
        )
      )
      if (isOver) return attempts
      attempts++
    }
  })

  return { sendDue: sendDue(), waiting: count() }
})

export class Outbox extends Context.Service<
  Outbox,
  {
    /** Tries every mail that is due once; returns the number of attempts. Without a mail server it does nothing. */
    readonly sendDue: Effect.Effect<number, LedgerUnavailable>
    /** Mails neither sent, dropped nor given up. */
    readonly waiting: Effect.Effect<number, LedgerUnavailable>
  }
>()("repayment-of-record/Outbox") {
  static readonly layer: Layer.Layer<Outbox, never, SqlClient.SqlClient | AppConfig | Mailer> = Layer.effect(
    Outbox,
    make
  )
}

/** Says once that mails wait, without saying for whom or with what. */
const announceWaiting = Effect.gen(function* () {
  const outbox = yield* Outbox
  const waiting = yield* outbox.waiting
  if (waiting > 0) {
    yield* Effect.logWarning("Mails wait in the outbox: set SMTP_URL to send them").pipe(
      Effect.annotateLogs({ waiting })
    )
  }
  return waiting > 0
})

/** Runs for as long as its scope is open. A database that is away only delays it. */
export const OutboxWorker: Layer.Layer<never, never, Outbox | Mailer> = Layer.effectDiscard(
  Effect.gen(function* () {
    const outbox = yield* Outbox
    const mailer = yield* Mailer
    const work = Option.isSome(mailer.send)
      ? outbox.sendDue.pipe(Effect.ignore, Effect.repeat(Schedule.spaced(POLL)))
      : announceWaiting.pipe(
          Effect.orElseSucceed(() => false),
          Effect.repeat({ until: (announced) => announced, schedule: Schedule.spaced(POLL) })
        )
    yield* Effect.forkScoped(work)
  })
)

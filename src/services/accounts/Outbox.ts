/**
 * The worker that sends queued mails, each until the mail server accepts it or three days have
 * passed. Several processes may run it, because each mail is leased to one at a time.
 */
import { Clock, Context, Effect, Layer, Metric, Option, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { isEmail } from "../../../schema/keys.ts"
import { AppConfig, type Settings } from "../../platform/config.ts"
import { counter } from "../../platform/telemetry.ts"
import type { LedgerUnavailable } from "../ledgerUnavailable.ts"
import { type Mail, Mailer, type SendMail } from "./Mailer.ts"
import { abandonMailedKey, issueMailedKey } from "./mailedKey.ts"
import { countWaiting, type LeasedMail, leaseMail, settleMail } from "./mailQueue.ts"
import { productionClaimed, productionKey, sandboxMinted, withAsciiDomain } from "./mails.ts"

/** Counted from the first attempt: mails queued before SMTP_URL was set get the full time. */
const GIVE_UP_MILLISECONDS = 3 * 86_400_000
const POLL = "5 seconds"

const givenUpMails = counter("outbox_given_up_total", "Mails that no mail server accepted within three days.")
const failedAttempts = counter("outbox_failed_attempts_total", "Failed attempts to hand a mail to the mail server.")

const undeliveredKeys = counter("outbox_undelivered_keys_total", "Production keys whose mail reached nobody.")

/** The mail to send; undefined if it is no longer needed. */
const compose = Effect.fnUntraced(function* (
  settings: Settings,
  leased: LeasedMail
): Effect.fn.Return<Mail | undefined, LedgerUnavailable, SqlClient.SqlClient> {
  const { publicUrl } = settings
  const { keyPrefix, kind, mailTo } = leased
  if (kind === "sandbox-minted") return { to: mailTo, ...sandboxMinted(keyPrefix ?? "", publicUrl) }
  if (kind === "production-claimed") return { to: mailTo, ...productionClaimed(keyPrefix ?? "", publicUrl) }
  const key = yield* issueMailedKey(settings, leased)
  return key === undefined ? undefined : { to: mailTo, ...productionKey(key.secret, publicUrl) }
})

/**
 * Takes an unsent mail off the queue and revokes the production key in it. Returns whether that
 * leaves a payer without a key.
 */
const withdraw = Effect.fnUntraced(function* (mail: LeasedMail, column: "dropped_at" | "given_up_at") {
  const isWithoutKey = mail.kind === "production-key" && (yield* abandonMailedKey(mail))
  yield* settleMail(mail, column)
  return isWithoutKey
})

/** Logs an undelivered mail as an ERROR, with a remedy if it was to bring a production key. */
const reportLost = Effect.fnUntraced(function* (mail: LeasedMail, what: string, isWithoutKey: boolean) {
  if (isWithoutKey) yield* Metric.update(undeliveredKeys, 1)
  const remedy = isWithoutKey ? "; the payer has no key: run repay subscriptions allow with this subscription" : ""
  yield* Effect.logError(`${what}${remedy}`).pipe(
    Effect.annotateLogs({ mail: String(mail.id), kind: mail.kind, subscription: mail.subscriptionId ?? "none" })
  )
})

const giveUp = Effect.fnUntraced(function* (mail: LeasedMail) {
  const isWithoutKey = yield* withdraw(mail, "given_up_at")
  yield* Metric.update(givenUpMails, 1)
  yield* reportLost(mail, "A mail was given up: no mail server accepted it within three days", isWithoutKey)
})

const dropUnsendable = Effect.fnUntraced(function* (mail: LeasedMail) {
  const isWithoutKey = yield* withdraw(mail, "dropped_at")
  yield* reportLost(mail, "A mail was dropped: it needs exactly one address", isWithoutKey)
})

const notSent = Effect.fnUntraced(function* (mail: LeasedMail, reason: string) {
  yield* Metric.update(failedAttempts, 1)
  yield* Effect.logWarning("A mail was not sent; retrying").pipe(
    Effect.annotateLogs({ mail: String(mail.id), kind: mail.kind, reason })
  )
})

const attempt = Effect.fnUntraced(function* (settings: Settings, send: SendMail, queued: LeasedMail) {
  const leased = { ...queued, mailTo: withAsciiDomain(queued.mailTo) }
  if (!isEmail(leased.mailTo)) return yield* dropUnsendable(leased)
  const now = yield* Clock.currentTimeMillis
  if (now - leased.firstAttemptAt.getTime() >= GIVE_UP_MILLISECONDS) return yield* giveUp(leased)
  const mail = yield* compose(settings, leased)
  if (mail === undefined) {
    yield* withdraw(leased, "dropped_at")
    return
  }
  yield* Effect.matchEffect(send(mail), {
    onFailure: ({ reason }) => notSent(leased, reason),
    onSuccess: () => settleMail(leased, "sent_at")
  })
})

const make = Effect.gen(function* () {
  const provided = Effect.provideService(SqlClient.SqlClient, yield* SqlClient.SqlClient)
  const settings = yield* AppConfig
  const mailer = yield* Mailer
  for (const one of [givenUpMails, failedAttempts, undeliveredKeys]) yield* Metric.value(one)

  /** Leases the next due mail and tries to send it; false if none is due. Not interruptible. */
  const sendNext = (send: SendMail) =>
    Effect.uninterruptible(
      Effect.flatMap(leaseMail, (mail) =>
        mail === undefined ? Effect.succeed(false) : Effect.as(attempt(settings, send, mail), true)
      ).pipe(provided)
    )

  const sendDue = Effect.fn("Outbox.sendDue")(function* () {
    if (Option.isNone(mailer.send)) return 0
    let attempts = 0
    while (yield* sendNext(mailer.send.value)) attempts++
    return attempts
  })

  return { sendDue: sendDue(), waiting: countWaiting.pipe(provided, Effect.withSpan("Outbox.waiting")) }
})

export class Outbox extends Context.Service<
  Outbox,
  {
    /** Tries every due mail once; returns the number of attempts. Does nothing without a server. */
    readonly sendDue: Effect.Effect<number, LedgerUnavailable>
    /** The number of mails neither sent, dropped nor given up. */
    readonly waiting: Effect.Effect<number, LedgerUnavailable>
  }
>()("repayment-of-record/Outbox") {
  static readonly layer = Layer.effect(Outbox, make)
}

/** Warns if mails are waiting, without their recipients or contents. */
const warnOfWaiting = Effect.gen(function* () {
  const outbox = yield* Outbox
  const waiting = yield* outbox.waiting
  if (waiting > 0) {
    yield* Effect.logWarning("Mails wait in the outbox: set SMTP_URL to send them").pipe(
      Effect.annotateLogs({ waiting })
    )
  }
  return waiting > 0
})

/** Keeps the worker running. Database failures are logged where they occur, all others here. */
const logFailures = <A>(round: Effect.Effect<A, LedgerUnavailable>) =>
  round.pipe(
    Effect.ignore,
    Effect.catchCause((cause) => Effect.logError("Sending mails failed; retrying", cause))
  )

/** Sends due mails while its scope is open; without a mail server it warns once. */
export const outboxWorkerLayer: Layer.Layer<never, never, Outbox | Mailer> = Layer.effectDiscard(
  Effect.gen(function* () {
    const outbox = yield* Outbox
    const mailer = yield* Mailer
    const work = Option.isSome(mailer.send)
      ? outbox.sendDue.pipe(logFailures, Effect.repeat(Schedule.spaced(POLL)))
      : warnOfWaiting.pipe(
          Effect.catchCause(() => Effect.succeed(false)),
          Effect.repeat({ until: (warned) => warned, schedule: Schedule.spaced(POLL) })
        )
    yield* Effect.forkScoped(work)
  })
)

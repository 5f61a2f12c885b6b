/**
 * The SMTP client: hands one mail to the server of SMTP_URL. It stores nothing and tries once;
 * Outbox queues and retries.
 */
import { Context, Data, Effect, Layer, Option, Redacted } from "effect"
import { createTransport } from "nodemailer"
import { withDeadline } from "../../database/index.ts"
import { AppConfig } from "../../platform/config.ts"
import type { MailText } from "./mails.ts"

/** The server did not accept the mail. The reason is an error code, never an address or text. */
export class MailNotSent extends Data.TaggedError("MailNotSent")<{ readonly reason: string }> {}

export interface Mail extends MailText {
  readonly to: string
}

export type SendMail = (mail: Mail) => Effect.Effect<void, MailNotSent>

const CONNECT_MILLISECONDS = 5000
/** Shorter than the time that a shutdown may take, because a mail being sent delays it. */
const SEND_MILLISECONDS = 15_000

const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "unknown"
  const code = "code" in cause ? String(cause.code) : cause.name
  return "responseCode" in cause ? `${code} ${String(cause.responseCode)}` : code
}

const serverAt = (url: string) =>
  createTransport({
    url,
    connectionTimeout: CONNECT_MILLISECONDS,
    greetingTimeout: CONNECT_MILLISECONDS,
    socketTimeout: SEND_MILLISECONDS,
    disableFileAccess: true,
    disableUrlAccess: true
  })

/** Whether the mail server greets and lets this service log in; no mail is sent. */
export const greetMailServer = (url: Redacted.Redacted<string>): Effect.Effect<void, MailNotSent> =>
  Effect.acquireUseRelease(
    Effect.sync(() => serverAt(Redacted.value(url))),
    (server) =>
      Effect.tryPromise({
        try: () => server.verify(),
        catch: (cause) => new MailNotSent({ reason: reasonOf(cause) })
      }),
    (server) => Effect.sync(() => server.close())
  ).pipe(Effect.asVoid)

const makeSend = (url: string, from: string): SendMail => {
  const server = serverAt(url)
  return (mail) =>
    withDeadline(
      Effect.tryPromise({
        try: () => server.sendMail({ ...mail, from }),
        catch: (cause) => new MailNotSent({ reason: reasonOf(cause) })
      }),
      SEND_MILLISECONDS,
      () => new MailNotSent({ reason: "timeout" })
    ).pipe(Effect.asVoid, Effect.withSpan("Mailer.send"))
}

export class Mailer extends Context.Service<
  Mailer,
  {
    /** Undefined if no mail server is configured. */
    readonly send: Option.Option<SendMail>
  }
>()("repayment-of-record/Mailer") {
  static readonly layer: Layer.Layer<Mailer, never, AppConfig> = Layer.effect(
    Mailer,
    Effect.map(AppConfig, ({ mailFrom, smtpUrl }) =>
      Mailer.of({
        send: Option.map(Option.fromNullOr(smtpUrl), (url) => makeSend(Redacted.value(url), mailFrom))
      })
    )
  )
}

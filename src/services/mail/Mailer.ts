/**
 * Hands one mail to the mail server of SMTP_URL. The only file that knows SMTP. It keeps nothing and tries once;
 * keeping and trying again is Outbox's.
 */
import { Context, Data, Effect, Layer, Option, Redacted } from "effect"
import { createTransport } from "nodemailer"
import { AppConfig } from "../../config.ts"
import { within } from "../../database/deadline.ts"
import type { MailText } from "./mails.ts"

/** The mail server did not take the mail; the reason is its code, never an address or the text. */
class MailNotSent extends Data.TaggedError("MailNotSent")<{ readonly reason: string }> {}

export interface Mail extends MailText {
  readonly to: string
}

const CONNECT_MILLISECONDS = 5000
/** Shorter than the time that a stopping process may take. */
const SEND_MILLISECONDS = 15_000

const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "unknown"
  const code = "code" in cause ? String(cause.code) : cause.name
  return "responseCode" in cause ? `${code} ${String(cause.responseCode)}` : code
}

const transport = (url: string, from: string) => {
  const server = createTransport({
    url,
    connectionTimeout: CONNECT_MILLISECONDS,
    greetingTimeout: CONNECT_MILLISECONDS,
    socketTimeout: SEND_MILLISECONDS,
    disableFileAccess: true,
    disableUrlAccess: true
  })
  return (mail: Mail): Effect.Effect<void, MailNotSent> =>
    within(
      Effect.tryPromise({
        try: () => server.sendMail({ ...mail, from }),
        catch: (cause) => new MailNotSent({ reason: reasonOf(cause) })
      }),
      SEND_MILLISECONDS,
      () => new MailNotSent({ reason: "timeout" })
    ).pipe(Effect.asVoid)
}

export class Mailer extends Context.Service<
  Mailer,
  {
    /** None: no mail server is configured. */
    readonly send: Option.Option<(mail: Mail) => Effect.Effect<void, MailNotSent>>
  }
>()("repayment-of-record/Mailer") {
  static readonly layer: Layer.Layer<Mailer, never, AppConfig> = Layer.effect(
    Mailer,
    Effect.map(AppConfig, ({ mailFrom, smtpUrl }) =>
      Mailer.of({
        send: Option.map(Option.fromNullOr(smtpUrl), (url) => transport(Redacted.value(url), mailFrom))
      })
    )
  )
}

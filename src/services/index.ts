/** The services that stand on the database and the settings, as one layer; the outbox worker starts with its own. */
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { AppConfig } from "../config.ts"
import { AnswerLedger } from "./answers/AnswerLedger.ts"
import { InputsHash } from "./answers/InputsHash.ts"
import { Quota } from "./answers/Quota.ts"
import { Keys } from "./keys/Keys.ts"
import { Mailer } from "./mail/Mailer.ts"
import { Outbox, OutboxWorker } from "./mail/Outbox.ts"
import { StripeEvents } from "./payments/StripeEvents.ts"
import { Subscriptions } from "./payments/Subscriptions.ts"
import { RateLimits } from "./RateLimits.ts"

type Services = AnswerLedger | InputsHash | Keys | Quota | RateLimits | StripeEvents | Subscriptions

export const ServicesLive: Layer.Layer<Services, never, SqlClient.SqlClient | AppConfig> = Layer.mergeAll(
  AnswerLedger.layer,
  InputsHash.layer,
  Keys.layer,
  Quota.layer,
  RateLimits.layer,
  StripeEvents.layer,
  Subscriptions.layer
)

/** Sends queued mails for as long as it is there. */
export const MailLive: Layer.Layer<never, never, SqlClient.SqlClient | AppConfig> = OutboxWorker.pipe(
  Layer.provide(Outbox.layer),
  Layer.provide(Mailer.layer)
)

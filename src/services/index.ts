/** The services that stand on the database and the settings, as one layer; the outbox worker starts with its own. */
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { AppConfig } from "../config.ts"
import { AnswerLedger } from "./AnswerLedger.ts"
import { InputsHash } from "./InputsHash.ts"
import { Keys } from "./Keys.ts"
import { Mailer } from "./Mailer.ts"
import { Outbox, OutboxWorker } from "./Outbox.ts"
import { Quota } from "./Quota.ts"
import { RateLimits } from "./RateLimits.ts"
import { StripeEvents } from "./StripeEvents.ts"
import { Subscriptions } from "./Subscriptions.ts"

export type Services = AnswerLedger | InputsHash | Keys | Quota | RateLimits | StripeEvents | Subscriptions

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

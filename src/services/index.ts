/**
 * Layers of the services that need only the database and the settings, and of their background
 * workers.
 */
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { AppConfig, ConfigProblems } from "../platform/config.ts"
import { Keys, Mailer, Outbox, outboxWorkerLayer, StripeEvents, Subscriptions } from "./accounts/index.ts"
import { Charging, IdempotencyKeys } from "./answers/index.ts"
import { AnswerLedger } from "./answers/records.ts"
import { beginCountingUnavailable } from "./ledgerUnavailable.ts"
import { type LogKeys, Sequencer, sequencerWorkerLayer, TransparencyLog, witnessWorkerLayer } from "./log/index.ts"
import { outageLayer } from "./outage.ts"
import { FairQueue, RateLimits } from "./scheduling/index.ts"

type Services =
  | AnswerLedger
  | Charging
  | IdempotencyKeys
  | Keys
  | RateLimits
  | StripeEvents
  | Subscriptions
  | TransparencyLog
  | LogKeys
  | FairQueue

export const servicesLayer: Layer.Layer<Services, ConfigProblems, SqlClient.SqlClient | AppConfig> = Layer.mergeAll(
  IdempotencyKeys.layer.pipe(Layer.provideMerge(AnswerLedger.layer)),
  Charging.layer,
  Keys.layer,
  RateLimits.layer,
  StripeEvents.layer,
  Subscriptions.layer,
  TransparencyLog.layer,
  FairQueue.layer,
  Layer.effectDiscard(beginCountingUnavailable)
).pipe(Layer.provideMerge(outageLayer))

/** Sends queued mails for as long as its scope is open. */
export const mailLayer: Layer.Layer<never, never, SqlClient.SqlClient | AppConfig> = outboxWorkerLayer.pipe(
  Layer.provide(Outbox.layer),
  Layer.provide(Mailer.layer)
)

/** Appends records to the log and asks its witnesses, for as long as its scope is open. */
export const logLayer: Layer.Layer<never, ConfigProblems, SqlClient.SqlClient | AppConfig | LogKeys | TransparencyLog> =
  Layer.merge(sequencerWorkerLayer.pipe(Layer.provide(Sequencer.layer)), witnessWorkerLayer)

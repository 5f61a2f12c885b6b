/**
 * Paid subscriptions and their production keys: payment events, and claims (the exchange of a
 * sandbox key for a production key). Outbox mails keys; Administration has operators' commands.
 */
import { Clock, Context, Effect, Layer, Metric, PartitionedSemaphore, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../platform/config.ts"
import { counter, countersOf } from "../../platform/telemetry.ts"
import { type LedgerUnavailable, ledgerCall } from "../ledgerUnavailable.ts"
import { applyEvent, type Outcome, type PaymentReceipt } from "./applyEvent.ts"
import { type Claimed, type ClaimFailure, claim } from "./claim.ts"
import type { PaymentEvent } from "./paymentEvent.ts"
import { beginCounting, reportUnapplied } from "./unapplied.ts"

export type { Claimed, NoSubscription, TooManyClaims } from "./claim.ts"

const reversalHolds = counter("subscriptions_held_total", "Refunds and disputes that hold a subscription, by reason.")

/** Reports a committed event that the operator must act on. The report has no address. */
const report = Effect.fnUntraced(function* (event: PaymentEvent, { reversed, unapplied }: Outcome) {
  for (const { subscriptionId, why } of reversed) {
    yield* Metric.update(Metric.withAttributes(reversalHolds, { reason: why }), 1)
    yield* Effect.logWarning("A subscription is held because its payment was reversed").pipe(
      Effect.annotateLogs({ subscription: subscriptionId, reason: why, event: event.id })
    )
  }
  if (unapplied !== null) yield* reportUnapplied(event, unapplied)
})

/** Maximum number of concurrent claims. Claims of one subscription block each other. */
const MAX_CLAIMS = 8
/** Maximum number of concurrent payment events, which the database applies one at a time. */
const MAX_EVENTS = 2

export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    /** Exchanges a sandbox key for a new production key. */
    readonly claim: (sandboxKey: string) => Effect.Effect<Claimed, ClaimFailure | LedgerUnavailable>
    /** Applies a verified payment event or reports it; a repeated one changes nothing. */
    readonly applyEvent: (event: PaymentEvent) => Effect.Effect<PaymentReceipt, LedgerUnavailable>
  }
>()("repayment-of-record/Subscriptions") {
  static readonly layer: Layer.Layer<Subscriptions, never, SqlClient.SqlClient | AppConfig> = Layer.effect(
    Subscriptions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const provided = Effect.provideService(SqlClient.SqlClient, sql)
      const settings = yield* AppConfig
      yield* beginCounting
      yield* countersOf(reversalHolds, "reason", ["refund", "dispute"])
      const claims = PartitionedSemaphore.makeUnsafe<string>({ permits: MAX_CLAIMS })
      const events = Semaphore.makeUnsafe(MAX_EVENTS)

      return Subscriptions.of({
        claim: Effect.fn("Subscriptions.claim")(function* (sandboxKey) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const work = sql.withTransaction(claim(settings, sandboxKey, now))
          return yield* claims.withPermit(sandboxKey)(work).pipe(ledgerCall("claim"), provided)
        }),
        applyEvent: Effect.fn("Subscriptions.applyEvent")(function* (event) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const work = sql.withTransaction(applyEvent(event, now))
          const outcome = yield* events.withPermit(work).pipe(ledgerCall("payment event"), provided)
          yield* report(event, outcome)
          return outcome.receipt
        })
      })
    })
  )
}

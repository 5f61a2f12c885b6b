/**
 * Paid subscriptions and the production keys that they entitle to: payment events, payments entered by hand, claims.
 * The mail with a production key is sent by Outbox.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { AppConfig } from "../../config.ts"
import { type LedgerUnavailable, ledgerCall } from "../ledgerUnavailable.ts"
import { type Claimed, type ClaimFailure, claim } from "./claim.ts"
import { applyEvent, markPaid, type PaymentReceipt, paidByHand } from "./events.ts"
import type { PaymentEvent } from "./StripeEvents.ts"

export type { Claimed, NoSubscription } from "./claim.ts"
export type { PaymentReceipt } from "./events.ts"

export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    /** Exchanges a sandbox key for a new production key. */
    readonly claim: (sandboxKey: string) => Effect.Effect<Claimed, ClaimFailure | LedgerUnavailable>
    /** Applies a verified payment event; a repeated one changes nothing. */
    readonly applyEvent: (event: PaymentEvent) => Effect.Effect<PaymentReceipt, LedgerUnavailable>
    /** Marks the address's subscription as paid outside Stripe and queues its key; a second time changes nothing. */
    readonly payByEmail: (email: string) => Effect.Effect<void, LedgerUnavailable>
  }
>()("repayment-of-record/Subscriptions") {
  static readonly layer: Layer.Layer<Subscriptions, never, SqlClient.SqlClient | AppConfig> = Layer.effect(
    Subscriptions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const settings = yield* AppConfig

      const inTransaction = Effect.fnUntraced(function* <A, E>(
        operation: string,
        work: (now: Date) => Effect.Effect<A, E | SqlError.SqlError>
      ) {
        const now = new Date(yield* Clock.currentTimeMillis)
        return yield* sql.withTransaction(work(now)).pipe(ledgerCall(operation))
      })

      return Subscriptions.of({
        claim: Effect.fn("Subscriptions.claim")((sandboxKey) =>
          inTransaction("claim", (now) => claim(sql, settings, sandboxKey, now))
        ),
        applyEvent: Effect.fn("Subscriptions.applyEvent")((event) =>
          inTransaction("payment event", (now) => applyEvent(sql, event, now))
        ),
        payByEmail: Effect.fn("Subscriptions.payByEmail")((email) =>
          inTransaction("payment", (now) => markPaid(sql, paidByHand(email), now))
        )
      })
    })
  )
}

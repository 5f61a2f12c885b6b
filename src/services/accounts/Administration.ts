/**
 * The commands of operators on subscriptions and keys: enter a payment made outside Stripe, create a
 * key for one, end, lift a hold (holds.ts), and revoke a key, which places a hold, as a refund does.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../platform/config.ts"
import { inTransaction, type LedgerUnavailable } from "../ledgerUnavailable.ts"
import { type AllowOutcome, allow, hold } from "./holds.ts"
import {
  type CreationOutcome,
  createProductionKey,
  type ManualPayment,
  type PaymentOutcome,
  payManually
} from "./manualBilling.ts"
import { type RevocationOutcome, revoke } from "./revocation.ts"

type EndOutcome =
  | { readonly _tag: "Ended"; readonly isByHand: boolean }
  /** The operator had ended the subscription before; nothing was changed. */
  | { readonly _tag: "EndedAlready" }
  | { readonly _tag: "NotFound" }

export class Administration extends Context.Service<
  Administration,
  {
    /**
     * Opens a subscription paid outside Stripe and mails its key, unless the address has an open
     * subscription.
     */
    readonly pay: (payment: ManualPayment) => Effect.Effect<PaymentOutcome, LedgerUnavailable>
    /** Makes a production key in a subscription of its own, unless the address has an open one. */
    readonly createKey: (email: string) => Effect.Effect<CreationOutcome, LedgerUnavailable>
    /** Ends a subscription now and stops its key; only `allow` undoes that. */
    readonly end: (subscriptionId: string) => Effect.Effect<EndOutcome, LedgerUnavailable>
    /**
     * Lifts the hold of a subscription, named by its id or production key. A sandbox key that an
     * operator revoked may claim again.
     */
    readonly allow: (idOrPrefix: string) => Effect.Effect<AllowOutcome, LedgerUnavailable>
    /** Revokes the key with this prefix or id. */
    readonly revoke: (prefixOrId: string) => Effect.Effect<RevocationOutcome, LedgerUnavailable>
  }
>()("repayment-of-record/Administration") {
  static readonly layer: Layer.Layer<Administration, never, SqlClient.SqlClient | AppConfig> = Layer.effect(
    Administration,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const provided = Effect.provideService(SqlClient.SqlClient, sql)
      const settings = yield* AppConfig
      const pepper = Redacted.value(settings.pepper)

      const end = Effect.fnUntraced(function* (subscriptionId: string, now: Date) {
        const [subscription] = yield* sql<{ readonly isByHand: boolean }>`
          SELECT starts_with(external_id, 'manual:') AS "isByHand" FROM subscription WHERE id = ${subscriptionId}::uuid`
        if (subscription === undefined) return { _tag: "NotFound" as const }
        const isPlaced = yield* hold(subscriptionId, "ended", now)
        return isPlaced ? { _tag: "Ended" as const, ...subscription } : { _tag: "EndedAlready" as const }
      })

      return Administration.of({
        pay: Effect.fn("Administration.pay")(
          (payment) => inTransaction("payment by hand", (now) => payManually(pepper, payment, now)),
          provided
        ),
        createKey: Effect.fn("Administration.createKey")(
          (email) => inTransaction("create key", (now) => createProductionKey(settings, email, now)),
          provided
        ),
        end: Effect.fn("Administration.end")(
          (subscriptionId) => inTransaction("end subscription", (now) => end(subscriptionId, now)),
          provided
        ),
        allow: Effect.fn("Administration.allow")(
          (idOrPrefix) => inTransaction("allow", (now) => allow(idOrPrefix, now)),
          provided
        ),
        revoke: Effect.fn("Administration.revoke")(
          (prefixOrId) => inTransaction("revoke", (now) => revoke(prefixOrId, now)),
          provided
        )
      })
    })
  )
}

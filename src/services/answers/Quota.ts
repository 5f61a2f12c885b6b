/** The monthly count of calls that are not calculations. A calculation is charged with its record: see AnswerLedger. */
import { Context, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { Caller, KeyRefused, Usage } from "../keys/Keys.ts"
import type { LedgerUnavailable } from "../ledgerUnavailable.ts"
import { Charging, type QuotaSpent } from "./Charging.ts"

export { QuotaSpent } from "./Charging.ts"

export class Quota extends Context.Service<
  Quota,
  {
    /** Charges one call and returns the figures after it. */
    readonly charge: (caller: Caller) => Effect.Effect<Usage, QuotaSpent | KeyRefused | LedgerUnavailable>
  }
>()("repayment-of-record/Quota") {
  static readonly layer: Layer.Layer<Quota, never, SqlClient.SqlClient> = Layer.effect(
    Quota,
    Effect.map(Charging, (charging) =>
      Quota.of({
        charge: Effect.fn("Quota.charge")((caller) => Effect.map(charging.charge(caller, null), ({ usage }) => usage))
      })
    )
  ).pipe(Layer.provide(Charging.layer))
}

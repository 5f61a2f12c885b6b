/** Revokes a key at once, for operators. Keys then refuses it; what was recorded with it stays. */
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type LedgerUnavailable, ledgerCall } from "../ledgerUnavailable.ts"
import type { KeyTier } from "./apiKey.ts"

/** What operators see of a key. */
export interface KeySummary {
  readonly keyId: string
  readonly keyPrefix: string
  readonly tier: KeyTier
}

export type RevocationOutcome =
  | { readonly _tag: "Revoked"; readonly key: KeySummary }
  | { readonly _tag: "NotFound" }
  /** More than one active key has this prefix; none was revoked. */
  | { readonly _tag: "Ambiguous"; readonly keys: ReadonlyArray<KeySummary> }

export class KeyRevocation extends Context.Service<
  KeyRevocation,
  {
    /** By key id or by prefix. */
    readonly revoke: (prefixOrId: string) => Effect.Effect<RevocationOutcome, LedgerUnavailable>
  }
>()("repayment-of-record/KeyRevocation") {
  static readonly layer: Layer.Layer<KeyRevocation, never, SqlClient.SqlClient> = Layer.effect(
    KeyRevocation,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** Revokes only a unique match. A charge takes the same row lock, so a call that is under way ends first. */
      const revoke = Effect.fnUntraced(function* (prefixOrId: string, now: Date) {
        const keys = yield* sql<KeySummary>`
          SELECT id AS "keyId", prefix AS "keyPrefix", tier FROM api_key
          WHERE (prefix = ${prefixOrId} OR id::text = lower(${prefixOrId})) AND revoked_at IS NULL
          ORDER BY created_at FOR NO KEY UPDATE`
        const [key, ...others] = keys
        if (key === undefined) return { _tag: "NotFound" as const }
        if (others.length > 0) return { _tag: "Ambiguous" as const, keys }
        yield* sql`UPDATE api_key SET revoked_at = ${now}, revoked_reason = 'operator' WHERE id = ${key.keyId}`
        return { _tag: "Revoked" as const, key }
      })

      return KeyRevocation.of({
        revoke: Effect.fn("KeyRevocation.revoke")(function* (prefixOrId) {
          const now = new Date(yield* Clock.currentTimeMillis)
          return yield* sql.withTransaction(revoke(prefixOrId, now)).pipe(ledgerCall("revoke"))
        })
      })
    })
  )
}

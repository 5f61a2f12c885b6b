/** An operator stops a key at once. Refusing it is Keys' business, and nothing that it recorded is touched. */
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type LedgerUnavailable, ledgerCall } from "../ledgerUnavailable.ts"
import type { Tier } from "./apiKey.ts"

export interface LiveKey {
  readonly keyId: string
  readonly keyPrefix: string
  readonly tier: Tier
}

type RevocationOutcome =
  | { readonly _tag: "Revoked"; readonly key: LiveKey }
  | { readonly _tag: "NotFound" }
  /** More than one live key has the prefix; none was revoked. */
  | { readonly _tag: "Ambiguous"; readonly keys: ReadonlyArray<LiveKey> }

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

      /** Only if one key is meant. The row lock is the one that a charge takes: a call under way ends first. */
      const revoke = Effect.fnUntraced(function* (prefixOrId: string, now: Date) {
        const keys = yield* sql<LiveKey>`
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

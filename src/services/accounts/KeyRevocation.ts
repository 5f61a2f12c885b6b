/**
 * The revocation of a key by an operator: Keys refuses it at once. A production key's subscription
 * is held (holds.ts), so that no claim replaces the key. A sandbox key is barred. It then cannot be
 * exchanged (claimed) for a production key, and no other key can claim a subscription that names
 * it. Records of answers stay.
 */
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inTransaction, type LedgerUnavailable } from "../ledgerUnavailable.ts"
import { hold } from "./holds.ts"
import { type KeyState, type KeySummary, keysNamed } from "./keysNamed.ts"

type RevocationOutcome =
  | { readonly _tag: "Revoked"; readonly key: KeySummary; readonly heldSubscriptionId: string | null }
  /** Nothing to revoke. A production key that was replaced still identifies its subscription. */
  | { readonly _tag: "NotFound"; readonly subscriptionId: string | null }
  /** More than one active key has this prefix; none was revoked. */
  | { readonly _tag: "Ambiguous"; readonly keys: ReadonlyArray<KeySummary> }

/** Whether the key is still to be revoked. */
const isOpen = ({ isBarred, isRevoked, tier }: KeyState): boolean => (tier === "Sandbox" ? !isBarred : !isRevoked)

const summaryOf = ({ keyId, keyPrefix, tier }: KeyState): KeySummary => ({ keyId, keyPrefix, tier })

export class KeyRevocation extends Context.Service<
  KeyRevocation,
  {
    /** Revokes the key with this prefix or id. */
    readonly revoke: (prefixOrId: string) => Effect.Effect<RevocationOutcome, LedgerUnavailable>
  }
>()("repayment-of-record/KeyRevocation") {
  static readonly layer: Layer.Layer<KeyRevocation, never, SqlClient.SqlClient> = Layer.effect(
    KeyRevocation,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /**
       * Bars even an expired or replaced key, because it could still claim. Waits for claims in
       * progress, which share-lock the row.
       */
      const bar = Effect.fnUntraced(function* (keyId: string, now: Date) {
        yield* sql`
          UPDATE api_key SET barred_at = ${now}, revoked_at = coalesce(revoked_at, ${now}),
            revoked_reason = coalesce(revoked_reason, 'operator')
          WHERE id = ${keyId}`
      })

      /** Revokes only a unique match. Waits for a call in progress, which locks the key's row. */
      const revoke = Effect.fnUntraced(function* (prefixOrId: string, now: Date) {
        const known = yield* keysNamed(prefixOrId)
        const keys = known.filter(isOpen)
        const [key, ...others] = keys
        if (key === undefined) return { _tag: "NotFound" as const, subscriptionId: known[0]?.subscriptionId ?? null }
        if (others.length > 0) return { _tag: "Ambiguous" as const, keys: keys.map(summaryOf) }
        // A claim may be replacing the production key. The hold revokes the key that is live once
        // the claim has released its lock.
        if (key.subscriptionId === null) yield* bar(key.keyId, now)
        else yield* hold(key.subscriptionId, "operator", now)
        return { _tag: "Revoked" as const, key: summaryOf(key), heldSubscriptionId: key.subscriptionId }
      })

      return KeyRevocation.of({
        revoke: Effect.fn("KeyRevocation.revoke")(
          (prefixOrId) => inTransaction("revoke", (now) => revoke(prefixOrId, now)),
          Effect.provideService(SqlClient.SqlClient, sql)
        )
      })
    })
  )
}

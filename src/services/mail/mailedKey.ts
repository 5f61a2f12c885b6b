/**
 * The production key that a mail carries: issued for each attempt to send it, and stored as a hash only, so no key
 * waits anywhere in clear text. A later attempt replaces the key of the one before.
 */
import { Clock, Effect, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import type { Settings } from "../../config.ts"
import { ledgerCall } from "../ledgerUnavailable.ts"
import { holdsOn } from "../payments/holds.ts"
import {
  activeKeyOf,
  issueKey,
  retireKey,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRow
} from "../payments/productionKey.ts"

const lockSubscription = (sql: SqlClient.SqlClient, id: string | null) =>
  Effect.map(
    sql<SubscriptionRow>`
      SELECT ${sql.literal(SUBSCRIPTION_COLUMNS)} FROM subscription
      WHERE id = ${id}::uuid AND paid_at IS NOT NULL FOR UPDATE`,
    ([subscription]) => subscription
  )

/**
 * Issues the key for one attempt, under the row lock that claims take too. Undefined if there is nothing to send: the
 * subscription has ended or is held, or its key was claimed or is in use.
 */
export const issueMailedKey = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  settings: Settings,
  subscriptionId: string | null
) {
  const now = new Date(yield* Clock.currentTimeMillis)
  const work = Effect.gen(function* () {
    const subscription = yield* lockSubscription(sql, subscriptionId)
    if (subscription === undefined || (subscription.endsAt !== null && subscription.endsAt <= now)) return undefined
    if ((yield* holdsOn(sql, subscription.id)).length > 0) return undefined
    const old = yield* activeKeyOf(sql, subscription.id)
    if (old !== undefined && (old.used || old.issuedBy === "claim")) return undefined
    if (old !== undefined) yield* retireKey(sql, old.id, "mail-retried", now)
    return yield* issueKey(sql, Redacted.value(settings.pepper), subscription, null, now)
  })
  return yield* sql.withTransaction(work).pipe(ledgerCall("make mailed key"))
})

/** Revokes the key of a mail that is given up, unless it was used, for the mail may have arrived after all. */
export const retireMailedKey = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, subscriptionId: string | null) {
  const now = new Date(yield* Clock.currentTimeMillis)
  const work = Effect.gen(function* () {
    const subscription = yield* lockSubscription(sql, subscriptionId)
    const old = subscription === undefined ? undefined : yield* activeKeyOf(sql, subscription.id)
    if (old?.issuedBy === "mail" && !old.used) yield* retireKey(sql, old.id, "mail-given-up", now)
  })
  yield* sql.withTransaction(work).pipe(ledgerCall("retire unsent key"))
})

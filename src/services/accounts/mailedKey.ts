/**
 * The production key in a mail. Each attempt to send the mail issues a new key, which replaces that
 * of the previous attempt. Only hashes are stored, so no key waits anywhere in clear text.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Settings } from "../../platform/config.ts"
import { inTransaction } from "../ledgerUnavailable.ts"
import { isStillLeased, type LeasedMail } from "./mailQueue.ts"
import { activeKeyOf, issueKey, retireKey, SUBSCRIPTION_COLUMNS, type SubscriptionRow } from "./productionKey.ts"

const lockPaid = Effect.fnUntraced(function* ({ subscriptionId }: LeasedMail) {
  const sql = yield* SqlClient.SqlClient
  const [subscription] = yield* sql<SubscriptionRow>`
    SELECT ${sql.literal(SUBSCRIPTION_COLUMNS)} FROM subscription
    WHERE id = ${subscriptionId}::uuid AND paid_at IS NOT NULL FOR UPDATE`
  return subscription
})

const isOpen = ({ endsAt, heldWhy }: SubscriptionRow, now: Date): boolean =>
  heldWhy === null && (endsAt === null || endsAt > now)

/**
 * Issues the key for one attempt, under the same row lock as claims. Undefined if there is nothing
 * to send, as the subscription is over or held, its key was claimed or used, or the lease was lost.
 */
export const issueMailedKey = (settings: Settings, mail: LeasedMail) =>
  inTransaction(
    "make mailed key",
    Effect.fnUntraced(function* (now) {
      const subscription = yield* lockPaid(mail)
      if (subscription === undefined || !isOpen(subscription, now)) return undefined
      if (!(yield* isStillLeased(mail))) return undefined
      const old = yield* activeKeyOf(subscription.id)
      if (old !== undefined && (old.used || old.issuedBy === "claim")) return undefined
      if (old !== undefined) yield* retireKey(old.id, "mail-retried", now)
      return yield* issueKey(settings, subscription, null, now)
    })
  )

/**
 * Revokes the key of an undelivered mail, unless it was used. If so, the mail did arrive. Returns
 * whether an open subscription is left without a key.
 */
export const abandonMailedKey = (mail: LeasedMail) =>
  inTransaction(
    "abandon mailed key",
    Effect.fnUntraced(function* (now) {
      const subscription = yield* lockPaid(mail)
      if (subscription === undefined || !(yield* isStillLeased(mail))) return false
      const old = yield* activeKeyOf(subscription.id)
      if (old !== undefined && (old.used || old.issuedBy === "claim")) return false
      if (old !== undefined) yield* retireKey(old.id, "mail-given-up", now)
      return isOpen(subscription, now)
    })
  )

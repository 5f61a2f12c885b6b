/**
 * The production key that a mail carries: issued for each attempt to send it, and stored as a hash only, so no key
 * waits anywhere in clear text. A later attempt replaces the key of the one before.
 */
import { Effect, Redacted } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Settings } from "../../config.ts"
import { inTransaction } from "../ledgerUnavailable.ts"
import type { Told } from "../payments/facts.ts"
import { holdsOn, lockPayments } from "../payments/holds.ts"
import { tellInVain } from "../payments/inVain.ts"
import {
  activeKeyOf,
  issueKey,
  retireKey,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRow
} from "../payments/productionKey.ts"
import { keepUnmailed, reportTold } from "../payments/unapplied.ts"
import { isStillLeased, type LeasedMail } from "./queue.ts"

const lockPaid = (sql: SqlClient.SqlClient, { subscriptionId }: LeasedMail) =>
  Effect.map(
    sql<SubscriptionRow>`
      SELECT ${sql.literal(SUBSCRIPTION_COLUMNS)} FROM subscription
      WHERE id = ${subscriptionId}::uuid AND paid_at IS NOT NULL FOR UPDATE`,
    ([subscription]) => subscription
  )

/**
 * Issues the key for one attempt, under the row lock that claims take too. Undefined if there is nothing to send: the
 * subscription has ended or is held, its key was claimed or is in use, or the mail is another attempt's by now.
 */
export const issueMailedKey = (sql: SqlClient.SqlClient, settings: Settings, mail: LeasedMail) =>
  inTransaction(
    sql,
    "make mailed key",
    Effect.fnUntraced(function* (now) {
      const subscription = yield* lockPaid(sql, mail)
      if (subscription === undefined || (subscription.endsAt !== null && subscription.endsAt <= now)) return undefined
      if ((yield* holdsOn(sql, subscription.id)).length > 0 || !(yield* isStillLeased(sql, mail))) return undefined
      const old = yield* activeKeyOf(sql, subscription.id)
      if (old !== undefined && (old.used || old.issuedBy === "claim")) return undefined
      if (old !== undefined) yield* retireKey(sql, old.id, "mail-retried", now)
      return yield* issueKey(sql, Redacted.value(settings.pepper), subscription, null, now)
    })
  )

/**
 * Revokes the key of a mail that reached nobody and tells the operator that its payer has none, or has paid in vain if the
 * subscription is held or over; unless the key was used, for the mail may have arrived after all.
 */
export const abandonMailedKey = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  mail: LeasedMail,
  type: "mail.dropped" | "mail.given-up"
) {
  const told = yield* inTransaction(
    sql,
    "abandon mailed key",
    Effect.fnUntraced(function* (now): Effect.fn.Return<ReadonlyArray<Told>, SqlError.SqlError> {
      yield* lockPayments(sql)
      const subscription = yield* lockPaid(sql, mail)
      if (subscription === undefined || !(yield* isStillLeased(sql, mail))) return []
      const old = yield* activeKeyOf(sql, subscription.id)
      if (old !== undefined && (old.used || old.issuedBy === "claim")) return []
      if (old !== undefined) yield* retireKey(sql, old.id, "mail-given-up", now)
      const inVain = yield* tellInVain(sql, sql`subscription.id = ${subscription.id}`, now)
      return [...(yield* keepUnmailed(sql, subscription.id, type, now)), ...inVain]
    })
  )
  yield* reportTold(told)
})

/**
 * Reports of payment events that changed nothing although perhaps they should have: one WARN line
 * and one count each. They are not stored, so an event that Stripe sends again may apply then.
 */
import { Effect, Metric } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { counter, countersOf } from "../../platform/telemetry.ts"
import { type PaymentEvent, UNAPPLIED_REASONS, type Unapplied } from "./paymentEvent.ts"

const events = counter("payment_events_unapplied_total", "Payment events that changed nothing, by reason.")

export const beginCounting = countersOf(events, "reason", UNAPPLIED_REASONS)

/** The log line has no address. */
export const reportUnapplied = Effect.fnUntraced(function* (
  { id, type }: PaymentEvent,
  { externalId, reason }: Unapplied
) {
  yield* Metric.update(Metric.withAttributes(events, { reason }), 1)
  yield* Effect.logWarning("A payment event had no effect: look it up at Stripe").pipe(
    Effect.annotateLogs({ event: id, type, reason, payment: externalId ?? "unknown" })
  )
})

/**
 * The report of an unapplied event; null if its subscription is already paid, so nothing is lost. A
 * payment for another product that was probably meant for us is reported as one at another price.
 * Its subscription is known here (by more than its end), or it names a known sandbox key.
 */
export const toReport = Effect.fnUntraced(function* (
  unapplied: Unapplied
): Effect.fn.Return<Unapplied | null, SqlError.SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const { externalId, reason, sandboxKeyId = null } = unapplied
  const [known] = yield* sql<{ readonly isOurs: boolean; readonly isPaid: boolean; readonly isNamed: boolean }>`
    SELECT coalesce(bool_or(paid_at IS NOT NULL), false) AS "isPaid",
      coalesce(bool_or(received_at IS NOT NULL OR sandbox_key_id IS NOT NULL OR is_ours), false) AS "isOurs",
      EXISTS (SELECT FROM api_key WHERE id = ${sandboxKeyId}::uuid AND tier = 'Sandbox') AS "isNamed"
    FROM subscription WHERE external_id = ANY (ARRAY(
      SELECT ${externalId}::text
      UNION SELECT owner FROM payment_reference WHERE reference = ${externalId} AND NOT is_customer))`
  const { isNamed, isOurs, isPaid } = known!
  if (reason === "other-product") return isOurs || isNamed ? { ...unapplied, reason: "other-price" } : unapplied
  return isPaid ? null : unapplied
})

/** Puts a mail into the outbox, within the transaction that gives the reason for it. Sending is Outbox's business. */
import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

interface QueuedMail {
  /** The production key itself is made when its mail is sent, so that mail has a queue of its own: see Subscriptions. */
  readonly kind: "sandbox-minted" | "production-claimed"
  readonly mailTo: string
  readonly keyPrefix: string
  readonly now: Date
}

export const queueMail = (
  sql: SqlClient.SqlClient,
  { kind, keyPrefix, mailTo, now }: QueuedMail
): Effect.Effect<unknown, SqlError.SqlError> =>
  sql`
    INSERT INTO outbox (kind, mail_to, key_prefix, created_at, next_attempt_at)
    VALUES (${kind}, ${mailTo}, ${keyPrefix}, ${now}, ${now})`

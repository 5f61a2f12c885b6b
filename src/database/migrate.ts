/**
 * Runs the migrations of the database schema, in order. A released migration is never edited: a change is a new one.
 * The migrator takes a table lock, so when several nodes start at once, one migrates and the others wait. A schema that
 * a newer release has made is refused: this one does not know what it means. A role that may not migrate is told so.
 */
import { Effect } from "effect"
import { Migrator, SqlClient, SqlError } from "effect/sql"
import { DatabaseStartError } from "./embedded/binaries.ts"
import ledger from "./migrations/0001_ledger.ts"
import subscriptions from "./migrations/0002_subscriptions.ts"
import holds from "./migrations/0003_holds.ts"
import installation from "./migrations/0004_installation.ts"
import mailboxes from "./migrations/0005_mailboxes.ts"
import toldPayments from "./migrations/0006_told_payments.ts"
import compactAnswers from "./migrations/0007_compact_answers.ts"
import payments from "./migrations/0008_payments.ts"
import paymentsServed from "./migrations/0009_payments_served.ts"
import log from "./migrations/0010_log.ts"

const MIGRATIONS = {
  "0001_ledger": ledger,
  "0002_subscriptions": subscriptions,
  "0003_holds": holds,
  "0004_installation": installation,
  "0005_mailboxes": mailboxes,
  "0006_told_payments": toldPayments,
  "0007_compact_answers": compactAnswers,
  "0008_payments": payments,
  "0009_payments_served": paymentsServed,
  "0010_log": log
}

export const NEWEST = Math.max(...Object.keys(MIGRATIONS).map((name) => Number.parseInt(name, 10)))

const run = Migrator.make({})({ loader: Migrator.fromRecord(MIGRATIONS), table: "schema_migration" })

const isForbidden = (error: { readonly cause?: unknown }): boolean => {
  const failure = SqlError.isSqlError(error) ? error : error.cause
  return SqlError.isSqlError(failure) && failure.reason._tag === "AuthorizationError"
}

const forbidden = new DatabaseStartError({
  message:
    "this role may not bring it up to date; run repay migrate with the owner of its tables in DATABASE_URL first (see docs/operating.md)"
})

export const migrate = Effect.gen(function* () {
  yield* run.pipe(Effect.mapError((error) => (isForbidden(error) ? forbidden : error)))
  const sql = yield* SqlClient.SqlClient
  const newer = yield* sql<{ readonly id: number }>`
    SELECT migration_id AS id FROM schema_migration WHERE migration_id > ${NEWEST} ORDER BY migration_id DESC`
  if (newer.length === 0) return
  return yield* new DatabaseStartError({
    message: `a newer release has migrated it (to ${newer[0]!.id}; this release knows ${NEWEST}); start that release, or restore a backup from before it`
  })
})

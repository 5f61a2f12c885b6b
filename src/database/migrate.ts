/**
 * Runs the migrations of the database schema, in order. A released migration is never edited: a change is a new one.
 * The migrator takes a table lock, so when several nodes start at once, one migrates and the others wait.
 */
import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { DatabaseStartError } from "./embedded/binaries.ts"
import ledger from "./migrations/0001_ledger.ts"
import subscriptions from "./migrations/0002_subscriptions.ts"
import mailboxes from "./migrations/0005_mailboxes.ts"

/** PostgreSQL 15, the oldest version tested. */
const OLDEST_SERVER = 150_000

const run = Migrator.make({})({
  loader: Migrator.fromRecord({
    "0001_ledger": ledger,
    "0002_subscriptions": subscriptions,
    "0005_mailboxes": mailboxes
  }),
  table: "schema_migration"
})

export const migrate = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [server] = yield* sql<{
    readonly version: number
  }>`SELECT current_setting('server_version_num')::int AS version`
  if ((server?.version ?? 0) < OLDEST_SERVER) {
    return yield* new DatabaseStartError({
      message: "the server is older than PostgreSQL 15; set DATABASE_URL to a newer one"
    })
  }
  return yield* run
})

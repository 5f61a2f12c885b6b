/**
 * Migrations of the database schema, run in order. A released migration is never edited; a change
 * is a new one. The migrator locks a table, so if several nodes start at once, one migrates and the
 * others wait. A start with nothing to migrate only reads. A schema of a newer release is refused.
 */
import { Effect } from "effect"
import { Migrator, SqlClient, SqlError } from "effect/sql"
import { DatabaseStartError } from "./embedded/binaries.ts"
import schema from "./migrations/0001_schema.ts"
import witnesses from "./migrations/0002_witnesses.ts"
import mailboxes from "./migrations/0003_mailboxes.ts"
import reference from "./migrations/0004_reference.ts"
import mails from "./migrations/0005_mails.ts"

const MIGRATIONS = {
  "0001_schema": schema,
  "0002_witnesses": witnesses,
  "0003_mailboxes": mailboxes,
  "0004_reference": reference,
  "0005_mails": mails
}

const NEWEST = Math.max(...Object.keys(MIGRATIONS).map((name) => Number.parseInt(name, 10)))

const run = Migrator.make({})({ loader: Migrator.fromRecord(MIGRATIONS), table: "schema_migration" })

const isForbidden = (error: { readonly cause?: unknown }): boolean => {
  const failure = SqlError.isSqlError(error) ? error : error.cause
  return SqlError.isSqlError(failure) && failure.reason._tag === "AuthorizationError"
}

const forbidden = new DatabaseStartError({
  message:
    "this role may not bring it up to date; run repay migrate with the owner of its tables in DATABASE_URL first (see docs/database.md)"
})

/** The name of the first migration; databases of earlier versions have another. */
const FIRST = "schema"

const older = new DatabaseStartError({
  message:
    "it has the schema of an earlier version, which this one does not read; use an empty database (without DATABASE_URL: an empty DATA_DIR); nothing in this one was changed"
})

/**
 * The number of the last migration that was applied (0 if none), and of the newest in this release.
 */
export const schemaVersion = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly isThere: boolean }>`
    SELECT to_regclass('schema_migration') IS NOT NULL AS "isThere"`
  if (!found!.isThere) return { applied: 0, newest: NEWEST }
  const [row] = yield* sql<{ readonly id: number; readonly first: string | null }>`
    SELECT coalesce(max(migration_id), 0)::int AS id, max(name) FILTER (WHERE migration_id = 1) AS first
    FROM schema_migration`
  const { first, id } = row!
  return first === null || first === FIRST ? { applied: id, newest: NEWEST } : yield* older
})

/** Replaces a permission error with one that says to migrate as the owner of the tables. */
export const orByOwner = <A, E extends { readonly message: string; readonly cause?: unknown }, R>(
  work: Effect.Effect<A, E, R>
) => Effect.mapError(work, (error) => (isForbidden(error) ? forbidden : error))

export const migrate = Effect.gen(function* () {
  if ((yield* schemaVersion).applied < NEWEST) {
    yield* run.pipe(orByOwner)
  }
  const { applied } = yield* schemaVersion
  if (applied <= NEWEST) return
  return yield* new DatabaseStartError({
    message: `a newer release has migrated it (to ${applied}; this release knows ${NEWEST}); start that release, or restore a backup from before it`
  })
})

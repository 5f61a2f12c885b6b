/**
 * The database tables through which chunks and results travel: those of Effect Cluster, in a
 * schema of their own. The first process creates them. Rows contain borrowers' data, so any left
 * after a day are deleted.
 */
import { Clock, Duration, Effect, Layer, type Redacted, Ref, Schedule } from "effect"
import { MachineId, Snowflake, SqlMessageStorage, SqlRunnerStorage } from "effect/cluster"
import { Migrator, SqlClient, SqlError } from "effect/sql"
import { DatabaseStartError, openSessions, SESSION_SETTINGS, startError } from "../../../database/index.ts"
import { expectOwnership, SCHEMA } from "./schemaOwner.ts"

/** Connections per process: one renews leases, the others carry chunks. */
const CONNECTIONS = 6
/** Long enough to send a chunk over a slow network. */
const STATEMENT_MILLISECONDS = 30_000

const SESSIONS = {
  most: CONNECTIONS,
  commitMilliseconds: STATEMENT_MILLISECONDS,
  settings: {
    ...SESSION_SETTINGS,
    search_path: `${SCHEMA}, pg_temp`,
    statement_timeout: String(STATEMENT_MILLISECONDS),
    lock_timeout: String(STATEMENT_MILLISECONDS),
    idle_in_transaction_session_timeout: String(STATEMENT_MILLISECONDS)
  }
}

const makeSchema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql`SELECT FROM pg_namespace WHERE nspname = ${SCHEMA}`
  if (found === undefined) yield* sql`CREATE SCHEMA ${sql(SCHEMA)}`
})

/**
 * Unlogged tables keep borrowers' data out of the write-ahead log, its archives and replicas.
 * Chunks lost in a database crash are sent again.
 */
const OWN_MIGRATIONS = {
  "0001_unlogged": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`ALTER TABLE cluster_messages SET UNLOGGED`
    yield* sql`ALTER TABLE cluster_replies SET UNLOGGED`
  })
}

/**
 * Runs Effect Cluster's own migrations, then ours. They lock a table, so two processes never run
 * them at the same time.
 */
const makeTables = Effect.gen(function* () {
  yield* makeSchema
  yield* expectOwnership
  yield* Migrator.make({})({ loader: SqlMessageStorage.migrations(), table: "cluster_migrations" })
  yield* Migrator.make({})({ loader: SqlRunnerStorage.migrations({}), table: "cluster_runner_migrations" })
  yield* Migrator.make({})({ loader: Migrator.fromRecord(OWN_MIGRATIONS), table: "portfolio_migrations" })
})

const RETRIES = 3

const isForbidden = (error: { readonly cause?: unknown }): boolean =>
  [error, error.cause].some((one) => SqlError.isSqlError(one) && one.reason._tag === "AuthorizationError")

const problemOf = (error: Migrator.MigrationError | SqlError.SqlError | DatabaseStartError): DatabaseStartError => {
  if (error._tag === "DatabaseStartError") return error
  return isForbidden(error)
    ? new DatabaseStartError({
        message: `The role of DATABASE_URL may not create tables; run this as an administrator in that database: CREATE SCHEMA ${SCHEMA} AUTHORIZATION <the role>`
      })
    : startError(error)
}

interface DatabaseRequest {
  readonly url: Redacted.Redacted<string>
  readonly say: (line: string) => Effect.Effect<void>
}

const RETRY_PAUSE = "2 seconds"

const isUnreachable = ({ reason }: SqlError.SqlError): boolean => reason._tag === "ConnectionError"

/** Waits for an unreachable database and reports that once. */
const awaitDatabase = Effect.fnUntraced(function* ({ say, url }: DatabaseRequest) {
  const isReported = yield* Ref.make(false)
  const report = (error: SqlError.SqlError) =>
    Effect.flatMap(Ref.getAndSet(isReported, true), (before) =>
      before || !isUnreachable(error)
        ? Effect.void
        : say(`Waiting: the database does not answer. ${startError(error).message}`)
    )
  const ping = Effect.flatMap(openSessions({ url }, { ...SESSIONS, most: 1 }, "session"), (sql) => sql`SELECT 1`)
  yield* Effect.scoped(ping).pipe(
    Effect.tapError(report),
    Effect.retry({ while: isUnreachable, schedule: Schedule.spaced(RETRY_PAUSE) })
  )
})

const openDatabase = (request: DatabaseRequest) =>
  Effect.andThen(awaitDatabase(request), openSessions({ url: request.url }, SESSIONS, "session"))

const isFromServer = (error: { readonly _tag: string }): boolean => error._tag !== "DatabaseStartError"

/**
 * The database through which a run and its workers communicate. Making the tables is retried,
 * because two processes may make them at once.
 */
export const clusterDatabase = (request: DatabaseRequest): Layer.Layer<SqlClient.SqlClient, DatabaseStartError> =>
  Layer.effectDiscard(
    makeTables.pipe(
      Effect.retry({ times: RETRIES, schedule: Schedule.spaced("1 second"), while: isFromServer }),
      Effect.mapError(problemOf)
    )
  ).pipe(Layer.provideMerge(Layer.effect(SqlClient.SqlClient)(Effect.mapError(openDatabase(request), startError))))

/** The names of the run's entities start with the name of the run. */
export const deleteRun = Effect.fnUntraced(function* (run: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM cluster_messages WHERE starts_with(entity_id, ${`${run}.`})`
  yield* forgetOrphans
})

const forgetOrphans = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    DELETE FROM cluster_replies WHERE NOT EXISTS (SELECT FROM cluster_messages WHERE cluster_messages.id = request_id)`
})

const RETENTION = Duration.days(1)

/** Deletes what abandoned runs and dead workers left more than a day ago. */
export const sweep = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const timestamp = (yield* Clock.currentTimeMillis) - Duration.toMillis(RETENTION)
  const oldest = String(Snowflake.make({ machineId: MachineId.make(0), sequence: 0, timestamp }))
  yield* sql`DELETE FROM cluster_messages WHERE id < ${oldest}::bigint`
  yield* forgetOrphans
  yield* sql`DELETE FROM cluster_runners WHERE last_heartbeat < now() - INTERVAL '1 day'`
  yield* sql`DELETE FROM cluster_locks WHERE acquired_at < now() - INTERVAL '1 day'`
})

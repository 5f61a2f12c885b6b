/**
 * Where chunks wait and results come back: tables of Effect Cluster in a schema of their own, beside which a database may
 * hold anything else. They are made by whoever comes first. Rows hold borrowers' data, so what nobody has deleted in a day
 * is swept away.
 */
import { Clock, Duration, Effect, Layer, type Redacted, Ref, Schedule } from "effect"
import { MachineId, Snowflake, SqlMessageStorage, SqlRunnerStorage } from "effect/cluster"
import { Migrator, SqlClient, SqlError } from "effect/sql"
import { openSessions, startError } from "../../../database/client.ts"
import { DatabaseStartError } from "../../../database/embedded/binaries.ts"
import { PLAINLY } from "../../../database/plainly.ts"
import { expectOwn, SCHEMA } from "./schemaOwner.ts"

/** Of a process: one renews its leases, the others carry chunks. */
const CONNECTIONS = 6
/** For a statement that carries a chunk over a slow network. */
const STATEMENT_MILLISECONDS = 30_000

const SESSIONS = {
  most: CONNECTIONS,
  commitMilliseconds: STATEMENT_MILLISECONDS,
  settings: {
    ...PLAINLY,
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

/** Borrowers' data stay out of the write-ahead log, and of whatever is made of it: what a crash takes is sent again. */
const OURS = {
  "0001_unlogged": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`ALTER TABLE cluster_messages SET UNLOGGED`
    yield* sql`ALTER TABLE cluster_replies SET UNLOGGED`
  })
}

/** Those of Effect Cluster, by its own migrations, which wait for one another. */
const makeTables = Effect.gen(function* () {
  yield* makeSchema
  yield* expectOwn
  yield* Migrator.make({})({ loader: SqlMessageStorage.migrations(), table: "cluster_migrations" })
  yield* Migrator.make({})({ loader: SqlRunnerStorage.migrations({}), table: "cluster_runner_migrations" })
  yield* Migrator.make({})({ loader: Migrator.fromRecord(OURS), table: "portfolio_migrations" })
})

const MEETINGS = 3

const isForbidden = (error: { readonly cause?: unknown }): boolean =>
  [error, error.cause].some((one) => SqlError.isSqlError(one) && one.reason._tag === "AuthorizationError")

const problemOf = (error: Migrator.MigrationError | SqlError.SqlError | DatabaseStartError): DatabaseStartError => {
  if (error._tag === "DatabaseStartError") return error
  return isForbidden(error)
    ? new DatabaseStartError({
        message: `The role of DATABASE_URL may not make tables; as an administrator, in that database: CREATE SCHEMA ${SCHEMA} AUTHORIZATION <the role>`
      })
    : startError(error)
}

interface Meeting {
  readonly url: Redacted.Redacted<string>
  readonly say: (line: string) => Effect.Effect<void>
}

const AGAIN = "2 seconds"

const isAway = ({ reason }: SqlError.SqlError): boolean => reason._tag === "ConnectionError"

/** Waits for a database that is away, and says so once. */
const awaited = Effect.fnUntraced(function* ({ say, url }: Meeting) {
  const isSaid = yield* Ref.make(false)
  const told = (error: SqlError.SqlError) =>
    Effect.flatMap(Ref.getAndSet(isSaid, true), (before) =>
      before || !isAway(error) ? Effect.void : say(`Waits: the database does not answer. ${startError(error).message}`)
    )
  const asked = Effect.flatMap(openSessions({ url }, { ...SESSIONS, most: 1 }, "session"), (sql) => sql`SELECT 1`)
  yield* Effect.scoped(asked).pipe(
    Effect.tapError(told),
    Effect.retry({ while: isAway, schedule: Schedule.spaced(AGAIN) })
  )
})

const opened = (meeting: Meeting) =>
  Effect.andThen(awaited(meeting), openSessions({ url: meeting.url }, SESSIONS, "session"))

const isOfServer = (error: { readonly _tag: string }): boolean => error._tag !== "DatabaseStartError"

/** The database in which a run and its workers meet, with its tables. Workers that start at the same moment both make them. */
export const meetingPlace = (meeting: Meeting): Layer.Layer<SqlClient.SqlClient, DatabaseStartError> =>
  Layer.effectDiscard(
    makeTables.pipe(
      Effect.retry({ times: MEETINGS, schedule: Schedule.spaced("1 second"), while: isOfServer }),
      Effect.mapError(problemOf)
    )
  ).pipe(Layer.provideMerge(Layer.effect(SqlClient.SqlClient)(Effect.mapError(opened(meeting), startError))))

/** The entities of a run, whose names begin with its own, that have messages. */
export const sentOf = Effect.fnUntraced(function* (run: string) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql<{ readonly entity_id: string }>`
    SELECT entity_id FROM cluster_messages WHERE starts_with(entity_id, ${`${run}.`}) ORDER BY id`
  return found.map(({ entity_id }) => entity_id)
})

export const forgetRun = Effect.fnUntraced(function* (run: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM cluster_messages WHERE starts_with(entity_id, ${`${run}.`})`
  yield* forgetOrphans
})

const forgetOrphans = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    DELETE FROM cluster_replies WHERE NOT EXISTS (SELECT FROM cluster_messages WHERE cluster_messages.id = request_id)`
})

const KEPT = Duration.days(1)

/** Deletes what is older than a day, of runs that nobody went on with, and workers and leases that are long gone. */
export const sweep = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const timestamp = (yield* Clock.currentTimeMillis) - Duration.toMillis(KEPT)
  const oldest = String(Snowflake.make({ machineId: MachineId.make(0), sequence: 0, timestamp }))
  yield* sql`DELETE FROM cluster_messages WHERE id < ${oldest}::bigint`
  yield* forgetOrphans
  yield* sql`DELETE FROM cluster_runners WHERE last_heartbeat < now() - INTERVAL '1 day'`
  yield* sql`DELETE FROM cluster_locks WHERE acquired_at < now() - INTERVAL '1 day'`
})

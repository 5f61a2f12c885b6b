/**
 * The client of a database at a known address: a pool of sessions in which every wait is bounded.
 * Each session sets its own parameters, so defaults of the server, database or role do not matter.
 * The client needs no tables and creates none.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import type { Settings } from "../platform/config.ts"
import { eachHost } from "../platform/settings.ts"
import { connectionError, Deadlines, interruptedAfter } from "./deadline.ts"
import { DatabaseStartError } from "./embedded/binaries.ts"
import { openWritable } from "./hosts.ts"
import { measuredPool } from "./measuredPool.ts"
import { pooledClient } from "./pooled.ts"
import { SESSION_SETTINGS } from "./sessionSettings.ts"

/** The address of a server: a URL or a Unix socket. */
export type DatabaseAddress = { readonly url: Redacted.Redacted<string> } | { readonly socketPath: string }

/**
 * Connections of one process. This is also the number of commits that can share one flush of the
 * WAL.
 */
const MAX_CONNECTIONS = 24
/**
 * Settings of every session, which override all defaults. A commit is acknowledged only once it is
 * on disk.
 */
const SESSION = {
  synchronous_commit: "on",
  default_transaction_isolation: "read committed",
  ...SESSION_SETTINGS
}
/**
 * Timeouts that the server enforces, in milliseconds. A transaction may be idle for 2.5 times as
 * long as a statement may run.
 */
const sessionBounds = (statement: number) => ({
  statement_timeout: String(statement),
  lock_timeout: String(statement),
  idle_in_transaction_session_timeout: String(2.5 * statement)
})
/**
 * Timeout of each statement of a migration, and of the wait while another node migrates. Migrating
 * a hundred million records takes about an hour, and an interrupted migration starts over.
 */
const MIGRATION_MILLISECONDS = 4 * 60 * 60 * 1000
/**
 * Timeout of a commit. The caller gives up sooner, but the session is not reused before the commit
 * has ended.
 */
const COMMIT_MILLISECONDS = 10_000

/**
 * The server answers `COMMIT` of an aborted transaction with `ROLLBACK` and without an error, so
 * the answer is checked. The server's statement timeout does not cover a commit's wait for the disk
 * or for a synchronous standby, hence the deadline. After it the commit counts as failed, even if
 * the server commits later.
 */
const commitWithin =
  (milliseconds: number) =>
  (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
    Effect.flatMap(
      interruptedAfter(connection.executeRaw("COMMIT", []), milliseconds, () =>
        connectionError("commit", "The database did not commit in time")
      ),
      (result) =>
        typeof result === "object" && result !== null && "command" in result && result.command === "COMMIT"
          ? Effect.void
          : Effect.fail(connectionError("commit", "The transaction was rolled back instead of committed"))
    )

interface Sessions {
  /** Maximum number of sessions. */
  readonly most: number
  readonly commitMilliseconds: number
  readonly settings: Readonly<Record<string, string>>
}

const LIMITS = { most: MAX_CONNECTIONS, commitMilliseconds: COMMIT_MILLISECONDS }
/** The sessions that serve calls. `statement` is their statement timeout in milliseconds. */
const serving = (statement: number): Sessions => ({
  ...LIMITS,
  settings: { ...SESSION, ...sessionBounds(statement) }
})
/**
 * The session that prepares the database at the start. It may migrate, or wait while another node
 * does.
 */
export const PREPARING: Sessions = {
  most: 1,
  commitMilliseconds: MIGRATION_MILLISECONDS,
  settings: { ...SESSION, statement_timeout: String(MIGRATION_MILLISECONDS) }
}

/** A client over a pool of connections, with a deadline for acquiring one and for a commit. */
export const boundedClient = Effect.fnUntraced(function* (
  pool: Pick<SqlClient.SqlClient, "driver" | "reserve">,
  { commitMilliseconds, most }: Pick<Sessions, "commitMilliseconds" | "most"> = LIMITS
) {
  const { connection } = yield* Deadlines
  const acquirer = pool.reserve.pipe(
    Effect.timeoutOrElse({
      duration: connection,
      orElse: () => Effect.fail(connectionError("acquire", "No connection to the database was free in time"))
    })
  )
  return yield* SqlClient.make({
    acquirer: yield* measuredPool(acquirer, most),
    compiler: PgClient.makeCompiler(),
    driver: pool.driver,
    spanAttributes: [["db.system.name", "postgresql"]],
    prepareTransactionControls: true,
    commit: commitWithin(commitMilliseconds)
  })
})

/** One address per host, because DATABASE_URL may name several hosts. */
const hostsOf = (address: DatabaseAddress): ReadonlyArray<DatabaseAddress> =>
  "url" in address ? eachHost(Redacted.value(address.url)).map((one) => ({ url: Redacted.make(one) })) : [address]

/**
 * Maximum number of connections of one serving process. With several hosts, one more is for health
 * checks.
 */
export const maxConnectionsOf = (databaseUrl: Settings["databaseUrl"]): number =>
  MAX_CONNECTIONS + (databaseUrl !== null && hostsOf({ url: databaseUrl }).length > 1 ? 1 : 0)

const connectionSettings = (address: DatabaseAddress) => ({
  ...("url" in address
    ? { url: address.url }
    : { path: address.socketPath, username: "postgres", database: "postgres" }),
  applicationName: "repayment-of-record"
})

/**
 * An error of one line with the driver's or server's message, without DATABASE_URL and its
 * password.
 */
export const startError = (error: { readonly message: string; readonly cause?: unknown }) => {
  let reason = error.cause
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause
  const isPooled = reason instanceof Error && reason.message.includes("unsupported startup parameter")
  const remedy = isPooled
    ? "; a pooler such as PgBouncer is in front of it: set DATABASE_POOLING=transaction, or name the server itself"
    : ""
  const detail = reason instanceof Error && reason.message !== error.message ? ` (${reason.message})` : ""
  return new DatabaseStartError({ message: `The database cannot be used: ${error.message}${detail}${remedy}` })
}

/** Whether the settings of a session are applied once, or, behind a pooler, in each transaction. */
export type Pooling = Settings["databasePooling"]

/** Opens a pool of sessions at an address, and returns its client. */
export const openSessions = Effect.fnUntraced(function* (
  address: DatabaseAddress,
  sessions: Sessions,
  pooling: Pooling
) {
  const { connection } = yield* Deadlines
  const { most, settings } = sessions
  const open = (one: DatabaseAddress, maxConnections: number) =>
    PgClient.make({
      ...connectionSettings(one),
      connectTimeout: connection,
      keepAlive: "10 seconds",
      maxConnections,
      ...(pooling === "session" ? { startupParameters: settings } : { prepare: false })
    })
  const hosts = hostsOf(address)
  const pool = yield* hosts.length === 1 ? open(address, most) : openWritable(hosts, most, open)
  const client = yield* boundedClient(pool, sessions)
  return pooling === "session" ? client : yield* pooledClient(client, settings)
}, Effect.provide(Reactivity.layer))

/** A client for a database that is migrated already. */
export const clientLayer = (
  address: DatabaseAddress,
  pooling: Pooling = "session"
): Layer.Layer<SqlClient.SqlClient, DatabaseStartError> =>
  Layer.effect(SqlClient.SqlClient)(
    Effect.flatMap(Deadlines, ({ statement }) => openSessions(address, serving(statement), pooling)).pipe(
      Effect.mapError(startError)
    )
  )

/**
 * A fresh database for one test file, queries on it without the service, and locks that block the
 * service.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Deferred, Effect, Exit, Layer, ManagedRuntime, Redacted, Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { afterAll, beforeAll, inject } from "vitest"
import type { DatabaseAddress } from "../../src/database/client.ts"
import { databaseAt } from "../../src/database/postgres.ts"
import { testConfig } from "./settings.ts"

/** A database by its address, or by the socket of an embedded server. */
type Database = { readonly url: Redacted.Redacted<string> } | { readonly path: string }

/** The ids of all migrations, in order. */
export const MIGRATION_IDS: ReadonlyArray<number> = readdirSync("src/database/migrations")
  .map((file) => Number.parseInt(file, 10))
  .sort((one, other) => one - other)

const sessionOn = (database: Database) => {
  const where = "url" in database ? database : { ...database, username: "postgres", database: "postgres" }
  return PgClient.layer({ ...where, maxConnections: 1 })
}

const run = <Row extends object>(database: Database, statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Row>(statement)).pipe(Effect.provide(sessionOn(database)))

/** Runs one statement in a new session. */
export const query = <Row extends object>(database: Database, statement: string): Promise<ReadonlyArray<Row>> =>
  Effect.runPromise(run<Row>(database, statement))

/**
 * Makes a database read-only or writable. The setting applies to new sessions, so the present ones
 * are terminated.
 */
export const setReadOnly = async (address: string, isReadOnly: boolean): Promise<void> => {
  const name = new URL(address).pathname.slice(1)
  const change = isReadOnly ? "SET default_transaction_read_only = on" : "RESET default_transaction_read_only"
  await Effect.runPromise(administer(`ALTER DATABASE ${name} ${change}`))
  await Effect.runPromise(
    administer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
  )
}

/** This test worker's session for changes to whole databases, closed when idle. */
let administrator: ManagedRuntime.ManagedRuntime<SqlClient.SqlClient, SqlError.SqlError> | undefined
const administer = (statement: string) =>
  Effect.promise(() => {
    administrator ??= ManagedRuntime.make(
      PgClient.layer({ url: Redacted.make(inject("postgres")), maxConnections: 1, idleTimeout: "5 seconds" })
    )
    return administrator.runPromise(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)))
  })

const urlOf = (name: string) => {
  const url = new URL(inject("postgres"))
  url.pathname = `/${name}`
  return Redacted.make(url.href)
}

const databaseFrom = Effect.fnUntraced(function* (template: string) {
  const name = `t_${crypto.randomUUID().replaceAll("-", "")}`
  yield* Effect.acquireRelease(administer(`CREATE DATABASE ${name} TEMPLATE ${template}`), () =>
    administer(`DROP DATABASE ${name} WITH (FORCE)`)
  )
  return urlOf(name)
})

/** Address of a new, empty database, dropped when the scope closes. */
export const freshDatabase = databaseFrom("template1")

/** Address of a new, migrated database without rows, dropped when the scope closes. */
export const migratedDatabase = Effect.suspend(() => databaseFrom(inject("template")))

/**
 * Copies of a migrated database that `fill` has written to once. `fill` must close its sessions.
 * Global setup drops the original, because its name starts with the template's.
 */
export const copiesOf = <E>(fill: (url: Redacted.Redacted<string>) => Effect.Effect<unknown, E>) => {
  let made: Promise<string> | undefined
  const make = Effect.gen(function* () {
    const name = `${inject("template")}_${crypto.randomUUID().slice(0, 8)}`
    yield* administer(`CREATE DATABASE ${name} TEMPLATE ${inject("template")}`)
    yield* fill(urlOf(name))
    return name
  })
  return Effect.flatMap(
    Effect.promise(() => {
      made ??= Effect.runPromise(make)
      return made
    }),
    databaseFrom
  )
}

/**
 * The address by which a service under test reaches a database: its own or, with POOLED set, that
 * of the pooler. Queries of the tests themselves go directly to the server.
 */
export const wayTo = (address: string): string => {
  const pooler = inject("pooler")
  if (pooler === null || !URL.canParse(address)) return address
  const server = new URL(inject("postgres"))
  const database = new URL(address)
  const isThere = database.host === server.host && database.search === server.search
  if (!isThere) return address
  database.host = new URL(pooler).host
  database.search = ""
  return database.href
}

/** The same for a redacted address. */
export const addressOf = (url: Redacted.Redacted<string>) => ({ url: Redacted.make(wayTo(Redacted.value(url))) })

/** Opens a database as a start of the service does, until the scope closes. */
export const opened = (address: DatabaseAddress, variables: Readonly<Record<string, string>> = {}) => {
  const database = databaseAt("url" in address ? addressOf(address.url) : address)
  return Layer.build(Layer.fresh(Layer.provide(database, testConfig(variables))))
}

/** Starts on a database and stops again; a start migrates it. */
export const start = (address: DatabaseAddress, variables: Readonly<Record<string, string>> = {}) =>
  Effect.scoped(Effect.asVoid(opened(address, variables)))

/** A database for the tests of a file, by default a migrated one. */
export const useDatabase = (
  made = migratedDatabase
): (() => { readonly url: Redacted.Redacted<string>; readonly address: string }) => {
  const scope = Scope.makeUnsafe()
  let url: Redacted.Redacted<string>
  beforeAll(async () => {
    url = await Effect.runPromise(Scope.provide(made, scope))
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return () => ({ url, address: Redacted.value(url) })
}

/** The folder of an embedded database for the tests of a file, and direct access to it. */
export const useDataFolder = () => {
  const dataDir = mkdtempSync(join(tmpdir(), "repayment-data-"))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const cluster = join(dataDir, "postgres", "data")
  return {
    dataDir,
    database: { path: join(cluster, ".s.PGSQL.5432") },
    /** The process id of its server. */
    postmaster: () => Number(readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n")[0])
  }
}

/** The number of records and charges of a key; zero for an unknown key. */
export const accountOf = async (database: Database, key: string) => {
  const [counted] = await query<{ readonly rows: number; readonly used: number }>(
    database,
    `WITH key AS (SELECT id AS key_id FROM api_key WHERE prefix = '${key.slice(0, 14)}')
     SELECT (SELECT count(*)::int FROM answer JOIN key USING (key_id)) AS rows,
       (SELECT coalesce(sum(used), 0)::int FROM usage JOIN key USING (key_id)) AS used`
  )
  return counted!
}

export interface Hold {
  /** Rolls back; returns once the locks are free. */
  readonly release: () => Promise<void>
}

/** Runs a statement in a transaction that stays open, with its locks, until `release`. */
export const holdTransaction = async (database: Database, statement: string): Promise<Hold> => {
  const isOver = Deferred.makeUnsafe<void>()
  const begun = Deferred.makeUnsafe<void>()
  const session = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const held = sql
      .unsafe(statement)
      .pipe(
        Effect.andThen(Deferred.succeed(begun, undefined)),
        Effect.andThen(Deferred.await(isOver)),
        Effect.andThen(Effect.fail("undone" as const))
      )
    yield* Effect.catchIf(
      sql.withTransaction(held),
      (error) => error === "undone",
      () => Effect.void
    )
  }).pipe(Effect.provide(sessionOn(database)))
  const done = Effect.runPromise(session)
  await Promise.race([Effect.runPromise(Deferred.await(begun)), done])
  return {
    release: async () => {
      await Effect.runPromise(Deferred.succeed(isOver, undefined))
      await done
    }
  }
}

/** Locks a table, so that every read and write of it waits. */
export const holdTable = (database: Database, table: "answer" | "api_key"): Promise<Hold> =>
  holdTransaction(database, `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)

export const holdRecords = (database: Database): Promise<Hold> => holdTable(database, "answer")

/** Number of service sessions that wait for a lock in a statement that matches the pattern. */
export const sessionsWaiting = async (database: Database, statement = "%"): Promise<number> => {
  const [row] = await query<{ readonly n: number }>(
    database,
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'repayment-of-record' AND wait_event_type = 'Lock'
       AND query ILIKE '${statement}'`
  )
  return row!.n
}

/** A fresh database for one test file, what a test asks of it behind the service's back, and how it is held up. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Deferred, Effect, Exit, ManagedRuntime, Redacted, Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { afterAll, beforeAll, inject } from "vitest"

/** Where a test finds a database: an address, or the socket of an embedded one. */
type Database = { readonly url: Redacted.Redacted<string> } | { readonly path: string }

/** What a migrated database has been through: every file of the migrations, once, in order. */
export const MIGRATION_IDS: ReadonlyArray<number> = readdirSync("src/database/migrations")
  .map((file) => Number.parseInt(file, 10))
  .sort((one, other) => one - other)

const sessionOn = (database: Database) => {
  const where = "url" in database ? database : { ...database, username: "postgres", database: "postgres" }
  return PgClient.layer({ ...where, maxConnections: 1 })
}

const run = <Row extends object>(database: Database, statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Row>(statement)).pipe(Effect.provide(sessionOn(database)))

/** One statement in a session of its own. */
export const query = <Row extends object>(database: Database, statement: string): Promise<ReadonlyArray<Row>> =>
  Effect.runPromise(run<Row>(database, statement))

/** Lets the database at an address take no writes, or take them again; the setting holds for new sessions, so present ones end. */
export const setReadOnly = async (address: string, isReadOnly: boolean): Promise<void> => {
  const name = new URL(address).pathname.slice(1)
  const change = isReadOnly ? "SET default_transaction_read_only = on" : "RESET default_transaction_read_only"
  await Effect.runPromise(administer(`ALTER DATABASE ${name} ${change}`))
  await Effect.runPromise(
    administer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
  )
}

/** The session of this worker with the server itself, for as long as it has something to ask. */
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

/** Address of a new, empty database, dropped when the scope closes: for tests of migrations and of first starts. */
export const freshDatabase = databaseFrom("template1")

/** Address of a new database with the schema and no rows, dropped when the scope closes. */
export const migratedDatabase = Effect.suspend(() => databaseFrom(inject("template")))

/**
 * Copies of a migrated database that `fill` has written to once. `fill` may leave no session open. Global setup drops the
 * original with the template whose name it extends.
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
 * How a service under test reaches a database: by its address, or, in a run with POOLED set, through the pooler. What a
 * test asks behind the service's back it asks of the server itself.
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

/** The same, of an address that is a secret. */
export const addressOf = (url: Redacted.Redacted<string>) => ({ url: Redacted.make(wayTo(Redacted.value(url))) })

/** A database for the tests of a file, migrated if nothing else is said: made before them, dropped after them. */
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

/** The folder of an embedded database, deleted after the tests of the file, and what may be asked behind its back. */
export const useDataFolder = () => {
  const dataDir = mkdtempSync(join(tmpdir(), "repayment-data-"))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const cluster = join(dataDir, "postgres", "data")
  return {
    dataDir,
    database: { path: join(cluster, ".s.PGSQL.5432") },
    /** Its server's process. */
    postmaster: () => Number(readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n")[0])
  }
}

/** Records and charges of a key, as the database counts them; none of one that it does not know. */
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
  /** Undoes the statement; returns once everybody else can go on. */
  readonly release: () => Promise<void>
}

/** A transaction that has carried a statement out and stays open until `release`, so that others wait for its locks. */
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

/** Holds a table, so that whatever wants to read or write there waits on its way. */
export const holdTable = (database: Database, table: "answer" | "api_key"): Promise<Hold> =>
  holdTransaction(database, `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)

export const holdRecords = (database: Database): Promise<Hold> => holdTable(database, "answer")

/** Sessions of services that wait for a lock, with a statement like this one. */
export const sessionsWaiting = async (database: Database, statement = "%"): Promise<number> => {
  const [row] = await query<{ readonly n: number }>(
    database,
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'repayment-of-record' AND wait_event_type = 'Lock'
       AND query ILIKE '${statement}'`
  )
  return row!.n
}

/**
 * The start on a PostgreSQL database: migrations, connections, session settings, durable commits
 * and the pepper.
 */
import { type AddressInfo, createServer } from "node:net"
import { Effect, Layer, Metric, Redacted, Result } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { clientLayer, type DatabaseAddress, openSessions, PREPARING } from "../../src/database/client.ts"
import { PepperIsReplaced } from "../../src/database/installation.ts"
import schema from "../../src/database/migrations/0001_schema.ts"
import { SESSION_SETTINGS } from "../../src/database/sessionSettings.ts"
import { freshDatabase, MIGRATION_IDS, migratedDatabase, opened, query, start } from "../support/database.ts"
import { CONTENTS, EARLIER_SCHEMA } from "../support/earlierSchema.ts"
import { assert, describe, it } from "../support/effects.ts"
import { TEST_PEPPER } from "../support/settings.ts"

const on = <A>(address: DatabaseAddress, statement: string) =>
  Effect.flatMap(opened(address), (services) =>
    Effect.provideContext(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<A & object>(statement)),
      services
    )
  ).pipe(Effect.scoped)

const session = (database: Parameters<typeof query>[0], statement: string) =>
  Effect.promise(() => query(database, statement))

describe("a database", () => {
  it("is migrated once by four nodes that start together [F24]", function* () {
    const url = yield* freshDatabase
    const nodes = yield* Effect.all(
      Array.from({ length: 4 }, () => opened({ url })),
      { concurrency: "unbounded" }
    )
    const migrations = yield* Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`SELECT migration_id FROM schema_migration ORDER BY migration_id`
    ).pipe(Effect.provideContext(nodes[0]!))
    assert.deepStrictEqual(
      migrations.map((row) => row["migration_id"]),
      [...MIGRATION_IDS]
    )
  })

  it("of the first migration keeps its rows and gains the tables of witnesses, at the next start", function* () {
    const url = yield* freshDatabase
    yield* Migrator.make({})({
      loader: Migrator.fromRecord({ "0001_schema": schema }),
      table: "schema_migration"
    }).pipe(Effect.provide(clientLayer({ url })))
    yield* session({ url }, "UPDATE log_head SET origin = 'kept.example/log'")
    yield* start({ url })
    const [kept] = yield* session(
      { url },
      "SELECT origin, log_witnessed.size::int AS size, (SELECT count(*)::int FROM log_witness) AS lines FROM log_head, log_witnessed"
    )
    assert.deepStrictEqual(kept, { origin: "kept.example/log", size: 0, lines: 0 })
  })

  it("gets at most 1 connection from a start and 24 from a service, as the metric reports", function* () {
    const address = { url: yield* migratedDatabase }
    const maxConnections = Effect.map(Metric.snapshot, (all) =>
      all.filter(({ id }) => id === "database_pool_connections_max").map(({ state }) => state)
    )
    const preparing = Effect.andThen(openSessions(address, PREPARING, "session"), maxConnections)
    assert.deepStrictEqual(yield* Effect.scoped(preparing), [{ value: 1 }])
    const serving = Effect.andThen(Layer.build(Layer.fresh(clientLayer(address))), maxConnections)
    assert.deepStrictEqual(yield* Effect.scoped(serving), [{ value: 24 }])
  })

  it("is reported in one line without its password when it cannot be reached", function* () {
    const url = Redacted.make("postgres://user:hunter2@127.0.0.1:1/nowhere")
    const error = yield* Effect.flip(start({ url }))
    assert.match(error.message, /^The database cannot be used: .*ECONNREFUSED/)
    assert.notInclude(error.message, "hunter2")
    assert.notInclude(error.message, "\n")
  })

  it("says what to set if a pooler refuses the settings of a session", function* () {
    const fields = ["SFATAL", "C08P01", "Munsupported startup parameter: statement_timeout"].join("\0")
    const body = Buffer.from(`${fields}\0\0`)
    const head = Buffer.from([0x45, 0, 0, 0, body.length + 4])
    const pooler = createServer((socket) => socket.once("data", () => socket.end(Buffer.concat([head, body]))))
    yield* Effect.promise(() => new Promise<void>((resolve) => pooler.listen(0, "127.0.0.1", resolve)))
    const { port } = pooler.address() as AddressInfo
    const url = Redacted.make(`postgres://user@127.0.0.1:${port}/name`)
    const { message } = yield* Effect.flip(start({ url }))
    pooler.close()
    assert.match(message, /unsupported startup parameter.*: set DATABASE_POOLING=transaction/)
    assert.notInclude(message, "\n")
  })

  it("is refused if a newer release has migrated it [F66]", function* () {
    const url = yield* migratedDatabase
    yield* on({ url }, "INSERT INTO schema_migration (migration_id, name) VALUES (9001, 'later')")
    const { message } = yield* Effect.flip(start({ url }))
    assert.match(message, /^The database cannot be used: a newer release has migrated it \(to 9001; .*start that/)
  })

  it("is refused in one line with the remedy if an earlier version created it, and stays unchanged", function* () {
    const url = yield* freshDatabase
    yield* session({ url }, EARLIER_SCHEMA)
    const before = yield* session({ url }, CONTENTS)
    const { message } = yield* Effect.flip(start({ url }))
    assert.match(
      message,
      /^The database cannot be used: it has the schema of an earlier version.*; use an empty database /
    )
    assert.notInclude(message, "\n")
    assert.deepStrictEqual(yield* session({ url }, CONTENTS), before)
  })
})

describe("a session", () => {
  it("has the settings of the service, whatever the database is set to", function* () {
    const url = yield* migratedDatabase
    const name = new URL(Redacted.value(url)).pathname.slice(1)
    const other = {
      search_path: "evil, public",
      row_security: "on",
      quote_all_identifiers: "on",
      jit: "on",
      constraint_exclusion: "on",
      timezone: "PST8PDT",
      datestyle: "German"
    }
    for (const [setting, value] of Object.entries(other))
      yield* on({ url }, `ALTER DATABASE ${name} SET ${setting} = ${value}`)
    const names = Object.keys(other).map((setting) => `current_setting('${setting}') AS ${setting}`)
    const currentSettings = `SELECT ${names.join(", ")}`
    assert.deepStrictEqual(yield* on({ url }, currentSettings), [SESSION_SETTINGS])
  })
})

describe("a commit [F65]", () => {
  it("is on disk before it is acknowledged, whatever the database is set to", function* () {
    const url = yield* migratedDatabase
    const name = new URL(Redacted.value(url)).pathname.slice(1)
    yield* on({ url }, `ALTER DATABASE ${name} SET synchronous_commit = off`)
    yield* on({ url }, `ALTER ROLE CURRENT_USER IN DATABASE ${name} SET synchronous_commit = off`)
    assert.deepStrictEqual(yield* on({ url }, "SHOW synchronous_commit"), [{ synchronous_commit: "on" }])
  })
})

describe("the pepper of a database [F66]", () => {
  const [first, second, third] = ["first", "second", "third"].map((name) => `the ${name} pepper of this database, long`)
  const by = (pepper: string, previous = "") => ({ SECRET_PEPPER: pepper, SECRET_PEPPER_PREVIOUS: previous })

  it("is the one of its first start, and another is refused with the remedy", function* () {
    const url = yield* migratedDatabase
    yield* start({ url }, by(first!))
    yield* start({ url }, by(first!))
    const { message } = yield* Effect.flip(start({ url }, by(second!)))
    assert.match(message, /SECRET_PEPPER is not the one of this database.*SECRET_PEPPER_PREVIOUS.*--replace-pepper$/)
    assert.notInclude(message, "long")
    yield* Effect.flip(start({ url }, by(second!, third)))
    yield* start({ url }, by(first!))
  })

  it("is rotated by naming the previous one, and can be rotated back", function* () {
    const url = yield* migratedDatabase
    yield* start({ url }, by(first!))
    yield* start({ url }, by(second!, first))
    yield* start({ url }, by(second!, first))
    yield* start({ url }, by(second!))
    yield* Effect.flip(start({ url }, by(first!)))
    yield* start({ url }, by(first!, second))
  })

  it("stays a single one when nodes with two different ones start together", function* () {
    const url = yield* migratedDatabase
    const peppers = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? first! : second!))
    const starts = yield* Effect.forEach(peppers, (pepper) => Effect.result(start({ url }, by(pepper))), {
      concurrency: "unbounded"
    })
    const accepted = peppers.filter((_, index) => Result.isSuccess(starts[index]!))
    for (const failure of starts.flatMap((one) => (Result.isFailure(one) ? [one.failure] : [])))
      assert.match(failure.message, /SECRET_PEPPER is not the one/)
    assert.strictEqual(accepted.length, 3)
    assert.strictEqual(new Set(accepted).size, 1)
  })

  it("is replaced without the previous one only if an operator requests it", function* () {
    const url = yield* migratedDatabase
    yield* start({ url }, by(first!))
    yield* Effect.provideService(start({ url }, by(second!)), PepperIsReplaced, true)
    yield* Effect.flip(start({ url }, by(first!)))
    yield* start({ url }, by(second!))
  })

  it("is not written again when the database is read-only", function* () {
    const url = yield* migratedDatabase
    yield* start({ url })
    const name = new URL(Redacted.value(url)).pathname.slice(1)
    yield* on({ url }, `ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    yield* start({ url }, by(TEST_PEPPER))
    assert.deepStrictEqual(yield* on({ url }, "SHOW transaction_read_only"), [{ transaction_read_only: "on" }])
  })
})

/**
 * The client for a pooler in transaction mode: it keeps no state in sessions, so their reuse by the
 * pooler changes nothing.
 */
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { clientLayer } from "../../src/database/client.ts"
import { SESSION_SETTINGS } from "../../src/database/sessionSettings.ts"
import { addressOf, freshDatabase, query } from "../support/database.ts"
import { assert, it } from "../support/effects.ts"

const EXPECTED_SETTINGS = {
  ...SESSION_SETTINGS,
  TimeZone: "UTC",
  synchronous_commit: "on",
  statement_timeout: "2s",
  lock_timeout: "2s",
  idle_in_transaction_session_timeout: "5s"
}
const DATABASE_SETTINGS = {
  search_path: "evil",
  row_security: "on",
  jit: "on",
  TimeZone: "Asia/Tokyo",
  synchronous_commit: "off",
  statement_timeout: "0",
  lock_timeout: "0",
  idle_in_transaction_session_timeout: "0"
}
const currentSettings = `SELECT ${Object.keys(EXPECTED_SETTINGS)
  .map((name) => `current_setting('${name}') AS "${name}"`)
  .join(", ")}`

it("the client of a pooler applies its settings to each statement, whatever the database is set to", function* () {
  const url = yield* freshDatabase
  const name = new URL(Redacted.value(url)).pathname.slice(1)
  for (const [setting, value] of Object.entries(DATABASE_SETTINGS))
    yield* Effect.promise(() => query({ url }, `ALTER DATABASE ${name} SET ${setting} = '${value}'`))
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    assert.deepStrictEqual(yield* sql.unsafe(currentSettings), [EXPECTED_SETTINGS])
    assert.deepStrictEqual(yield* sql.withTransaction(sql.unsafe(currentSettings)), [EXPECTED_SETTINGS])
    const [prepared] = yield* sql`SELECT count(*)::int AS names FROM pg_prepared_statements`
    assert.deepStrictEqual(prepared, { names: 0 })
  }).pipe(Effect.provide(clientLayer(addressOf(url), "transaction")))
})

it("the client of a pooler rolls back a failed statement, and goes on in the same session", function* () {
  const url = yield* freshDatabase
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE one (n int UNIQUE)`
    const failure = yield* Effect.flip(sql`INSERT INTO one VALUES (1), (1)`)
    assert.strictEqual(failure.reason._tag, "UniqueViolation")
    yield* sql`INSERT INTO one VALUES (1)`
    assert.deepStrictEqual(yield* sql`SELECT n FROM one`, [{ n: 1 }])
  }).pipe(Effect.provide(clientLayer(addressOf(url), "transaction")))
})

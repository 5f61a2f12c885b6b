/** A fresh, migrated database for one test file, dropped afterwards; and the services on it. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { AppConfig } from "../../src/config.ts"
import { databaseAt } from "../../src/database/postgres.ts"
import { servicesLayer } from "../../src/services/index.ts"

export const TEST_PEPPER = "a pepper for tests that is long enough"
export const TEST_PAYMENT_LINK = "https://buy.example.test/repayment"

/** Settings of a test: no environment, no file is read. */
export const testConfig = (variables: Readonly<Record<string, string>> = {}) =>
  AppConfig.layerFrom({ SECRET_PEPPER: TEST_PEPPER, PAYMENT_LINK: TEST_PAYMENT_LINK, ...variables })

const administer = (server: string, statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(server), maxConnections: 1 }))
  )

/** Address of a new, empty database, dropped when the scope closes. */
export const freshDatabase = Effect.gen(function* () {
  const server = inject("postgres")
  const name = `t_${crypto.randomUUID().replaceAll("-", "")}`
  yield* Effect.acquireRelease(administer(server, `CREATE DATABASE ${name}`), () =>
    administer(server, `DROP DATABASE ${name} WITH (FORCE)`).pipe(Effect.orDie)
  )
  const url = new URL(server)
  url.pathname = `/${name}`
  return Redacted.make(url.href)
})

/** A SqlClient on a database of its own. */
export const TestDatabase = Layer.unwrap(Effect.map(freshDatabase, (url) => databaseAt({ url })))

/** Every service on a database of its own; the SqlClient and the settings stay in reach. */
export const testServices = (variables: Readonly<Record<string, string>> = {}) =>
  servicesLayer.pipe(Layer.provideMerge(Layer.mergeAll(TestDatabase, testConfig(variables))))

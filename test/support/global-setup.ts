/**
 * The PostgreSQL of a test run: the server of DATABASE_URL if set, else a temporary embedded
 * cluster without crash safety. The migrations run once, in a template database that every test
 * file copies. With POOLED set, the services under test reach the server through a pooler.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { TestProject } from "vitest/node"
import { embeddedDatabase } from "../../src/database/embedded/embedded.ts"
import { migrate } from "../../src/database/migrate.ts"
import { openPooler } from "./pooler.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the server; its user may create databases. */
    readonly postgres: string
    /** Name of a migrated database without rows. */
    readonly template: string
    /** Address of the pooler in front of the server; null without one. */
    readonly pooler: string | null
  }
}

/** More sessions than one service opens, and fewer than two do. */
const SESSIONS = 30
const POOLED = process.env["POOLED"] !== undefined

/** The server's address; an embedded server stops when the scope closes. */
const server = Effect.gen(function* () {
  const external = process.env["DATABASE_URL"]
  if (external !== undefined) return external
  const { socketPath } = yield* embeddedDatabase({})
  const folder = socketPath.slice(0, socketPath.lastIndexOf("/"))
  return `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`
})

/** Creates the template; it and all databases with its prefix are dropped with the scope. */
const templateOn = Effect.fnUntraced(function* (address: string) {
  const at = (url: string) => PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })
  const administer = <A extends object>(statement: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<A>(statement)).pipe(
      Effect.provide(at(address)),
      Effect.orDie
    )
  const name = `template_${crypto.randomUUID().replaceAll("-", "")}`
  const drop = Effect.gen(function* () {
    const all = yield* administer<{ readonly name: string }>(
      `SELECT datname AS name FROM pg_database WHERE starts_with(datname, '${name}')`
    )
    for (const each of all) yield* administer(`DROP DATABASE ${each.name} WITH (FORCE)`)
  })
  yield* Effect.acquireRelease(administer(`CREATE DATABASE ${name}`), () => drop)
  const url = new URL(address)
  url.pathname = `/${name}`
  yield* migrate.pipe(Effect.provide(at(url.href)))
  return name
})

const poolerOf = (address: string) =>
  Effect.acquireRelease(
    Effect.promise(() => openPooler(address, SESSIONS)),
    ({ close }) => Effect.promise(close)
  )

export default async function setup({ provide }: TestProject) {
  const scope = Scope.makeUnsafe()
  const address = await Effect.runPromise(Scope.provide(server, scope))
  provide("postgres", address)
  provide("template", await Effect.runPromise(Scope.provide(templateOn(address), scope)))
  const pooler = POOLED ? await Effect.runPromise(Scope.provide(poolerOf(address), scope)) : null
  provide("pooler", pooler?.urlOf(address) ?? null)
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}

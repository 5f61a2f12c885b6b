/**
 * A database of the schema before, with answers in it, is brought to this release by deploy/drills/upgrade.sh: under the
 * service's role nothing starts before, everything after, and every answer verifies.
 */
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { globSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { promisify } from "node:util"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { Migrator, type SqlClient } from "effect/sql"
import { freePort } from "../../test/support/freePort.ts"
import { makeRoles, ownerUrl, repay, serviceUrl, startService, upgrade } from "./installation.ts"
import type { Say } from "./restore.ts"
import { makeCluster, PROGRAMS, psql, type Server, serversFolder, startServer } from "./server.ts"

const run = promisify(execFile)

const ANSWERS = 20
const COMMAND_MILLIS = 120_000
const FILES = globSync("src/database/migrations/*.ts").sort()

type Migration = Effect.Effect<void, unknown, SqlClient.SqlClient>

/** All migrations but the last, as the release before ran them. */
const migrateAsBefore = async (url: string): Promise<void> => {
  const migrations: Record<string, Migration> = {}
  for (const file of FILES.slice(0, -1)) {
    const module = (await import(resolve(file))) as { readonly default: Migration }
    migrations[basename(file, ".ts")] = module.default
  }
  const migrate = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "schema_migration" })
  await Effect.runPromise(
    Effect.provide(migrate, PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })) as Effect.Effect<unknown>
  )
}

/** What the two schemas have in common: the keys, the records and whose database it is. */
const TABLES = ["api_key", "usage", "answer_kind", "answer", "installation"]

const copy = async (from: string, to: string): Promise<void> => {
  const tables = TABLES.map((table) => `--table=${table}`)
  const { stdout } = await run(join(PROGRAMS, "pg_dump"), ["--data-only", ...tables, `--dbname=${from}`], {
    timeout: COMMAND_MILLIS
  })
  const filled = run(join(PROGRAMS, "psql"), ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", `--dbname=${to}`], {
    timeout: COMMAND_MILLIS
  })
  filled.child.stdin?.end(stdout)
  await filled
}

/** Answers of the real service, then their records under the schema before. */
const answersOfBefore = async (server: Server) => {
  const scratch = server.url("postgres", "scratch")
  await psql(server.administrators, "--command=CREATE DATABASE scratch")
  const other = { ...server, url: () => scratch }
  const service = await startService(other)
  const answers = await service.answer(await service.mint(), ANSWERS)
  await service.stop()
  await migrateAsBefore(ownerUrl(server))
  await copy(scratch, ownerUrl(server))
  return answers
}

export const upgradeDrill = async (folder: string, say: Say): Promise<void> => {
  const home = serversFolder(join(folder, "upgrade"))
  await makeCluster(home)
  const server = await startServer(home, await freePort())
  try {
    await makeRoles(server)
    const answers = await answersOfBefore(server)
    await psql(ownerUrl(server), "--file=deploy/sql/rights.sql").catch(() => undefined)
    await assert.rejects(startService(server), /run repay migrate with the owner/)
    say(`the schema before with ${ANSWERS} answers: under the service's role this release does not start on it`)
    const port = await freePort()
    await upgrade(server, `http://127.0.0.1:${port}`)
    const service = await startService(server, port)
    try {
      assert.equal(await service.verified(answers), ANSWERS)
      assert.equal(await psql(serviceUrl(server), "--command=SELECT count(*) FROM answer"), String(ANSWERS))
    } finally {
      await service.stop()
    }
    assert.equal(JSON.parse(await repay(server, ["audit", "--json"])).finding, null)
    say("upgrade.sh, then the service under its own role: every answer verifies, and the audit finds nothing")
  } finally {
    await server.stop()
  }
}

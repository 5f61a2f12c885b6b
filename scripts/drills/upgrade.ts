/**
 * The upgrade drill: deploy/drills/upgrade.sh upgrades a database with answers to a next release,
 * which is this checkout with one more, empty migration. Under the service's role that release must
 * refuse to start before the upgrade and start after it. Every answer must verify.
 */
import assert from "node:assert/strict"
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../test/support/freePort.ts"
import { insist, PROJECT, say } from "../harness.ts"
import { makeCluster, psql, serversFolder, startServer } from "../postgres.ts"
import { makeRoles, ownerUrl, repay, serviceUrl, startService, upgrade } from "./installation.ts"

const ANSWERS = 20
const COPIED = ["package.json", "src", "schema", "ledger", "docs"]
const MIGRATIONS = "const MIGRATIONS = {"

/** Creates a folder with a release after this one. */
const nextRelease = (folder: string): string => {
  const next = join(folder, "next")
  for (const path of COPIED) cpSync(join(PROJECT, path), join(next, path), { recursive: true })
  symlinkSync(join(PROJECT, "node_modules"), join(next, "node_modules"))
  const file = join(next, "src/database/migrate.ts")
  const text = readFileSync(file, "utf8")
  insist(text.includes(MIGRATIONS), "the migrations are listed otherwise")
  writeFileSync(file, text.replace(MIGRATIONS, `${MIGRATIONS} "9999_next_release": Effect.void,`))
  return next
}

export const upgradeDrill = async (folder: string): Promise<string> => {
  const home = serversFolder(join(folder, "upgrade"))
  await makeCluster(home)
  const server = await startServer(home, await freePort())
  await makeRoles(server)
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  await upgrade(server, publicUrl)
  const before = await startService(server, port)
  const answers = await before.answer(await before.mint(), ANSWERS)
  await before.stop()

  const next = nextRelease(folder)
  await assert.rejects(startService(server, port, next), /run repay migrate with the owner/)
  say(`${ANSWERS} answers of this release: under the service's role the next release does not start on them`)
  await upgrade(server, publicUrl, next)
  const after = await startService(server, port, next)
  assert.equal(await after.verified(answers), ANSWERS)
  assert.equal(await psql(serviceUrl(server), "--command=SELECT count(*) FROM answer"), String(ANSWERS))
  assert.equal(await psql(ownerUrl(server), "--command=SELECT max(migration_id) FROM schema_migration"), "9999")
  await after.stop()
  assert.equal(JSON.parse(await repay(server, ["audit", "--json"], {}, next)).finding, null)
  await server.stop()
  return "upgrade.sh, then the next release under the service's role: every answer verifies, and the audit finds nothing"
}

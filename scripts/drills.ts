/**
 * `npm run drills`: carries out what deploy/drills describes, with its own scripts, on a PostgreSQL of this system: a lost
 * database is restored, to the end and to a moment, and a database of the schema before is upgraded. Needs PostgreSQL's
 * programs (Debian: postgresql-15), in POSTGRES_BIN if elsewhere; without them it fails. Checks the units of systemd too
 * where systemd-analyze is.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { restoreDrill } from "./drills/restore.ts"
import { PROGRAMS } from "./drills/server.ts"
import { checkUnits } from "./drills/units.ts"
import { upgradeDrill } from "./drills/upgrade.ts"

if (!existsSync(join(PROGRAMS, "pg_basebackup"))) {
  console.error(`no PostgreSQL in ${PROGRAMS}: install one (Debian: postgresql-15), or set POSTGRES_BIN`)
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), "drills-"))
// The account of the server has folders of its own in it.
chmodSync(folder, 0o711)
process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))

const DRILLS = { restore: restoreDrill, upgrade: upgradeDrill, units: checkUnits }
const wanted = process.argv.slice(2)

for (const [name, drill] of Object.entries(DRILLS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const begun = performance.now()
  await drill(folder, (step) =>
    console.log(`${name.padEnd(8)} ${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${step}`)
  )
}

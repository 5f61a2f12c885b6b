/**
 * Carries out what deploy/drills describes, with its own scripts, on a PostgreSQL of this system: a
 * lost database is restored, to the end and to a moment, and a database of this release is upgraded
 * to a next one. Needs PostgreSQL's programs (Debian: postgresql-15), in POSTGRES_BIN if elsewhere.
 * Checks the units of systemd too where systemd-analyze is.
 */
import { restoreDrill } from "./drills/restore.ts"
import { checkUnits } from "./drills/units.ts"
import { upgradeDrill } from "./drills/upgrade.ts"
import { Misuse, step } from "./harness.ts"
import { clustersFolder } from "./postgres.ts"

const DRILLS: Readonly<Record<string, (folder: string) => Promise<string>>> = {
  restore: restoreDrill,
  upgrade: upgradeDrill,
  units: checkUnits
}

export default async (wanted: ReadonlyArray<string>) => {
  const unknown = wanted.filter((name) => !Object.hasOwn(DRILLS, name))
  if (unknown.length > 0) throw new Misuse(`no drill is called ${unknown.join(", ")}`)
  const folder = clustersFolder("drills")
  for (const [name, drill] of Object.entries(DRILLS))
    if (wanted.length === 0 || wanted.includes(name)) await step(name, () => drill(folder))
}

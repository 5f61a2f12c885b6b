/**
 * The `drills` task: restores a lost database and upgrades one to a next release, with the scripts
 * of deploy/drills. Needs PostgreSQL's programs (Debian: postgresql-15), or POSTGRES_BIN for
 * another folder. Checks the systemd units and nginx.conf too, if systemd-analyze and nginx are
 * installed.
 */
import { checkNginx } from "./drills/nginx.ts"
import { restoreDrill } from "./drills/restore.ts"
import { checkUnits } from "./drills/units.ts"
import { upgradeDrill } from "./drills/upgrade.ts"
import { Misuse, step } from "./harness.ts"
import { clustersFolder } from "./postgres.ts"

const DRILLS: Readonly<Record<string, (folder: string) => Promise<string>>> = {
  restore: restoreDrill,
  upgrade: upgradeDrill,
  units: checkUnits,
  nginx: checkNginx
}

export default async (names: ReadonlyArray<string>) => {
  const unknown = names.filter((name) => !Object.hasOwn(DRILLS, name))
  if (unknown.length > 0) throw new Misuse(`no drill is called ${unknown.join(", ")}`)
  const folder = clustersFolder("drills")
  for (const [name, drill] of Object.entries(DRILLS))
    if (names.length === 0 || names.includes(name)) await step(name, () => drill(folder))
}

/**
 * The `drills` task: restores a lost database and upgrades one to a next release, with the scripts
 * of deploy/drills. Needs PostgreSQL's programs (Debian: postgresql-15), or POSTGRES_BIN for
 * another folder. Checks the systemd units, nginx.conf and the alerts too, if systemd-analyze, nginx and
 * promtool are installed. By name: `image` builds and runs the image, `compose` brings up
 * compose.yaml, and `debian` follows the guide in an empty Debian; they need root and debootstrap.
 */
import { checkAlerts } from "./drills/alerts.ts"
import { composeDrill } from "./drills/compose.ts"
import { debianDrill } from "./drills/debian.ts"
import { imageDrill } from "./drills/image.ts"
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
  nginx: checkNginx,
  alerts: checkAlerts
}
/** Those that make a system of Debian's packages, as root, and are run only by name. */
const BY_NAME: typeof DRILLS = { image: imageDrill, compose: composeDrill, debian: debianDrill }
const ALL = { ...DRILLS, ...BY_NAME }

export default async (names: ReadonlyArray<string>) => {
  const unknown = names.filter((name) => !Object.hasOwn(ALL, name))
  if (unknown.length > 0) throw new Misuse(`no drill is called ${unknown.join(", ")}`)
  const folder = clustersFolder("drills")
  for (const [name, drill] of Object.entries(ALL))
    if (names.length === 0 ? Object.hasOwn(DRILLS, name) : names.includes(name)) await step(name, () => drill(folder))
}

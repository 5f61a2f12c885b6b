/** Has systemd itself read the units, where it is installed. The programs that they start are put in place of /opt's. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { insist, PROJECT, run } from "../harness.ts"

export const checkUnits = async (folder: string): Promise<string> => {
  const isHere = await run(["systemd-analyze", "--version"]).then(
    () => true,
    () => false
  )
  if (!isHere) return "systemd is not here: its units were read by nobody"
  const units = join(folder, "units")
  mkdirSync(units)
  const files = globSync("deploy/systemd/*.{service,timer}").map((file) => {
    const text = readFileSync(file, "utf8").replaceAll("/opt/repayment", PROJECT)
    const path = join(units, basename(file))
    writeFileSync(path, text)
    return path
  })
  // What it does not understand it leaves out, says so, and calls that success.
  const said = await run(["sh", "-c", 'exec systemd-analyze verify --man=no "$@" 2>&1', "sh", ...files])
  insist(said === "", said)
  return `systemd reads ${files.length} units without a word`
}

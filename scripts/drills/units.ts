/**
 * The check of the systemd units with systemd's own tools, if they are installed. The programs in
 * /opt are replaced by those of this project.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { insist, PROJECT, run } from "../harness.ts"

/** The exposure that systemd still calls OK, times ten. */
const MAX_EXPOSURE = 20

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
  for (const unit of files.filter((file) => file.endsWith(".service")))
    await run(["systemd-analyze", "security", "--offline=true", `--threshold=${MAX_EXPOSURE}`, unit])
  // systemd-analyze skips what it does not understand and exits with 0, but prints a warning.
  const output = await run(["sh", "-c", 'exec systemd-analyze verify --man=no "$@" 2>&1', "sh", ...files])
  insist(output === "", output)
  return `systemd reads ${files.length} units without a word, and calls the exposure of each service ${MAX_EXPOSURE / 10} or less`
}

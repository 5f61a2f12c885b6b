/**
 * The check of the systemd units with systemd's own tools, if they are installed. The programs in
 * /opt are replaced by those of this project.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { insist, isInstalled, PROJECT, run } from "../harness.ts"

/** The exposure that systemd still calls OK, times ten. */
const MAX_EXPOSURE = 20

export const checkUnits = async (folder: string): Promise<string> => {
  if (!(await isInstalled(["systemd-analyze", "--version"])))
    return "systemd is not installed: its units were not checked"
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
  return `systemd accepts ${files.length} units, and rates the exposure of each service ${MAX_EXPOSURE / 10} or less`
}

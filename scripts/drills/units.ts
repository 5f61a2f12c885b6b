/** Has systemd itself read the units, where it is installed. The programs that they start are put in place of /opt's. */
import { execFile } from "node:child_process"
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import { PROJECT } from "../programs.ts"
import type { Say } from "./restore.ts"

const run = promisify(execFile)
const COMMAND_MILLIS = 60_000

export const checkUnits = async (folder: string, say: Say): Promise<void> => {
  const isHere = await run("systemd-analyze", ["--version"]).then(
    () => true,
    () => false
  )
  if (!isHere) return say("systemd is not here: its units were read by nobody")
  const units = join(folder, "units")
  mkdirSync(units)
  const files = globSync("deploy/systemd/*.{service,timer}").map((file) => {
    const text = readFileSync(file, "utf8").replaceAll("/opt/repayment", PROJECT)
    const path = join(units, basename(file))
    writeFileSync(path, text)
    return path
  })
  // What it does not understand it leaves out, says so, and calls that success.
  const { stderr } = await run("systemd-analyze", ["verify", "--man=no", ...files], { timeout: COMMAND_MILLIS })
  if (stderr !== "") throw new Error(stderr)
  say(`systemd reads ${files.length} units without a word`)
}

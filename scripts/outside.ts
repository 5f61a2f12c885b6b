/**
 * Outside tools, each set of them in a folder of its own with a lock file, so that the project needs none of them: installed
 * once, run as programs, never imported.
 */
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { run } from "./harness.ts"

/** Whether they are as the lock file says: npm writes the file in `node_modules` last. */
const isInstalled = (folder: string): boolean => {
  const installed = join(folder, "node_modules", ".package-lock.json")
  return existsSync(installed) && statSync(installed).mtimeMs > statSync(join(folder, "package-lock.json")).mtimeMs
}

/** Installs what the lock file of the folder names, without its install scripts, unless it is there. */
export const installFrom = async (folder: string): Promise<string> => {
  if (isInstalled(folder)) return "already installed"
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  await run(["npm", "ci", "--prefix", folder, ...options])
  return "installed"
}

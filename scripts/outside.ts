/**
 * The installer of third-party tools. Each set has its own folder and lock file, so the project
 * itself depends on none of them. Tools run as programs and are never imported.
 */
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { run } from "./harness.ts"

/**
 * Whether the hidden lock file in `node_modules`, which npm writes last, is newer than the lock
 * file.
 */
const isInstalled = (folder: string): boolean => {
  const installed = join(folder, "node_modules", ".package-lock.json")
  return existsSync(installed) && statSync(installed).mtimeMs > statSync(join(folder, "package-lock.json")).mtimeMs
}

/** Installs the folder's lock file without install scripts, unless it is installed already. */
export const installFrom = async (folder: string): Promise<string> => {
  if (isInstalled(folder)) return "already installed"
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  await run(["npm", "ci", "--prefix", folder, ...options])
  return "installed"
}

/** The lock file that a killed process leaves behind. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { THIS_PROCESS } from "../../src/portfolio/store/lock.ts"

/** No process has such a high id. */
const UNUSED_PID = 2 ** 31 - 1

/** @returns the path of the lock file, which must not exist yet */
export const leftLock = (folder: string, changes: Readonly<Record<string, unknown>> = {}): string => {
  mkdirSync(folder, { recursive: true })
  const lock = join(folder, "lock")
  const holder = { ...THIS_PROCESS, pid: UNUSED_PID, id: crypto.randomUUID(), ...changes }
  writeFileSync(lock, JSON.stringify(holder), { flag: "wx" })
  return lock
}

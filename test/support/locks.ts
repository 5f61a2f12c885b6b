/** The lock of a process that was killed, as a test leaves it. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { THIS_PROCESS } from "../../src/portfolio/store/lock.ts"

/** No process has so high a number. */
const ENDED = 2 ** 31 - 1

/** @returns the file, which must not be there yet */
export const leftLock = (folder: string, changes: Readonly<Record<string, unknown>> = {}): string => {
  mkdirSync(folder, { recursive: true })
  const lock = join(folder, "lock")
  const holder = { ...THIS_PROCESS, pid: ENDED, id: crypto.randomUUID(), ...changes }
  writeFileSync(lock, JSON.stringify(holder), { flag: "wx" })
  return lock
}

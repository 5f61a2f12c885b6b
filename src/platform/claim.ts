/**
 * Folders that show which processes use a name. A process makes its own folder first and then looks
 * for others, so of two that start at once, at least one sees the other. The name of a file in the
 * folder identifies its holder. So a kill leaves no half-written note.
 */
import { existsSync, readlinkSync } from "node:fs"
import { mkdtemp, readdir, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { basename, dirname, join } from "node:path"
import { hasCode } from "./hasCode.ts"

/** The scope in which a process id is unique. Containers of one host may share its name. */
const PIDS = "/proc/self/ns/pid"
const PLACE = `${existsSync(PIDS) ? readlinkSync(PIDS) : "pid"}@${hostname()}`

const HOLDER = /^(\d+)\.(.+@.*)$/

const RANDOM_CHARACTERS = 6

/** Our own id in another process's folder is that of an earlier process in a new container. */
const hasEnded = (pid: number): boolean => {
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return false
  } catch (cause) {
    return hasCode(cause, "ESRCH")
  }
}

export interface Claim {
  readonly folder: string
  /** The process and its host. */
  readonly holder: string
  /** `elsewhere`: on another host or in another container, or not named yet. It may be running. */
  readonly state: "running" | "ended" | "elsewhere"
}

/** Makes a folder of this process, private to its account. Its path has a random end. */
export const makeClaim = async (prefix: string): Promise<string> => {
  const folder = await mkdtemp(prefix)
  await writeFile(join(folder, `${process.pid}.${PLACE}`), "")
  return folder
}

const claimOf = async (folder: string): Promise<Claim> => {
  const names = await readdir(folder).catch((): ReadonlyArray<string> => [])
  const [, pid, place = ""] = names.map((name) => HOLDER.exec(name)).find((found) => found !== null) ?? []
  const holder = pid === undefined ? "an unknown process" : `process ${pid} of ${place.slice(place.indexOf("@") + 1)}`
  if (pid === undefined || place !== PLACE) return { folder, holder, state: "elsewhere" }
  return { folder, holder, state: hasEnded(Number(pid)) ? "ended" : "running" }
}

/** The folders with this prefix of other processes. */
export const otherClaims = async (prefix: string, own: string): Promise<ReadonlyArray<Claim>> => {
  const names = (await readdir(dirname(prefix))).filter(
    (name) => name.startsWith(basename(prefix)) && name.length === basename(prefix).length + RANDOM_CHARACTERS
  )
  return Promise.all(names.filter((name) => name !== basename(own)).map((name) => claimOf(join(dirname(prefix), name))))
}

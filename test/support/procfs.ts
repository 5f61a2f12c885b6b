/**
 * What the system reports about a running process: its children, its memory and its time on a
 * processor.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs"

/** The processes that a process has started and that still run. */
export const childrenOf = (pid: number): ReadonlyArray<number> => {
  const listed =
    process.platform === "linux"
      ? readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      : execFileSync("pgrep", ["-P", String(pid)], { encoding: "utf8" })
  return listed.split(/\s+/).filter(Boolean).map(Number)
}

const KIBIBYTE = 1024
const NANOS_PER_MILLI = 1_000_000

const procFile = (pid: number, name: string): string => {
  const file = `/proc/${pid}/${name}`
  return existsSync(file) ? readFileSync(file, "utf8") : ""
}

/** Memory of a process in bytes; undefined where the system does not tell. */
export const residentBytes = (pid: number): number | undefined => {
  const [, kibibytes] = /VmRSS:\s+(\d+) kB/.exec(procFile(pid, "status")) ?? []
  return kibibytes === undefined ? undefined : Number(kibibytes) * KIBIBYTE
}

const schedstat = (pid: number, field: 0 | 1): number =>
  Number(procFile(pid, "schedstat").split(" ")[field] ?? 0) / NANOS_PER_MILLI

/** How long the thread of a process that answers has run; 0 where the system does not tell. */
export const ranMillis = (pid: number): number => schedstat(pid, 0)

/**
 * How long a process could have run and had to wait for a processor that others used; 0 where the
 * system does not tell.
 */
export const delayedMillis = (pid: number): number => schedstat(pid, 1)

/**
 * How many files, pipes and the like a process holds open, without sockets; null where the system
 * does not tell.
 */
export const openFiles = (pid: number): number | null => {
  const folder = `/proc/${pid}/fd`
  if (!existsSync(folder)) return null
  const targets = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(`${folder}/${name}`)
    } catch {
      return "socket: closed in the meantime"
    }
  })
  return targets.filter((target) => !target.startsWith("socket:")).length
}

/** System statistics of a running process: its children, memory, CPU time and open files. */
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs"

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

/** Resident memory in bytes; undefined if the system does not report it. */
export const residentBytes = (pid: number): number | undefined => {
  const [, kibibytes] = /VmRSS:\s+(\d+) kB/.exec(procFile(pid, "status")) ?? []
  return kibibytes === undefined ? undefined : Number(kibibytes) * KIBIBYTE
}

const schedstat = (pid: number, field: 0 | 1): number =>
  Number(procFile(pid, "schedstat").split(" ")[field] ?? 0) / NANOS_PER_MILLI

/** CPU time of the main thread in milliseconds; 0 if the system does not report it. */
export const ranMillis = (pid: number): number => schedstat(pid, 0)

/**
 * Time in which the main thread was runnable but waited for a CPU; 0 if the system does not report
 * it.
 */
export const delayedMillis = (pid: number): number => schedstat(pid, 1)

/**
 * Number of open files, pipes and other descriptors except sockets; null if the system does not
 * report it.
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

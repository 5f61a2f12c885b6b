/** Which process holds something, as it is written down, and whether that process is there still. */
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { hasCode } from "../database/hasCode.ts"

export interface Holder {
  /** Where its number means this process and no other. */
  readonly place: string
  readonly host: string
  readonly pid: number
  /** When it was started, as its system tells it; null where that is not told. */
  readonly began: string | null
}

const told = (read: () => string): string | undefined => {
  try {
    return read().trim()
  } catch {
    return undefined
  }
}

/** A host since it was started, and the numbers of its processes: a container has numbers of its own. */
const PLACE = [
  hostname(),
  told(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
  told(() => readlinkSync("/proc/self/ns/pid"))
].join(" ")

/** Behind the name of the program, proc(5): its state, and the 22nd of all fields. */
const BEGAN = 19

const stateOf = (pid: number) => {
  const line = told(() => readFileSync(`/proc/${pid}/stat`, "utf8"))
  const fields = line?.slice(line.lastIndexOf(")") + 2).split(" ")
  return fields && { hasEnded: fields[0] === "Z" || fields[0] === "X", began: fields[BEGAN] ?? null }
}

export const thisProcess = (): Holder => ({
  place: PLACE,
  host: hostname(),
  pid: process.pid,
  began: stateOf(process.pid)?.began ?? null
})

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return !hasCode(cause, "ESRCH")
  }
}

/** Unknown is what only a process beside it could tell. */
export const whereabouts = ({ began, pid, place }: Holder): "there" | "gone" | "unknown" => {
  if (place !== PLACE) return "unknown"
  if (!isRunning(pid)) return "gone"
  const now = stateOf(pid)
  if (now === undefined || began === null) return "unknown"
  return now.began === began && !now.hasEnded ? "there" : "gone"
}

/**
 * The lock that allows one run at a time in a folder of parts. The holder creates a lock file
 * exclusively and refreshes its mtime as a heartbeat. A lock is stale when its process has ended on
 * this host, or when its heartbeat is old. A stale lock is removed under a second exclusive file,
 * so that no process removes a lock that another has just created in its place.
 */
import { randomUUID } from "node:crypto"
import { readFileSync, readlinkSync } from "node:fs"
import { type FileHandle, mkdir, open, readFile, rm, rmdir, stat } from "node:fs/promises"
import { hostname } from "node:os"
import { dirname, join } from "node:path"
import { Effect, type Scope } from "effect"
import { hasCode } from "../../platform/hasCode.ts"
import { fromPromise, type PortfolioProblem, problem } from "../read/problem.ts"
import { LOCK, makeRunFolder, TAKEOVER } from "./manifest.ts"

const BEAT_MILLISECONDS = 2000
/** Sorting the ids of the largest portfolios blocks the heartbeat for about ten seconds. */
const STALE_SECONDS = 30

interface Holder {
  readonly host: string
  /** The scope in which `pid` is unique. */
  readonly place: string
  readonly pid: number
  /** Different for each lock. */
  readonly id: string
}

/** Reads a file of /proc; returns an empty text on systems other than Linux. */
const procText = (read: () => string): string => {
  try {
    return read()
  } catch {
    return ""
  }
}

/** This host, its current boot and its pid namespace, because a container has its own. */
export const THIS_PROCESS = {
  host: hostname(),
  place: [
    hostname(),
    procText(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    procText(() => readlinkSync("/proc/self/ns/pid"))
  ].join(" ")
}

const hasEnded = ({ pid, place }: Holder): boolean => {
  if (place !== THIS_PROCESS.place) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (cause) {
    return hasCode(cause, "ESRCH")
  }
}

/** The holder of a lock; undefined while the file is being written. */
const holderIn = (text: string): Holder | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const busy = (folder: string, holder: Holder | undefined): PortfolioProblem => {
  const holderText = holder === undefined ? "" : `, process ${holder.pid} of ${holder.host}`
  return problem(
    `${folder}: another run is using it${holderText}. Wait until it ends, or name another file. The lock of a killed run expires after ${STALE_SECONDS} seconds.`
  )
}

/**
 * Whether a lock may be removed; false if there is none.
 * @throws PortfolioProblem if it is held
 */
const isStale = async (folder: string, name: string): Promise<boolean> => {
  const file = join(folder, name)
  try {
    const { mtimeMs } = await stat(file)
    const holder = holderIn(await readFile(file, "utf8"))
    if (Date.now() - mtimeMs > STALE_SECONDS * 1000 || (holder !== undefined && hasEnded(holder))) return true
    throw busy(folder, holder)
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return false
    throw cause
  }
}

/** Creates a file; undefined if it exists or its folder has been removed. */
const created = async (file: string, text: string): Promise<FileHandle | undefined> => {
  try {
    const handle = await open(file, "wx")
    await handle.writeFile(text)
    return handle
  } catch (cause) {
    if (hasCode(cause, "EEXIST") || hasCode(cause, "ENOENT")) return undefined
    throw cause
  }
}

const removeStale = async (folder: string, text: string): Promise<void> => {
  const takeover = join(folder, TAKEOVER)
  const handle = await created(takeover, text)
  if (handle === undefined) {
    if (await isStale(folder, TAKEOVER)) await rm(takeover, { force: true })
    return
  }
  try {
    if (await isStale(folder, LOCK)) await rm(join(folder, LOCK), { force: true })
  } finally {
    await handle.close()
    await rm(takeover, { force: true })
  }
}

export class FolderLock {
  private readonly folder: string
  private readonly text: string
  private readonly handle: FileHandle
  private readonly beats: NodeJS.Timeout

  private constructor(folder: string, text: string, handle: FileHandle) {
    this.folder = folder
    this.text = text
    this.handle = handle
    this.beats = setInterval(() => void this.beat(), BEAT_MILLISECONDS).unref()
  }

  /** @throws PortfolioProblem if another process holds the lock, or the folder is not a run's */
  static async take(folder: string): Promise<FolderLock> {
    const text = JSON.stringify({ ...THIS_PROCESS, pid: process.pid, id: randomUUID() } satisfies Holder)
    await mkdir(dirname(folder), { recursive: true })
    for (;;) {
      if (!(await makeRunFolder(folder))) continue
      const handle = await created(join(folder, LOCK), text)
      if (handle !== undefined) return new FolderLock(folder, text, handle)
      if (await isStale(folder, LOCK)) await removeStale(folder, text)
    }
  }

  private async beat(): Promise<void> {
    const now = new Date()
    await this.handle.utimes(now, now).catch(() => undefined)
  }

  private async isHeld(): Promise<boolean> {
    const text = await readFile(join(this.folder, LOCK), "utf8").catch(() => undefined)
    return text === this.text
  }

  /** @throws PortfolioProblem if this process was suspended and another has taken over */
  async expectHeld(): Promise<void> {
    if (!(await this.isHeld()))
      throw problem(`${this.folder}: this run was suspended, and another run took over. Wait until that one ends.`)
  }

  /** Releases the lock, and removes the folder if it is empty. */
  async release(): Promise<void> {
    clearInterval(this.beats)
    await this.handle.close()
    if (await this.isHeld()) await rm(join(this.folder, LOCK), { force: true })
    await rmdir(this.folder).catch(() => undefined)
  }
}

/** Locks the folder for this process until the scope ends. */
export const lockFolder = (folder: string): Effect.Effect<FolderLock, PortfolioProblem, Scope.Scope> =>
  Effect.acquireRelease(
    fromPromise(() => FolderLock.take(folder)),
    (lock) => Effect.promise(() => lock.release())
  )

/**
 * Detection of a running server on a data folder, and of stale and damaged lock files. Nothing is
 * started here. PostgreSQL itself decides whether a pid file is stale; it only learns which pid is
 * not a server's.
 */
import { readFileSync, rmSync, statSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { Effect } from "effect"
import { hasCode } from "../../platform/hasCode.ts"

/** The folders of one embedded server. */
export interface Cluster {
  readonly folder: string
  readonly socketFolder: string
  readonly socketPath: string
  /**
   * The path of the folder that is passed to the server. Under root on Linux this is
   * /proc/self/cwd, because the server starts in that folder. The database account may not be able
   * to enter parent folders such as /root.
   */
  readonly folderForServer: string
  readonly socketFolderForServer: string
}

const CONNECT_MILLISECONDS = 500

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, "EPERM")
  }
}

type ServerState = "ready" | "busy" | "damaged" | "absent"

const accepts = (socketPath: string): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const socket = connect(socketPath)
    const answer = (yes: boolean) => {
      socket.destroy()
      resume(Effect.succeed(yes))
    }
    socket.setTimeout(CONNECT_MILLISECONDS, () => answer(false))
    socket.once("connect", () => answer(true))
    socket.once("error", () => answer(false))
  })

interface LockFile {
  /** Not above 0 in a file that a power cut emptied or filled with zeroes. */
  readonly pid: number
  readonly status: string
}

const pidFileOf = ({ folder }: Cluster): string => join(folder, "postmaster.pid")

/**
 * Line 1 of a lock file is the server's pid, negative for one without a postmaster. Line 8 of
 * postmaster.pid is the postmaster's status.
 */
const read = (path: string): LockFile | undefined => {
  try {
    const lines = readFileSync(path, "latin1").split("\n")
    return { pid: Math.abs(Number.parseInt(lines[0] ?? "", 10)), status: lines[7]?.trim() ?? "" }
  } catch {
    return undefined
  }
}

/**
 * Whether a process is this folder's server, by its working directory. The pid may belong to
 * another program or server: after a restart of a machine or container low pids are reused. If in
 * doubt, the process counts as the server.
 */
const isServerOf = (folder: string, pid: number): boolean => {
  if (!isAlive(pid)) return false
  if (process.platform !== "linux") return true
  try {
    if (readFileSync(`/proc/${pid}/comm`, "utf8").trim() !== "postgres") return false
    const [here, there] = [statSync(folder), statSync(`/proc/${pid}/cwd`)]
    return here.dev === there.dev && here.ino === there.ino
  } catch (error) {
    return hasCode(error, "EACCES")
  }
}

const isReused = ({ folder }: Cluster, { pid }: LockFile): boolean => isAlive(pid) && !isServerOf(folder, pid)

/**
 * The pid in a stale pid file, if it now belongs to a process that is not this folder's server.
 * PostgreSQL only checks that the process lives, and would not start.
 */
export const stalePid = (cluster: Cluster): number | undefined => {
  const file = read(pidFileOf(cluster))
  return file !== undefined && isReused(cluster, file) ? file.pid : undefined
}

/** Whether a lock file does not begin with a pid, as after a power cut: it is empty, or zeroes. */
const isDamaged = (file: LockFile | undefined): boolean => file !== undefined && !(file.pid > 0)

/**
 * Removes damaged lock files, and a socket's that names a reused pid. PostgreSQL refuses both kinds.
 * They stay if a server listens on the socket. The caller has seen a server refuse, so no other
 * server is just writing them. If one lives after all, its shared memory keeps a second one out.
 */
export const removeDamagedLocks = (cluster: Cluster): Effect.Effect<void> =>
  Effect.map(accepts(cluster.socketPath), (listening) => {
    if (listening) return
    if (isDamaged(read(pidFileOf(cluster)))) rmSync(pidFileOf(cluster), { force: true })
    const socketLock = `${cluster.socketPath}.lock`
    const file = read(socketLock)
    if (file !== undefined && (isDamaged(file) || isReused(cluster, file))) rmSync(socketLock, { force: true })
  })

/**
 * `ready`: a server accepts connections on the socket. `busy`: a server is starting, replaying its
 * write-ahead log or stopping. `damaged`: a server runs, but its pid file is unreadable. The socket
 * is tried first because it works between containers that share the folder but not their pids.
 */
export const serverState = Effect.fnUntraced(function* (cluster: Cluster): Effect.fn.Return<ServerState> {
  const listening = yield* accepts(cluster.socketPath)
  const file = read(pidFileOf(cluster))
  if (listening && isDamaged(file)) return "damaged"
  if (listening) return file?.status === "ready" ? "ready" : "busy"
  return file !== undefined && isServerOf(cluster.folder, file.pid) ? "busy" : "absent"
})

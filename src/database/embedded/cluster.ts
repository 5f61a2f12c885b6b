/**
 * The data directory (cluster) of the embedded database: created once, owned by the database
 * account, and never deleted. serverState.ts detects a running server, embedded.ts starts and stops
 * it.
 */
import { execFile } from "node:child_process"
import { createHash, randomUUID } from "node:crypto"
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Effect } from "effect"
import { DatabaseStartError, databaseAccount } from "./binaries.ts"
import { type Cluster, isAlive } from "./serverState.ts"

/** Major version of the PostgreSQL in package.json, which cannot open another version's cluster. */
const MAJOR_VERSION = "18"
const SOCKET_NAME = ".s.PGSQL.5432"
/**
 * Maximum length of a socket path. `sun_path` holds 108 bytes with the closing zero, or 104 on
 * macOS.
 */
const MAX_SOCKET_BYTES = process.platform === "darwin" ? 103 : 107
const INITDB_MILLISECONDS = 60_000
/** Lines of initdb's output that are kept when it fails. */
const MAX_LINES = 3
const MAX_FAILURE_CHARACTERS = 600
const CLEANUP_LINE = /^initdb: (?:removing|data directory|WAL directory)|^child process exited/

const startFailure = (message: string) =>
  new DatabaseStartError({ message: `The embedded database cannot start: ${message}` })

const attempt = <A>(work: () => A): Effect.Effect<A, DatabaseStartError> =>
  Effect.try({
    try: work,
    catch: (cause) => startFailure(cause instanceof Error ? cause.message : String(cause))
  })

const CURRENT_DIRECTORY = "/proc/self/cwd"
const usesCurrentDirectory = databaseAccount !== undefined && process.platform === "linux"

const giveToDatabase = (folder: string): void => {
  if (databaseAccount !== undefined) chownSync(folder, databaseAccount.uid, databaseAccount.gid)
}

/**
 * A folder for the socket if the cluster's path is too long. Its name is derived from that path, so
 * every process finds the same folder.
 */
const shortSocketFolder = (folder: string): string => {
  const owner = databaseAccount?.uid ?? process.getuid?.() ?? 0
  const short = join(tmpdir(), `repayment-${createHash("sha256").update(folder).digest("hex").slice(0, 16)}-${owner}`)
  if (!existsSync(short)) {
    mkdirSync(short, { mode: 0o700 })
    giveToDatabase(short)
  }
  const { mode, uid } = lstatSync(short)
  if (uid !== owner || (mode & 0o077) !== 0)
    throw new Error(`${short} belongs to another account; set DATA_DIR to a shorter path`)
  return short
}

const describe = (folder: string): Cluster => {
  const fits = Buffer.byteLength(join(folder, SOCKET_NAME)) <= MAX_SOCKET_BYTES
  const socketFolder = fits ? folder : shortSocketFolder(folder)
  return {
    folder,
    socketFolder,
    socketPath: join(socketFolder, SOCKET_NAME),
    folderForServer: usesCurrentDirectory ? CURRENT_DIRECTORY : folder,
    socketFolderForServer: usesCurrentDirectory && fits ? CURRENT_DIRECTORY : socketFolder
  }
}

/**
 * The failure of initdb, with the last lines of its standard error. Lines about its cleanup, which
 * follow the cause, are left out.
 */
const initdbFailure = (errors: string, output: string, otherwise: string) => {
  const linesOf = (text: string) => text.split("\n").filter((line) => line.trim() !== "")
  const lines = linesOf(errors).length > 0 ? linesOf(errors) : linesOf(output)
  const causes = lines.filter((line) => !CLEANUP_LINE.test(line)).slice(-MAX_LINES)
  const reason = causes.join(" / ").slice(-MAX_FAILURE_CHARACTERS) || otherwise
  const hint = reason.includes("effective user ID") ? "; run as an account of /etc/passwd, or set DATABASE_URL" : ""
  return startFailure(`${reason}${hint}`)
}

const runInitdb = (initdb: string, folder: string, durable: boolean) =>
  Effect.callback<void, DatabaseStartError>((resume) => {
    const where = usesCurrentDirectory ? CURRENT_DIRECTORY : folder
    const options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-instructions"]
    execFile(
      initdb,
      ["-D", where, ...options, ...(durable ? [] : ["--no-sync"])],
      {
        ...databaseAccount,
        cwd: folder,
        timeout: INITDB_MILLISECONDS,
        env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" }
      },
      (error, out, err) => resume(error === null ? Effect.void : Effect.fail(initdbFailure(err, out, error.message)))
    )
  })

/** The name of a draft (an unfinished cluster), which nobody gives to a database by hand. */
const DRAFT = /^draft\.(\d+)\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/**
 * Removes drafts of dead processes, by the pid in the name. This process has no draft yet, so a
 * draft with its pid is from an earlier process.
 */
const removeOldDrafts = (home: string): void => {
  for (const name of readdirSync(home)) {
    const pid = DRAFT.exec(name)?.[1]
    const abandoned = pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)))
    if (abandoned) rmSync(join(home, name), { recursive: true, force: true })
  }
}

/** Refuses to create a cluster if one was moved aside, because the service would look empty. */
const refuseMovedCluster = (home: string): void => {
  const moved = readdirSync(home).find((name) => !DRAFT.test(name) && existsSync(join(home, name, "PG_VERSION")))
  if (moved !== undefined)
    throw new Error(
      `${join(home, "data")} has no database, but ${moved} beside it has one; rename that to data, or move it elsewhere to start with an empty database`
    )
}

/** The new name is on disk before the database records anything. */
const syncFolder = (folder: string): void => {
  const opened = openSync(folder, "r")
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

const moveIntoPlace = (draft: string, home: string, folder: string): void => {
  try {
    renameSync(draft, folder)
    syncFolder(home)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process has created the cluster in the meantime. That one is used.
    if (!existsSync(join(folder, "PG_VERSION"))) throw error
  }
}

/**
 * Opens the cluster below `home`. The first call creates it; if that call is killed, the next one
 * starts over.
 */
export const openCluster = Effect.fnUntraced(function* (home: string, initdb: string, durable: boolean) {
  const folder = resolve(home, "data")
  yield* attempt(() => mkdirSync(home, { recursive: true, mode: 0o700 }))
  if (!(yield* attempt(() => existsSync(join(folder, "PG_VERSION"))))) {
    const draft = resolve(home, `draft.${process.pid}.${randomUUID()}`)
    yield* attempt(() => {
      refuseMovedCluster(home)
      removeOldDrafts(home)
      mkdirSync(draft, { mode: 0o700 })
      giveToDatabase(draft)
    })
    yield* Effect.logInfo(`Making a database in ${home}, once; this takes a few seconds`)
    yield* runInitdb(initdb, draft, durable)
    yield* attempt(() => moveIntoPlace(draft, home, folder))
  }
  const version = yield* attempt(() => readFileSync(join(folder, "PG_VERSION"), "utf8").trim())
  if (version !== MAJOR_VERSION) {
    return yield* startFailure(
      `${folder} was written by PostgreSQL ${version} and this is ${MAJOR_VERSION}; set DATABASE_URL, or another DATA_DIR`
    )
  }
  return yield* attempt(() => describe(folder))
})

/**
 * A PostgreSQL of this system for a task: clusters in folders of their own, on the loopback, ended
 * in whatever way the task wants. As root, the programs run under the account of the embedded
 * server.
 */
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Pool } from "pg"
import { databaseAccount } from "../src/database/embedded/binaries.ts"
import { childrenOf } from "../test/support/procfs.ts"
import { type Command, PATH, startProgram } from "../test/support/programs.ts"
import { until } from "../test/support/until.ts"
import { atEnd, insist, run, temporaryFolder } from "./harness.ts"

/** Debian's place for the oldest version that the service takes; POSTGRES_BIN names another. */
export const PROGRAMS = process.env["POSTGRES_BIN"] ?? "/usr/lib/postgresql/15/bin"

const READY_SECONDS = 60

/** A folder for the clusters of a task, which the account of the server can enter. */
export const clustersFolder = (name: string): string => {
  insist(
    existsSync(join(PROGRAMS, "pg_basebackup")),
    `no PostgreSQL in ${PROGRAMS}: install one (Debian: postgresql-15), or set POSTGRES_BIN`
  )
  const folder = temporaryFolder(name)
  chmodSync(folder, 0o711)
  return folder
}

/** A folder that belongs to the account of the server. */
export const serversFolder = (path: string): string => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (databaseAccount !== undefined) chownSync(path, databaseAccount.uid, databaseAccount.gid)
  return path
}

const variablesIn = (folder: string) => ({ PATH: `${PROGRAMS}:${PATH}`, LC_ALL: "C.UTF-8", HOME: folder })

/** Runs a program under the account of the server to its end; resolves with what it printed. */
export const runAsServer = async (folder: string, command: Command, env: Readonly<Record<string, string>> = {}) =>
  (await run(command, { ...databaseAccount, cwd: folder, env: { ...variablesIn(folder), ...env } })).trim()

/** Starts a program under the account of the server, until it is stopped. */
export const startAsServer = (folder: string, command: Command) =>
  startProgram(command, { account: databaseAccount, folder, variables: variablesIn(folder) })

export const psql = async (url: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const options = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", `--dbname=${url}`]
  return (await run([join(PROGRAMS, "psql"), ...options, ...args])).trim()
}

/** Runs statements in a session of its own. */
export const inDatabase = async <A>(connectionString: string, work: (pool: Pool) => Promise<A>): Promise<A> => {
  const pool = new Pool({ connectionString, max: 1 })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/** What a server answers to a question; empty while it cannot be asked. */
const answerOf = (url: string, question: string): Promise<string> =>
  psql(url, `--command=SELECT ${question}`).catch(() => "")

/** Waits until a server answers a question with yes. */
export const untilTrue = (url: string, question: string) =>
  until(async () => (await answerOf(url, question)) === "t", READY_SECONDS)

/**
 * Makes the cluster of a folder that the account owns: empty, or a standby's copy of another
 * server.
 */
export const makeCluster = async (home: string, primary?: Server): Promise<string> => {
  const data = join(home, "data")
  const options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", `--pgdata=${data}`]
  await (primary === undefined
    ? runAsServer(home, ["initdb", ...options])
    : runAsServer(home, [
        "pg_basebackup",
        `--dbname=${primary.administrators}`,
        `--pgdata=${data}`,
        "-R",
        "-c",
        "fast"
      ]))
  return data
}

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It ended in the meantime.
  }
}

/** Starts the server of a cluster and waits until it answers `ready` with yes. */
export const startServer = async (
  home: string,
  port: number,
  { ready = "NOT pg_is_in_recovery()", settings = [] as ReadonlyArray<string> } = {}
) => {
  const data = join(home, "data")
  const own = ["listen_addresses=127.0.0.1", `port=${port}`, `unix_socket_directories=${home}`]
  const all = [...own, "log_min_messages=fatal", ...settings].flatMap((setting) => ["-c", setting])
  const program = startAsServer(home, ["postgres", "-D", data, ...all])
  const url = (role: string, database: string) => `postgres://${role}@127.0.0.1:${port}/${database}`
  const administrators = url("postgres", "postgres")
  /** As when the machine is lost: every process is killed at once, and the data are gone. */
  const destroy = async () => {
    if (!program.isRunning()) return
    for (const pid of [...childrenOf(program.pid), program.pid]) kill(pid)
    await program.exit
    rmSync(data, { recursive: true, maxRetries: 20 })
  }
  atEnd(destroy)
  await Promise.race([
    untilTrue(administrators, ready),
    program.exit.then(() => insist(false, `no server on ${data}: ${program.log()}`))
  ])
  return { port, administrators, url, stop: () => program.kill("SIGINT"), destroy }
}

export type Server = Awaited<ReturnType<typeof startServer>>

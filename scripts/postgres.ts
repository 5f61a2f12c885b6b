/**
 * Database clusters of the system's PostgreSQL, for tasks. Each cluster has its own folder, listens
 * on the loopback interface, and can be stopped or destroyed. As root, PostgreSQL's programs run
 * under the account of the embedded server.
 */
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Pool } from "pg"
import { databaseAccount } from "../src/database/index.ts"
import { childrenOf } from "../test/support/procfs.ts"
import { type Command, PATH, startProgram } from "../test/support/programs.ts"
import { until } from "../test/support/until.ts"
import { atEnd, insist, run, temporaryFolder } from "./harness.ts"

/** Debian's folder for the oldest supported version; POSTGRES_BIN overrides it. */
export const PROGRAMS = process.env["POSTGRES_BIN"] ?? "/usr/lib/postgresql/15/bin"

const READY_SECONDS = 60

/** A folder for the clusters of a task, which the server's account can enter. */
export const clustersFolder = (name: string): string => {
  insist(
    existsSync(join(PROGRAMS, "pg_basebackup")),
    `no PostgreSQL in ${PROGRAMS}: install one (Debian: postgresql-15), or set POSTGRES_BIN`
  )
  const folder = temporaryFolder(name)
  chmodSync(folder, 0o711)
  return folder
}

/** A folder that the server's account owns. */
export const serversFolder = (path: string): string => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (databaseAccount !== undefined) chownSync(path, databaseAccount.uid, databaseAccount.gid)
  return path
}

const variablesIn = (folder: string) => ({ PATH: `${PROGRAMS}:${PATH}`, LC_ALL: "C.UTF-8", HOME: folder })

/** Runs a program to its end under the server's account; resolves with its output. */
export const runAsServer = async (folder: string, command: Command, env: Readonly<Record<string, string>> = {}) =>
  (await run(command, { ...databaseAccount, cwd: folder, env: { ...variablesIn(folder), ...env } })).trim()

export const startAsServer = (folder: string, command: Command) =>
  startProgram(command, { account: databaseAccount, folder, variables: variablesIn(folder) })

export const psql = async (url: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const options = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", `--dbname=${url}`]
  return (await run([join(PROGRAMS, "psql"), ...options, ...args])).trim()
}

export const inDatabase = async <A>(connectionString: string, work: (pool: Pool) => Promise<A>): Promise<A> => {
  const pool = new Pool({ connectionString, max: 1 })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/** The result of a SELECT; empty while the server is unreachable. */
const answerOf = (url: string, question: string): Promise<string> =>
  psql(url, `--command=SELECT ${question}`).catch(() => "")

/** Waits until a boolean SELECT returns true. */
export const untilTrue = (url: string, question: string) =>
  until(async () => (await answerOf(url, question)) === "t", READY_SECONDS)

/**
 * Creates a cluster in a folder that the server's account owns: empty, or a standby's copy of a
 * primary.
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
    // It has already ended.
  }
}

/** Starts the server of a cluster and waits until the condition `ready` is true. */
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
  /** Simulates the loss of the machine: kills every process and deletes the data. */
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

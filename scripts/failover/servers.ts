/**
 * A primary and its synchronous standby, of the system's own PostgreSQL programs, on two ports of this machine: killed,
 * promoted and built anew, as whoever looks after such a pair would do it. Ends the processes that it started and no others.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { Pool } from "pg"

export const PROGRAMS = "/usr/lib/postgresql/15/bin"

/** PostgreSQL refuses to run as root; then it runs as whoever owns its own account's folder. */
const ACCOUNT = ((home) => (process.getuid?.() === 0 ? { uid: home.uid, gid: home.gid } : {}))(
  statSync("/var/lib/postgresql")
)
const WAIT_MILLIS = 60_000
const POLL_MILLIS = 50

/** A commit waits until the standby, whichever it is, has it on its disk too. */
const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
synchronous_standby_names = '*'
synchronous_commit = on
shared_buffers = 32MB
`

export interface Server {
  readonly port: number
  readonly folder: string
  readonly child: ChildProcess
}

const run = (program: string, args: ReadonlyArray<string>) =>
  promisify(execFile)(join(PROGRAMS, program), args, { ...ACCOUNT, cwd: "/", env: { LC_ALL: "C.UTF-8" } })

export const ask = async <Row extends object>(port: number, statement: string): Promise<ReadonlyArray<Row>> => {
  const pool = new Pool({ host: "127.0.0.1", port, user: "postgres", database: "postgres", max: 1 })
  // A server that is killed while nothing is asked of it.
  pool.on("error", () => undefined)
  try {
    return (await pool.query<Row>(statement)).rows
  } finally {
    await pool.end()
  }
}

/** Asks again until the answer is true; a server that is not up yet has not answered. */
const until = async (port: number, question: string): Promise<void> => {
  const late = performance.now() + WAIT_MILLIS
  for (;;) {
    const [row] = await ask<{ readonly yes: boolean }>(port, `SELECT ${question} AS yes`).catch(() => [])
    if (row?.yes === true) return
    if (performance.now() > late) throw new Error(`the server at port ${port} never said: ${question}`)
    await setTimeout(POLL_MILLIS)
  }
}

const newFolder = (home: string, port: number): string => {
  const folder = join(home, `${port}-${Date.now()}`)
  mkdirSync(folder, { mode: 0o700 })
  if (ACCOUNT.uid !== undefined) chownSync(folder, ACCOUNT.uid, ACCOUNT.gid)
  return folder
}

const start = (folder: string, port: number): Server => ({
  port,
  folder,
  child: spawn(join(PROGRAMS, "postgres"), ["-D", folder, "-p", String(port)], {
    ...ACCOUNT,
    cwd: folder,
    env: { LC_ALL: "C.UTF-8" },
    stdio: "ignore"
  })
})

export const newPrimary = async (home: string, port: number): Promise<Server> => {
  const folder = newFolder(home, port)
  await run("initdb", ["-D", folder, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-instructions"])
  appendFileSync(join(folder, "postgresql.conf"), SETTINGS)
  const server = start(folder, port)
  await until(port, "true")
  return server
}

/** A copy of the primary that follows it; returns once commits wait for it. */
export const newStandby = async (home: string, port: number, primary: Server): Promise<Server> => {
  const folder = newFolder(home, port)
  const from = ["-h", "127.0.0.1", "-p", String(primary.port), "-U", "postgres"]
  await run("pg_basebackup", ["-D", folder, ...from, "-R", "-X", "stream", "-c", "fast"])
  const server = start(folder, port)
  await until(primary.port, "EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')")
  return server
}

export const promote = async ({ port }: Server): Promise<void> => {
  await ask(port, "SELECT pg_promote()")
  await until(port, "NOT pg_is_in_recovery()")
}

/** Processes that another has started. */
const childrenOf = (pid: number): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return Number(readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)!.split(" ")[1]) === pid
      } catch {
        return false
      }
    })
    .map(Number)

/** All processes of the server at once, as when its machine loses power. */
export const kill = async ({ child, folder }: Server): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, "exit")
  const pids = [child.pid!, ...childrenOf(child.pid!)]
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL")
    } catch {
      // It ended by itself meanwhile.
    }
  }
  await gone
  rmSync(folder, { recursive: true, force: true })
}

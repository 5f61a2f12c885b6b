/**
 * A PgBouncer in transaction mode in front of a server, for runs of the tests. It is the
 * system's own program and runs each transaction in any free session.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { databaseAccount } from "../../src/database/embedded/binaries.ts"
import { freePort } from "./freePort.ts"

const PROGRAM = "/usr/sbin/pgbouncer"
const hasPooler = existsSync(PROGRAM)
const START_MILLIS = 5000
const POLL_MILLIS = 20

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    const settle = (listening: boolean) => {
      socket.destroy()
      resolve(listening)
    }
    socket.once("connect", () => settle(true)).once("error", () => settle(false))
  })

/** The pooler starts in the socket's folder: its account may not be able to enter the parents. */
const SOCKET_FOLDER = "/proc/self/cwd"

/** Forwards every database of the server under the server's own user. */
const configuration = (server: URL, port: number, folder: string, sessions: number): string => `
[databases]
* = host=${server.searchParams.has("host") ? SOCKET_FOLDER : server.hostname} port=${server.port || 5432} auth_user=${server.username}
[pgbouncer]
pool_mode = transaction
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users
max_client_conn = 2000
default_pool_size = ${sessions}
server_idle_timeout = 5
server_login_retry = 0
log_connections = 0
log_disconnections = 0
`

/** Starts a pooler with a number of sessions per database. `urlOf` gives addresses through it. */
export const openPooler = async (address: string, sessions: number) => {
  if (!hasPooler) throw new Error(`${PROGRAM} is not there: install pgbouncer`)
  const server = new URL(address)
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), "repayment-pooler-"))
  writeFileSync(join(folder, "users"), `"${server.username}" "${server.password}"\n`)
  writeFileSync(join(folder, "pooler.ini"), configuration(server, port, folder, sessions))
  chmodSync(folder, 0o700)
  if (databaseAccount !== undefined) {
    for (const path of [folder, join(folder, "users")]) chownSync(path, databaseAccount.uid, databaseAccount.gid)
    chownSync(join(folder, "pooler.ini"), databaseAccount.uid, databaseAccount.gid)
  }
  const how = { ...databaseAccount, cwd: server.searchParams.get("host") ?? folder, stdio: "inherit" } as const
  const child = spawn(PROGRAM, ["--quiet", join(folder, "pooler.ini")], how)
  const gone = once(child, "exit")
  const until = performance.now() + START_MILLIS
  while (!(await isListening(port))) {
    if (child.exitCode !== null || performance.now() > until) throw new Error(`${PROGRAM} does not listen`)
    await setTimeout(POLL_MILLIS)
  }
  return {
    pid: child.pid!,
    urlOf: (database: string): string => {
      const { pathname, username } = new URL(database)
      return `postgres://${username}@127.0.0.1:${port}${pathname}`
    },
    close: async () => {
      child.kill("SIGKILL")
      await gone
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

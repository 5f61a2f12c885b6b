/**
 * A PostgreSQL of this system for a drill: a cluster in a folder of its own, on the loopback, ended in whatever way the
 * drill wants. Runs, as root, under the account of the embedded server. Its scripts are those of deploy/drills, as they are.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { databaseAccount } from "../../src/database/embedded/binaries.ts"
import { PATH } from "../programs.ts"

const run = promisify(execFile)

/** Debian's place for the oldest version that the service takes; POSTGRES_BIN names another. */
export const PROGRAMS = process.env["POSTGRES_BIN"] ?? "/usr/lib/postgresql/15/bin"

const READY_MILLIS = 30_000
const COMMAND_MILLIS = 120_000
const POLL_MILLIS = 50
const MOST_WORDS_SHOWN = 4000

const how = (folder: string, variables: Readonly<Record<string, string>> = {}) => ({
  ...databaseAccount,
  cwd: folder,
  env: { PATH: `${PROGRAMS}:${PATH}`, LC_ALL: "C.UTF-8", HOME: folder, ...variables }
})

/** A folder that belongs to the account of the server. */
export const serversFolder = (path: string): string => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (databaseAccount !== undefined) chownSync(path, databaseAccount.uid, databaseAccount.gid)
  return path
}

/** Programs of the account that still run; whatever ends the drill ends them. */
const programs = new Set<ChildProcess>()
process.on("exit", () => {
  for (const program of programs) program.kill("SIGKILL")
})

/** Runs until it is stopped; a script is read by the shell, for the account may not reach its file. */
const launch = (command: string, args: ReadonlyArray<string>, folder: string, script?: string) => {
  const program = spawn(command, args, { ...how(folder), stdio: ["pipe", "ignore", "pipe"] })
  programs.add(program)
  let said = ""
  program.stderr.on("data", (words) => (said = `${said}${words}`.slice(-MOST_WORDS_SHOWN)))
  const gone = once(program, "exit").finally(() => programs.delete(program))
  program.stdin.end(script ?? "")
  const stop = async (signal: NodeJS.Signals) => {
    program.kill(signal)
    await gone
  }
  return { stop, said: () => said, isRunning: () => program.exitCode === null && program.signalCode === null }
}

const scriptOf = (name: string): string => readFileSync(join("deploy/drills", name), "utf8")

/** One of deploy/drills as the account of the server; what it printed. */
export const drillScript = async (
  folder: string,
  name: string,
  args: ReadonlyArray<string>,
  variables: Readonly<Record<string, string>> = {}
): Promise<string> => {
  const child = run("sh", ["-s", "--", ...args], { ...how(folder, variables), timeout: COMMAND_MILLIS })
  child.child.stdin?.end(scriptOf(name))
  return (await child).stdout.trim()
}

/** The one that does not end by itself. */
export const startScript = (folder: string, name: string, args: ReadonlyArray<string>) =>
  launch("sh", ["-s", "--", ...args], folder, scriptOf(name))

export const psql = async (url: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const options = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", `--dbname=${url}`]
  const { stdout } = await run(join(PROGRAMS, "psql"), [...options, ...args], { timeout: COMMAND_MILLIS })
  return stdout.trim()
}

/** An empty cluster. */
export const makeCluster = async (folder: string): Promise<string> => {
  const data = join(serversFolder(folder), "data")
  const options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", `--pgdata=${data}`]
  await run(join(PROGRAMS, "initdb"), options, { ...how(folder), timeout: COMMAND_MILLIS })
  return data
}

/** Starts a server and waits until it is past its recovery. */
export const startServer = async (folder: string, port: number) => {
  const data = join(folder, "data")
  const settings = ["listen_addresses=127.0.0.1", `port=${port}`, `unix_socket_directories=${folder}`]
  const args = ["-D", data, ...settings.flatMap((setting) => ["-c", setting]), "-c", "log_min_messages=fatal"]
  const server = launch(join(PROGRAMS, "postgres"), args, folder)
  const url = (role: string, database: string) => `postgres://${role}@127.0.0.1:${port}/${database}`
  const administrators = url("postgres", "postgres")
  const begun = performance.now()
  for (;;) {
    const state = await psql(administrators, "--command=SELECT pg_is_in_recovery()").catch(() => "")
    if (state === "f") break
    if (!server.isRunning() || performance.now() - begun > READY_MILLIS) {
      throw new Error(`no server on ${data}: ${server.said()}`)
    }
    await setTimeout(POLL_MILLIS)
  }
  return {
    administrators,
    url,
    stop: () => server.stop("SIGINT"),
    /** As when the machine is lost: the server is killed, and its data are gone. */
    destroy: async () => {
      await server.stop("SIGKILL")
      await setTimeout(POLL_MILLIS)
      rmSync(data, { recursive: true, maxRetries: 20 })
    }
  }
}

export type Server = Awaited<ReturnType<typeof startServer>>

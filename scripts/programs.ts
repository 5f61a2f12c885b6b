/**
 * Programs that a script starts on a port of this machine and stops again: the service with its real main on a data
 * folder of its own, and whatever else listens. Ends nothing that it has not started.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { globSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { setTimeout } from "node:timers/promises"
import { freePort } from "../test/support/freePort.ts"

export const PROJECT = resolve(import.meta.dirname, "..")

/** The Node that runs the script, first on the path of everything that is started. */
export const PATH = `${dirname(process.execPath)}:${process.env["PATH"]}`

const START_MILLIS = 60_000
const STOP_MILLIS = 25_000
const POLL_MILLIS = 20
const MOST_WORDS_SHOWN = 4000

type Variables = Readonly<Record<string, string>>

export interface Listening {
  readonly base: string
  readonly pid: number
  /** From the start to the first answer. */
  readonly startSeconds: number
  /** Asks the program to end, insists after a while, and resolves with its exit code; null if a signal ended it. */
  readonly stop: () => Promise<number | null>
}

interface RunningService extends Listening {
  /** Address of its embedded database. */
  readonly databaseUrl: () => string
}

/** A program and all that it has started: each has a process group of its own, as under a terminal. */
const signal = ({ pid }: ChildProcess, name: NodeJS.Signals): void => {
  if (pid !== undefined) process.kill(-pid, name)
}

/** Whatever ends this process ends the programs that it started, an interrupt at the terminal too. */
const programs = new Set<ChildProcess>()
process.on("exit", () => {
  for (const program of programs) signal(program, "SIGTERM")
})
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => process.exit(1))

const stopped = async (program: ChildProcess): Promise<number | null> => {
  if (program.exitCode === null && program.signalCode === null) {
    const gone = once(program, "exit")
    signal(program, "SIGTERM")
    const late = new AbortController()
    setTimeout(STOP_MILLIS, undefined, { signal: late.signal }).then(
      () => signal(program, "SIGKILL"),
      () => undefined
    )
    await gone
    late.abort()
  }
  return program.exitCode
}

const isAnswered = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false
  )

/** Starts a program and waits until something answers at `base`; its words are shown only if it does not come up, and go to `hear`. */
export const startListening = async (
  base: string,
  [command, ...args]: readonly [string, ...ReadonlyArray<string>],
  variables: Variables,
  folder = PROJECT,
  hear: (words: string) => void = () => undefined
): Promise<Listening> => {
  const started = performance.now()
  const program = spawn(command, args, {
    cwd: folder,
    env: { PATH, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true
  })
  programs.add(program)
  program.once("exit", () => programs.delete(program))
  let said = ""
  for (const stream of [program.stdout, program.stderr])
    stream.on("data", (chunk) => (said = `${said}${chunk}`.slice(-MOST_WORDS_SHOWN)))
  program.stdout.setEncoding("utf8").on("data", hear)
  const stop = () => stopped(program)
  while (performance.now() - started < START_MILLIS && program.exitCode === null) {
    if (await isAnswered(`${base}/health`)) {
      return { base, pid: program.pid!, startSeconds: (performance.now() - started) / 1000, stop }
    }
    await setTimeout(POLL_MILLIS)
  }
  await stop()
  throw new Error(`nothing answers at ${base}: ${[command, ...args].join(" ")} said ${said}`)
}

/** Address of the embedded server whose data lie somewhere below a folder. */
const embeddedUrl = (dataDir: string): string => {
  const [socket] = globSync(join(dataDir, "**", ".s.PGSQL.*")).filter((found) => !found.endsWith(".lock"))
  if (socket === undefined) throw new Error(`no database socket below ${dataDir}`)
  return `postgres://postgres@localhost/postgres?host=${encodeURIComponent(dirname(socket))}`
}

/** The service on a random port, with an embedded database that is deleted afterwards. */
export const startService = async (variables: Variables, hear?: (words: string) => void): Promise<RunningService> => {
  const dataDir = mkdtempSync(join(tmpdir(), "repayment-script-"))
  const port = await freePort()
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  const settings = { HOST: "127.0.0.1", PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: "warn", LOG_FORMAT: "json" }
  try {
    const command = [process.execPath, "src/main.ts"] as const
    const all = { ...settings, ...variables }
    const service = await startListening(`http://127.0.0.1:${port}`, command, all, PROJECT, hear)
    return { ...service, databaseUrl: () => embeddedUrl(dataDir), stop: () => service.stop().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}

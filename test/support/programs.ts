/**
 * Programs as separate processes: the service as an operator starts it, and other programs. Tests
 * and scripts share this starter. When this process ends, so do the programs that it started.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { globSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import type { Readable } from "node:stream"
import { freePort } from "./freePort.ts"

export const PROJECT = resolve(import.meta.dirname, "../..")

/** Started programs use the same Node as this process. */
export const PATH = `${dirname(process.execPath)}:${process.env["PATH"]}`

const START_MILLIS = 60_000
const STOP_MILLIS = 25_000
/** Characters of output to keep if `onOutput` receives it too. */
const MAX_KEPT = 20_000

export type Variables = Readonly<Record<string, string>>
export type Command = readonly [string, ...ReadonlyArray<string>]

interface How {
  readonly variables?: Variables
  readonly folder?: string
  /** The account to run it under, if not this process's. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
  readonly onOutput?: ((text: string) => void) | undefined
}

const running = new Set<ChildProcess>()

/**
 * Signals a program and all its children: each program has its own process group, as under a shell.
 */
const signalGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // It has already ended.
  }
}

export const killPrograms = (): void => {
  for (const child of running) signalGroup(child, "SIGKILL")
}

let isWatched = false
const endWithThisProcess = (): void => {
  if (isWatched) return
  isWatched = true
  process.on("exit", () => {
    for (const child of running) signalGroup(child, "SIGTERM")
  })
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1))
}

const collect = (stream: Readable, max = Number.POSITIVE_INFINITY): (() => string) => {
  let text = ""
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    text = (text + chunk).slice(-max)
  })
  return () => text
}

/** Starts a program whose environment contains only `variables` and PATH. */
export const startProgram = (
  [command, ...args]: Command,
  { account, folder = PROJECT, onOutput, variables = {} }: How = {}
) => {
  const started = performance.now()
  const child = spawn(command, args, {
    ...account,
    cwd: folder,
    env: { PATH, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true
  })
  endWithThisProcess()
  running.add(child)
  const output = collect(child.stdout, onOutput === undefined ? undefined : MAX_KEPT)
  const errors = collect(child.stderr)
  if (onOutput !== undefined) child.stdout.on("data", onOutput)
  const exit = new Promise<{ readonly code: number | null; readonly seconds: number }>((ended, failed) => {
    child.once("error", failed)
    child.once("exit", (code) => {
      running.delete(child)
      ended({ code, seconds: (performance.now() - started) / 1000 })
    })
  })
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    child,
    pid: child.pid!,
    exit,
    isRunning,
    output,
    errors,
    log: () => output() + errors(),
    /** Signals only the program, not its children; resolves with its exit code. */
    kill: async (signal: NodeJS.Signals): Promise<number | null> => {
      child.kill(signal)
      return (await exit).code
    },
    /**
     * Sends SIGTERM to the program and its children, and SIGKILL after a while; resolves with the
     * exit code.
     */
    stop: async (): Promise<number | null> => {
      if (!isRunning()) return child.exitCode
      signalGroup(child, "SIGTERM")
      const late = setTimeout(() => signalGroup(child, "SIGKILL"), STOP_MILLIS)
      const { code } = await exit
      clearTimeout(late)
      return code
    }
  }
}

export type Program = ReturnType<typeof startProgram>

export interface Listening extends Program {
  readonly base: string
}

/** Waits until a program prints its address, and stops one that does not. */
export const untilListening = async (program: Program): Promise<Listening> => {
  const { child, exit, log, output, stop } = program
  const base = await new Promise<string | undefined>((resolve) => {
    const late = setTimeout(resolve, START_MILLIS, undefined)
    const settle = (found?: string) => {
      clearTimeout(late)
      resolve(found)
    }
    child.stdout.on("data", () => {
      const [, found] = /listening on (\S+)\n/.exec(output()) ?? []
      if (found !== undefined) settle(found)
    })
    void exit.then(
      () => settle(),
      () => settle()
    )
  })
  if (base !== undefined) return { ...program, base }
  await stop()
  throw new Error(`${child.spawnargs.join(" ")} does not listen: ${log()}`)
}

/** The command that starts the service of a checkout. */
export const SERVICE: Command = [process.execPath, "src/main.ts"]

/** Address of the embedded server with its data below a folder. */
const embeddedUrl = (dataDir: string): string => {
  const [socket] = globSync(join(dataDir, "**", ".s.PGSQL.*")).filter((found) => !found.endsWith(".lock"))
  if (socket === undefined) throw new Error(`no database socket below ${dataDir}`)
  return `postgres://postgres@localhost/postgres?host=${encodeURIComponent(dirname(socket))}`
}

/** Starts the service on a free port. Its data folder is temporary unless DATA_DIR is given. */
export const startService = async (
  { DATA_DIR, ...variables }: Variables = {},
  { command = SERVICE, ...how }: Omit<How, "variables"> & { readonly command?: Command } = {}
) => {
  const dataDir = DATA_DIR ?? mkdtempSync(join(tmpdir(), "repayment-service-"))
  const settings = { HOST: "127.0.0.1", PORT: String(await freePort()), LOG_LEVEL: "warn", LOG_FORMAT: "json" }
  const program = startProgram(command, { ...how, variables: { ...settings, DATA_DIR: dataDir, ...variables } })
  const stop = async () => {
    const code = await program.stop()
    if (DATA_DIR === undefined) rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
    return code
  }
  const listening = await untilListening({ ...program, stop })
  return { ...listening, databaseUrl: () => embeddedUrl(dataDir) }
}

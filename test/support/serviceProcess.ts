/**
 * The service as a process of its own, started as an operator starts it and ended in whatever way a test wants. Keeps
 * what every process of the file wrote, so that the logs can be searched at the end. Asserts nothing.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import type { Readable } from "node:stream"
import { afterAll } from "vitest"
import { COMPILED } from "./compiled.ts"
import { wayTo } from "./database.ts"
import { type Call, callerOf, mintOver } from "./runningService.ts"
import { NO_LIMITS, TEST_PEPPER, TEST_SERVER } from "./settings.ts"

export interface ServiceProcess {
  readonly base: string
  readonly port: number
  readonly pid: number
  readonly isRunning: () => boolean
  readonly log: () => string
  readonly call: Call
  /** A new sandbox key of a new address. */
  readonly mint: () => Promise<string>
  readonly kill: (signal: NodeJS.Signals) => Promise<number | null>
}

const START_SECONDS = 25
const written: Array<() => string> = []
const running = new Set<ChildProcess>()
/** What was sent or received by the tests of this file and may not be in any log. */
const secrets = new Set<string>([TEST_PEPPER])

export const mayNotBeLogged = (secret: string): void => void secrets.add(secret)

/** Everything that the processes of this file wrote, and which secrets stand in it. */
export const searchedLogs = (): { readonly characters: number; readonly leaked: ReadonlyArray<string> } => {
  const all = written.map((log) => log()).join("\n")
  return { characters: all.length, leaked: [...secrets].filter((secret) => all.includes(secret)) }
}

export const killServiceProcesses = (): void => {
  for (const child of running) child.kill("SIGKILL")
}
afterAll(killServiceProcesses)

const collect = (stream: Readable): (() => string) => {
  let text = ""
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk
  })
  return () => text
}

/** A process that has been started and may still be far from listening, or never get there. */
export const spawnService = (variables: Readonly<Record<string, string>>) => {
  const started = performance.now()
  const { PATH = "" } = process.env
  const fixed = { PATH, PORT: "0", SECRET_PEPPER: TEST_PEPPER, LOG_FORMAT: "json" }
  const { DATABASE_URL: database } = variables
  const way = database === undefined ? {} : { DATABASE_URL: wayTo(database) }
  const environment = { ...fixed, ...COMPILED, ...TEST_SERVER, ...NO_LIMITS, ...variables, ...way }
  const child = spawn(process.execPath, ["src/main.ts"], { env: environment, stdio: ["ignore", "pipe", "pipe"] })
  running.add(child)
  const output = collect(child.stdout)
  const errors = collect(child.stderr)
  const log = () => output() + errors()
  written.push(log)
  const exit = new Promise<{ readonly code: number | null; readonly seconds: number }>((resolve) =>
    child.once("exit", (code) => {
      running.delete(child)
      resolve({ code, seconds: (performance.now() - started) / 1000 })
    })
  )
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    return (await exit).code
  }
  return { child, exit, kill, output, errors, log }
}

/** Starts the service and waits until it listens. */
export const startServiceProcess = async (variables: Readonly<Record<string, string>>): Promise<ServiceProcess> => {
  const { child, exit, kill, log, output } = spawnService(variables)
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const base = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not listening: ${log()}`)), START_SECONDS * 1000)
    const look = () => {
      const [, address] = /listening on (\S+)\n/.exec(output()) ?? []
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    }
    child.stdout.on("data", look)
    void exit.then(() => reject(new Error(`ended: ${log()}`)))
  })
  const call = callerOf(base)
  const mint = async () => {
    const { apiKey, email } = await mintOver(call)
    mayNotBeLogged(email)
    mayNotBeLogged(apiKey)
    return apiKey
  }
  return { base, port: Number(new URL(base).port), pid: child.pid!, isRunning, log, call, mint, kill }
}

const KIBIBYTE = 1024
const NANOS_PER_MILLI = 1_000_000

const procFile = (pid: number, name: string): string => {
  const file = `/proc/${pid}/${name}`
  return existsSync(file) ? readFileSync(file, "utf8") : ""
}

/** Memory of a process in bytes; undefined where the system does not tell. */
export const residentBytes = (pid: number): number | undefined => {
  const [, kibibytes] = /VmRSS:\s+(\d+) kB/.exec(procFile(pid, "status")) ?? []
  return kibibytes === undefined ? undefined : Number(kibibytes) * KIBIBYTE
}

const schedstat = (pid: number, field: 0 | 1): number =>
  Number(procFile(pid, "schedstat").split(" ")[field] ?? 0) / NANOS_PER_MILLI

/** How long the thread of a process that answers has run; 0 where the system does not tell. */
export const ranMillis = (pid: number): number => schedstat(pid, 0)

/** How long a process could have run and had to wait for a processor that others used; 0 where the system does not tell. */
export const delayedMillis = (pid: number): number => schedstat(pid, 1)

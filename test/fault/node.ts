/**
 * The service as a process of its own, started as an operator starts it and ended in whatever way a test wants. Keeps
 * what every process of the file wrote, so that the logs can be searched at the end. Asserts nothing.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { afterAll } from "vitest"
import { TEST_PEPPER } from "../support/database.ts"

export interface Ask {
  readonly key?: string
  readonly json?: unknown
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export interface Node {
  readonly base: string
  readonly port: number
  readonly pid: number
  readonly exit: Promise<number | null>
  readonly isRunning: () => boolean
  readonly log: () => string
  readonly call: (method: string, path: string, ask?: Ask) => Promise<Response>
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

afterAll(() => {
  for (const child of running) child.kill("SIGKILL")
})

/** Every request may come as often as it likes; nothing is limited unless a test says so. */
const UNLIMITED = Object.fromEntries(
  ["KEY", "MINT", "VERIFY", "KEYLESS", "REFERENCE", "CLAIM"].map((bucket) => [`RATE_LIMIT_${bucket}`, "off"])
)

const collect = (child: ChildProcess): (() => string) => {
  let text = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      text += chunk.toString()
    })
  }
  return () => text
}

const requestInit = ({ body, headers, json, key }: Ask): RequestInit => {
  const sent = json === undefined ? body : JSON.stringify(json)
  return {
    headers: {
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { "x-api-key": key }),
      ...headers
    },
    redirect: "manual",
    ...(sent === undefined ? {} : { body: sent as string | Uint8Array<ArrayBuffer> })
  }
}

const mint = async (call: Node["call"]): Promise<string> => {
  const email = `${crypto.randomUUID()}@example.org`
  const response = await call("POST", "/v1/keys/sandbox", { json: { email } })
  if (response.status !== 200) throw new Error(`no key: ${await response.text()}`)
  const { apiKey } = (await response.json()) as { apiKey: string }
  mayNotBeLogged(email)
  mayNotBeLogged(apiKey)
  return apiKey
}

/** A process that has been started and may still be far from listening, or never get there. */
export const spawnNode = (variables: Readonly<Record<string, string>>) => {
  const { PATH = "" } = process.env
  const environment = { PATH, PORT: "0", SECRET_PEPPER: TEST_PEPPER, LOG_FORMAT: "json", ...UNLIMITED, ...variables }
  const child = spawn(process.execPath, ["src/main.ts"], { env: environment, stdio: ["ignore", "pipe", "pipe"] })
  running.add(child)
  const log = collect(child)
  written.push(log)
  const exit = new Promise<number | null>((resolve) =>
    child.once("exit", (code) => {
      running.delete(child)
      resolve(code)
    })
  )
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exit
  }
  return { child, exit, kill, log }
}

/** Starts the service and waits until it listens. */
export const startNode = async (variables: Readonly<Record<string, string>>): Promise<Node> => {
  const { child, exit, kill, log } = spawnNode(variables)
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const base = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not listening: ${log()}`)), START_SECONDS * 1000)
    const look = () => {
      const [, address] = /listening on (\S+)\n/.exec(log()) ?? []
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    }
    child.stdout.on("data", look)
    void exit.then(() => reject(new Error(`ended: ${log()}`)))
  })
  const call: Node["call"] = async (method, path, ask = {}) => fetch(`${base}${path}`, { method, ...requestInit(ask) })
  return {
    base,
    port: Number(new URL(base).port),
    pid: child.pid!,
    exit,
    isRunning,
    log,
    call,
    mint: async () => mint(call),
    kill
  }
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

/** How long a process could have run and had to wait for a processor that others used; 0 where the system does not tell. */
export const delayedMillis = (pid: number): number =>
  Number(procFile(pid, "schedstat").split(" ")[1] ?? 0) / NANOS_PER_MILLI

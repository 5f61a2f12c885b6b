/**
 * Programs that a check starts on a port of this machine and stops again: the service with its real main on a data
 * folder of its own, and whatever else listens. Ends nothing that it has not started.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

export const PROJECT = resolve(import.meta.dirname, "../..")

const START_MILLIS = 60_000
const STOP_MILLIS = 25_000
const POLL_MILLIS = 50

export type Variables = Readonly<Record<string, string>>

export interface Listening {
  readonly base: string
  readonly stop: () => Promise<void>
}

export interface RunningService extends Listening {
  readonly dataDir: string
}

/** Whatever ends this process ends the programs that it started. */
const programs = new Set<ChildProcess>()
process.on("exit", () => {
  for (const program of programs) program.kill("SIGTERM")
})

const sleep = (millis: number) => new Promise((resume) => setTimeout(resume, millis))

export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, "127.0.0.1")
  await once(probe, "listening")
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, "close")
  return port
}

const stopped = async (program: ChildProcess): Promise<void> => {
  if (program.exitCode !== null || program.signalCode !== null) return
  const gone = once(program, "exit")
  program.kill("SIGTERM")
  const late = setTimeout(() => program.kill("SIGKILL"), STOP_MILLIS)
  await gone
  clearTimeout(late)
}

/** Starts a program and waits until something answers at `base`; its words are shown only if it does not come up. */
export const startListening = async (
  base: string,
  args: ReadonlyArray<string>,
  variables: Variables
): Promise<Listening> => {
  const program = spawn(process.execPath, [...args], {
    cwd: PROJECT,
    env: { PATH: process.env["PATH"], ...variables },
    stdio: ["ignore", "pipe", "pipe"]
  })
  programs.add(program)
  program.once("exit", () => programs.delete(program))
  let said = ""
  for (const stream of [program.stdout, program.stderr])
    stream.on("data", (chunk) => (said = `${said}${chunk}`.slice(-4000)))
  const stop = () => stopped(program)
  const deadline = performance.now() + START_MILLIS
  while (performance.now() < deadline && program.exitCode === null) {
    const answers = await fetch(`${base}/health`).then(
      () => true,
      () => false
    )
    if (answers) return { base, stop }
    await sleep(POLL_MILLIS)
  }
  await stop()
  throw new Error(`nothing answers at ${base}: ${args.join(" ")} said ${said}`)
}

/** The service on a random port, with an embedded database that is deleted afterwards. */
export const startService = async (variables: Variables): Promise<RunningService> => {
  const dataDir = mkdtempSync(join(tmpdir(), "openapi-"))
  const port = await freePort()
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  const settings = { HOST: "127.0.0.1", PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: "warn", LOG_FORMAT: "json" }
  try {
    const { base, stop } = await startListening(`http://127.0.0.1:${port}`, ["src/main.ts"], {
      ...settings,
      ...variables
    })
    return { base, dataDir, stop: () => stop().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}

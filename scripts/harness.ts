/**
 * The harness of the tasks: timed steps, programs that run to their end, and cleanup. A failed step
 * is reported and fails the task; the next step still runs. An error outside a step ends the task.
 */
import { type ExecFileOptions, execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Command, killPrograms, PATH, PROJECT, startService } from "../test/support/programs.ts"

export { type Command, PROJECT } from "../test/support/programs.ts"

const RUN_MILLIS = 300_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

const cleanups: Array<() => unknown> = []
let steps = 0
let failures = 0

/** Registers a cleanup that runs however the task ends; the last one registered runs first. */
export const atEnd = (cleanup: () => unknown): void => void cleanups.push(cleanup)

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const secondsSince = (begun: number): string => `${((performance.now() - begun) / 1000).toFixed(1)} s`

const report = (word: string, name: string, remark: string, begun: number): void =>
  say(`${word.padEnd(4)} ${name}${remark === "" ? "" : `: ${remark}`} (${secondsSince(begun)})`)

/** One check of a task. If `work` resolves with text, the report includes it. */
export const step = async (name: string, work: () => unknown): Promise<void> => {
  const begun = performance.now()
  steps++
  try {
    const remark = await work()
    report("ok", name, typeof remark === "string" ? remark : "", begun)
  } catch (error) {
    failures++
    report("FAIL", name, messageOf(error), begun)
  }
}

export const insist = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Error(otherwise)
}

/** Invalid arguments of a task. */
export class Misuse extends Error {}

const isMisuse = (error: unknown): boolean =>
  error instanceof Misuse || String((error as { readonly code?: unknown } | null)?.code).startsWith("ERR_PARSE_ARGS")

/** Runs a task and its cleanups; resolves with the exit code of the process. */
export const runTask = async (name: string, task: () => unknown): Promise<number> => {
  const begun = performance.now()
  try {
    await task()
  } catch (error) {
    if (isMisuse(error)) {
      console.error(messageOf(error))
      return 2
    }
    failures++
    console.error(`FAIL ${name}:`, error)
  } finally {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
    killPrograms()
  }
  if (steps > 0) say(`${name}: ${steps} steps, ${failures} failed (${secondsSince(begun)})`)
  return failures === 0 ? 0 : 1
}

/** A folder that is deleted at the end of the task. */
export const temporaryFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  return folder
}

/** Stops a program or other resource at the end of the task. */
export const stoppedAtEnd = async <A extends { readonly stop: () => unknown }>(starting: Promise<A>): Promise<A> => {
  const started = await starting
  atEnd(started.stop)
  return started
}

/** Starts the service; it runs until the end of the task. */
export const service = (...how: Parameters<typeof startService>) => stoppedAtEnd(startService(...how))

/** Drops the log level of `npm run --silent x`, so that an npm run by a task prints as usual. */
const { npm_config_loglevel: _, ...ENVIRONMENT } = process.env

/** Runs a program and resolves with its standard output; an error contains all its output. */
export const run = (
  [command, ...args]: Command,
  { env, input = "", ...options }: ExecFileOptions & { readonly input?: string } = {}
): Promise<string> =>
  new Promise((resolve, reject) => {
    const fixed = { cwd: PROJECT, timeout: RUN_MILLIS, maxBuffer: MAX_OUTPUT_BYTES }
    const how = { ...fixed, ...options, encoding: "utf8", env: { ...ENVIRONMENT, PATH, ...env } } as const
    const program = execFile(command, args, how, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(`${[command, ...args].join(" ")}\n${`${stdout}${stderr}`.trim() || error.message}`))
    })
    program.stdin?.on("error", () => undefined).end(input)
  })

/** Whether a program is installed, by a command of it that does nothing. */
export const isInstalled = (command: Command): Promise<boolean> =>
  run(command).then(
    () => true,
    () => false
  )

/**
 * What the tasks share: steps that are reported with their time, programs that run to their end,
 * and cleanup. A step that fails is reported and fails the task; the next step still runs. An error
 * outside of a step ends the task.
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

/** Runs when the task is over, however it ends; the last one registered runs first. */
export const atEnd = (cleanup: () => unknown): void => void cleanups.push(cleanup)

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const secondsSince = (begun: number): string => `${((performance.now() - begun) / 1000).toFixed(1)} s`

const report = (word: string, name: string, remark: string, begun: number): void =>
  say(`${word.padEnd(4)} ${name}${remark === "" ? "" : `: ${remark}`} (${secondsSince(begun)})`)

/** One thing that a task checks. What `work` resolves with is reported if it is text. */
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

/** The task was called with arguments that it does not take. */
export class Misuse extends Error {}

const isMisuse = (error: unknown): boolean =>
  error instanceof Misuse || String((error as { readonly code?: unknown } | null)?.code).startsWith("ERR_PARSE_ARGS")

/** Runs a task to its end; resolves with the exit code of the process. */
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

/** Stops a program, or whatever else was started, at the end of the task. */
export const stoppedAtEnd = async <A extends { readonly stop: () => unknown }>(starting: Promise<A>): Promise<A> => {
  const started = await starting
  atEnd(started.stop)
  return started
}

/** The service, as the starter starts it, until the end of the task. */
export const service = (...how: Parameters<typeof startService>) => stoppedAtEnd(startService(...how))

/** Without what `npm run --silent x` has set: an npm that a task runs prints as usual. */
const { npm_config_loglevel: _, ...ENVIRONMENT } = process.env

/** Runs a program to its end and resolves with what it printed; fails with all that it printed. */
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

/** Runs the command line as a process of its own, as a shell would, and keeps what it said and how it ended. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve as resolvePath } from "node:path"
import { afterAll } from "vitest"
import { COMPILED } from "./compiled.ts"

export const MAIN = "src/cli/main.ts"

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface How {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  /** Where it is started; else in the project's folder. */
  readonly folder?: string
  /** Whoever would read standard output is gone before anything is written. */
  readonly isReaderGone?: boolean
}

/** Starts it; the environment holds nothing but what is given, and what a program needs to run. */
export const start = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  folder: string = process.cwd()
) =>
  spawn(process.execPath, [resolvePath(MAIN), ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: tmpdir(), ...COMPILED, ...env }
  })

export const repay = (
  args: ReadonlyArray<string>,
  { env, folder, input = "", isReaderGone = false }: How = {}
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = start(args, env, folder)
    let stdout = ""
    let stderr = ""
    if (isReaderGone) child.stdout.destroy()
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
    })
    child.stdin.on("error", () => undefined)
    child.stdin.end(input)
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout, stderr }))
  })

/** A folder for the files of one test file, and how to put one into it. */
export const filesOf = (name: string) => {
  const folder = mkdtempSync(join(tmpdir(), `repay-${name}-`))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const file = (fileName: string, content: unknown): string => {
    const path = join(folder, fileName)
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content))
    return path
  }
  return { folder, file }
}

export const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")

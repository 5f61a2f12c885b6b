/** The command line as a separate process. A test that uses it belongs to the system tests. */
import { type ChildProcess, spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { resolve as resolvePath } from "node:path"
import { afterAll } from "vitest"
import { COMPILED } from "./compiled.ts"
import type { Ended, How } from "./repay.ts"

export const MAIN = "src/cli/main.ts"

/** Processes to kill after the tests, even if one failed. */
const running = new Set<ChildProcess>()
afterAll(() => {
  for (const child of running) child.kill("SIGKILL")
})

/** Starts the command line; its environment contains `env` and what Node needs. */
export const start = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  folder: string = process.cwd()
) => {
  const child = spawn(process.execPath, [resolvePath(MAIN), ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: tmpdir(), ...COMPILED, ...env }
  })
  running.add(child)
  child.once("exit", () => running.delete(child))
  return child
}

export const repayProcess = (
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

/** The command line as a process whose output and end a test of portfolios waits for. */
import { start } from "../support/repayProcess.ts"

export const startProcess = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  folder: string = process.cwd()
) => {
  const child = start(["portfolio", ...args], env, folder)
  let output = ""
  child.stderr.setEncoding("utf8").on("data", (more: string) => {
    output += more
  })
  child.stdout.resume()
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
  return { child, ended, output: () => output }
}

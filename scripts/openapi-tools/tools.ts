/** The outside tools of the sub-package: installed once from its lock file, run as programs, never imported. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { installFrom } from "../outside.ts"
import { PATH, PROJECT } from "../programs.ts"

export const FOLDER = join(PROJECT, "scripts", "openapi-tools")
const RUN_MILLIS = 60_000
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

/** Nothing is told to anybody. */
const env = {
  ...process.env,
  PATH,
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true"
}

export const toolPath = (name: string): string => join(FOLDER, "node_modules", ".bin", name)

/** Installs what the lock file names, unless it is there. */
export const installTools = (): Promise<string> => installFrom(FOLDER)

/** What a program that failed said. */
const outputOf = (error: unknown): string => {
  const { message, stderr, stdout } = error as { message?: string; stderr?: string; stdout?: string }
  return `${stdout ?? ""}${stderr ?? ""}`.trim() || (message ?? String(error))
}

/** Runs a tool to its end; fails with what it said when it does not succeed. */
export const runTool = async (folder: string, name: string, args: ReadonlyArray<string>): Promise<string> => {
  const options = { cwd: folder, env, timeout: RUN_MILLIS, maxBuffer: MAX_OUTPUT_BYTES }
  return promisify(execFile)(process.execPath, [toolPath(name), ...args], options).then(
    ({ stderr, stdout }) => `${stdout}${stderr}`,
    (error: unknown) => {
      throw new Error(outputOf(error))
    }
  )
}

/** The outside tools of the sub-package: installed once from its lock file, run as programs, never imported. */
import { execFile } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { PATH, PROJECT } from "../programs.ts"

export const FOLDER = join(PROJECT, "scripts", "openapi-tools")
const INSTALL_MILLIS = 300_000
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

/** npm writes this file last. */
const INSTALLED = join(FOLDER, "node_modules", ".package-lock.json")

const isInstalled = (): boolean =>
  existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs > statSync(join(FOLDER, "package-lock.json")).mtimeMs

/** Installs what the lock file names, without its install scripts, unless it is there. */
export const installTools = async (): Promise<string> => {
  if (isInstalled()) return "already installed"
  const args = ["ci", "--prefix", FOLDER, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  await promisify(execFile)("npm", args, { env, timeout: INSTALL_MILLIS, maxBuffer: MAX_OUTPUT_BYTES })
  return "installed"
}

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

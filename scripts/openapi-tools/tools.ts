/**
 * The third-party tools of this folder's package.json, which run as programs and are never
 * imported. Two are linters of the OpenAPI document, neither of which may warn.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { insist, PROJECT, run } from "../harness.ts"

export const FOLDER = join(PROJECT, "scripts", "openapi-tools")
const RUN_MILLIS = 60_000

/** Turns telemetry off. */
const env = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }

export const toolPath = (name: string): string => join(FOLDER, "node_modules", ".bin", name)

/** Runs a tool to its end; an error contains its output. */
export const runTool = (folder: string, name: string, args: ReadonlyArray<string>): Promise<string> =>
  run([process.execPath, toolPath(name), ...args], { cwd: folder, env, timeout: RUN_MILLIS })

export const lintWithRedocly = async (folder: string, document: string): Promise<string> => {
  const report = await runTool(folder, "redocly", ["lint", document, "--format=json"])
  const { totals } = JSON.parse(report.slice(report.indexOf("{"), report.lastIndexOf("}") + 1)) as {
    readonly totals: { readonly errors: number; readonly warnings: number; readonly ignored: number }
  }
  insist(totals.errors + totals.warnings + totals.ignored === 0, report)
  return "no error, no warning"
}

export const lintWithSpectral = async (folder: string, document: string): Promise<string> => {
  writeFileSync(join(folder, "spectral.yaml"), 'extends: ["spectral:oas"]\n')
  const args = ["lint", document, "--ruleset", "spectral.yaml", "--fail-severity=hint", "--format=json"]
  const report = await runTool(folder, "spectral", args)
  const found = JSON.parse(report.slice(report.indexOf("["), report.lastIndexOf("]") + 1)) as ReadonlyArray<unknown>
  insist(found.length === 0, report)
  return "no result of any severity"
}

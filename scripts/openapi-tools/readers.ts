/** Two linters, neither of which may warn. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { runTool } from "./tools.ts"

export const lintWithRedocly = async (folder: string, document: string): Promise<string> => {
  const report = await runTool(folder, "redocly", ["lint", document, "--format=json"])
  const { totals } = JSON.parse(report.slice(report.indexOf("{"), report.lastIndexOf("}") + 1)) as {
    readonly totals: { readonly errors: number; readonly warnings: number; readonly ignored: number }
  }
  if (totals.errors + totals.warnings + totals.ignored > 0) throw new Error(report)
  return "no error, no warning"
}

export const lintWithSpectral = async (folder: string, document: string): Promise<string> => {
  writeFileSync(join(folder, "spectral.yaml"), 'extends: ["spectral:oas"]\n')
  const args = ["lint", document, "--ruleset", "spectral.yaml", "--fail-severity=hint", "--format=json"]
  const report = await runTool(folder, "spectral", args)
  const found = JSON.parse(report.slice(report.indexOf("["), report.lastIndexOf("]") + 1)) as ReadonlyArray<unknown>
  if (found.length > 0) throw new Error(report)
  return "no result of any severity"
}
